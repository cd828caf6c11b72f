import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { prefersMarkdown } from './docs/accept.js'
import { renderApiCatalog } from './docs/discovery.js'
import type { ToAddress } from './docs/discovery.js'
import { readGuides } from './docs/guides.js'
import { toPackageFile } from './docs/layout.js'
import { createOnce, createStaticBody } from './docs/static-body.js'
import type { StaticBody } from './docs/static-body.js'
import { parseQueryString } from '../collections/query-string.js'
import { createBodies, nameServer } from './own-address.js'
import type { ReadAddress } from './own-address.js'
import { basePath, reading } from './paths.js'
import { readSearch } from './request-checks.js'
import { joinHeader } from './send.js'

/** Everything comes from this server, so the pages work offline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const types = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  tgz: 'application/gzip',
  catalog: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
}

/** What the pages say of the service. */
export interface DocsInput {
  readonly loadDocument: () => Promise<object>
  /** The mapping in force, which the document and the pages depend on. */
  readonly mapping: () => unknown
  /** Origin and path prefix, or empty if they are not configured. */
  readonly publicUrl: string
  readonly readAddress: ReadAddress
  /** The version of this release. */
  readonly version: string
}

/**
 * Registers `/docs`, which describes every operation and can send requests with a key; the pages below it, which are the
 * guides of `docs/integrators.md` and the contract; each of them as Markdown; the package for integrators; and what leads
 * programs to all of them. What the pages are made with is loaded at the first request for one of them, because most
 * processes of a deployment never show a page.
 */
export function registerDocs(app: FastifyInstance, input: DocsInput): void {
  const { loadDocument, mapping, publicUrl, readAddress, version } = input
  const style = createStaticBody(() => readAsset('docs.css'), types.css)
  const script = createStaticBody(() => readAsset('docs.js'), types.js)
  const loadPages = createOnce(async () => {
    const { createPages } = await import('./docs/pages.js')
    const [styleVersion, scriptVersion] = [await style.readVersion(), await script.readVersion()]
    return createPages(await loadDocument(), publicUrl, { style: styleVersion, script: scriptVersion })
  }, mapping)
  for (const url of ['/docs', '/docs/', ...readGuides().map(({ path }) => `/docs/${path}`)]) {
    const toPage = createBodies((address) =>
      createStaticBody(async () => (await loadPages()).render(url, address), types.html, mapping),
    )
    const markdown = createStaticBody(
      async () => (await loadPages()).renderMarkdown(url),
      types.markdown,
      mapping,
    )
    // Only the samples of the first page name the service.
    const isNamed = /^\/docs\/?$/.test(url)
    registerPage(app, url, (request) =>
      prefersMarkdown(request.headers.accept) ? markdown : toPage(isNamed ? readAddress(request) : ''),
    )
    if (!url.endsWith('/')) registerFile(app, `${url}.md`, markdown)
  }
  const renderIndex = async () => (await loadPages()).renderSearchIndex()
  const modules = scriptModules.map((name) => [
    `assets/${name}`,
    createStaticBody(() => readAsset(name), types.js),
  ])
  const files = {
    ...(Object.fromEntries(modules) as Readonly<Record<string, StaticBody>>),
    'assets/docs.css': style,
    'assets/docs.js': script,
    'assets/favicon.svg': createStaticBody(() => readAsset('favicon.svg'), types.svg),
    'search.json': createStaticBody(renderIndex, types.json, mapping),
  }
  for (const [path, body] of Object.entries(files)) registerFile(app, `/docs/${path}`, body)
  registerOlderEdition(app, input)
  registerPackage(app, version)
  registerDiscovery(app, publicUrl)
  const toAddress = toAddressFrom(publicUrl, '')
  const renderLlmsText = async () => (await loadPages()).renderLlmsText(toAddress)
  registerFile(app, '/llms.txt', createStaticBody(renderLlmsText, types.text, mapping))
}

/** The package, at an address that has the same bytes for ever: npm verifies them when it installs the package again. */
function registerPackage(app: FastifyInstance, version: string): void {
  const body = createStaticBody(() => readFile(clientPackage), types.tgz)
  const file = toPackageFile(version)
  app.get(`/docs/${file}`, (request, reply) => body.send(request, reply, immutable))
  registerRedirect(app, '/docs/vitrine-client.tgz', `./${file}`)
}

/** `/` leads people to the pages, the catalog of RFC 9727 leads programs. */
function registerDiscovery(app: FastifyInstance, publicUrl: string): void {
  const toAddress = toAddressFrom(publicUrl, '../')
  const catalog = createStaticBody(() => Promise.resolve(renderApiCatalog(toAddress)), types.catalog)
  const link = `<${toAddress('.well-known/api-catalog')}>; rel="api-catalog"`
  app.get('/.well-known/api-catalog', (request, reply) =>
    catalog.send(request, reply.header('link', link), 'no-cache'),
  )
  registerRedirect(app, '/', './docs')
}

/** @param root the path of the service from the page that holds the addresses, where no origin is configured. */
function toAddressFrom(publicUrl: string, root: string): ToAddress {
  return (path) => `${publicUrl === '' ? root : `${publicUrl}/`}${path}`
}

/** @param target relative, because only the caller has the part of the URL before the path. */
function registerRedirect(app: FastifyInstance, url: string, target: string): void {
  app.get(url, (_request, reply) => reply.header('cache-control', 'no-cache').redirect(target))
}

const immutable = 'public, max-age=31536000, immutable'

/** What `docs.js` imports. */
const scriptModules = ['elements.js', 'find-entries.js', 'requests.js', 'samples.js', 'search.js']

/** The package for integrators, which the build makes. */
const clientPackage = new URL('../../dist/vitrine-client.tgz', import.meta.url)

/** For generators that do not read OpenAPI 3.1. */
function registerOlderEdition(app: FastifyInstance, { loadDocument, mapping, readAddress }: DocsInput): void {
  const toBody = createBodies((address) => {
    const render = async () => {
      const { toOpenApi30 } = await import('./openapi-3-0.js')
      return JSON.stringify(toOpenApi30(nameServer(await loadDocument(), address)))
    }
    return createStaticBody(render, types.json, mapping)
  })
  app.get('/docs/openapi-3.0.json', (request, reply) =>
    toBody(readAddress(request)).send(request, reply, 'no-cache'),
  )
}

function readAsset(name: string): Promise<Buffer> {
  return readFile(new URL(`./docs/assets/${name}`, import.meta.url))
}

function registerPage(
  app: FastifyInstance,
  url: string,
  choose: (request: FastifyRequest) => StaticBody,
): void {
  app.get(url, (request, reply) => {
    const body = choose(request)
    const vary = joinHeader(reply.getHeader('vary'), 'accept')
    void reply.headers({ 'content-security-policy': policy, vary })
    return body.send(request, reply, 'no-cache')
  })
}

/** A URL with the version of a file can be cached forever; during an update, another process can have another version. */
function registerFile(app: FastifyInstance, url: string, body: StaticBody): void {
  app.get(url, async (request, reply) => {
    const lasts = request.raw.url?.endsWith(`?v=${await body.readVersion()}`) === true
    return body.send(request, reply, lasts ? immutable : 'no-cache')
  })
}

/** Registers the OpenAPI document of the mapping in force. */
export function registerDocument(
  app: FastifyInstance,
  { loadDocument, readAddress, mapping }: Pick<DocsInput, 'loadDocument' | 'readAddress' | 'mapping'>,
): void {
  const toBody = createBodies((address) => {
    const load = async () => JSON.stringify(nameServer(await loadDocument(), address))
    return createStaticBody(load, 'application/json; charset=utf-8', mapping)
  })
  app.route({
    ...reading,
    url: `${basePath}/openapi.json`,
    handler: async (request, reply) => {
      parseQueryString(readSearch(request), [])
      void reply.header('vary', joinHeader(reply.getHeader('vary'), 'Authorization'))
      return toBody(readAddress(request)).send(request, reply, 'private, no-cache')
    },
  })
}
