import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { guidePaths } from './docs/guides.js'
import { createPages } from './docs/pages.js'
import { parseQueryString } from '../collections/list-query.js'
import { toOpenApi30 } from './openapi.js'
import { basePath } from '../client/forms.js'
import { reading, toPackageFile } from './paths.js'
import { readSearch } from './request-checks.js'
import { joinHeader } from './send.js'
import { createOnce, createStaticBody } from './static-body.js'
import type { StaticBody } from './static-body.js'

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
}

/** What the pages say of the service. */
export interface DocsInput {
  readonly loadDocument: () => Promise<object>
  /** Origin and path prefix, or empty if they are not configured. */
  readonly publicUrl: string
  /** The version of this release. */
  readonly version: string
}

/**
 * Registers `/docs`, which describes every operation and can send requests with a key; the pages below it, which are the
 * guides of `docs/integrators.md` and the contract; each of them as Markdown; the package for integrators; and what leads
 * programs to all of them. Pages are made at the first request for one of them, because most processes of a deployment never
 * show a page; the code is loaded at the start, because Node never loads again what once could not be loaded.
 */
export function registerDocs(app: FastifyInstance, input: DocsInput): void {
  const { loadDocument, publicUrl, version } = input
  const style = createStaticBody(() => readAsset('docs.css'), types.css)
  const script = createStaticBody(() => readAsset('docs.js'), types.js)
  const loadPages = createOnce(async () => {
    const [styleVersion, scriptVersion] = [await style.readVersion(), await script.readVersion()]
    return createPages(await loadDocument(), publicUrl, { style: styleVersion, script: scriptVersion })
  })
  // For generators that do not read OpenAPI 3.1.
  const renderOlderEdition = async () => JSON.stringify(toOpenApi30(await loadDocument()))
  for (const path of ['', ...guidePaths]) {
    const url = path === '' ? '/docs' : `/docs/${path}`
    const page = createStaticBody(async () => (await loadPages()).render(path), types.html)
    const markdown = createStaticBody(async () => (await loadPages()).write(path), types.markdown)
    app.get(url, (request, reply) =>
      page.send(request, reply.header('content-security-policy', policy), 'no-cache'),
    )
    registerFile(app, `${url}.md`, markdown)
  }
  const modules = scriptModules.map((name) => [
    `assets/${name}`,
    createStaticBody(() => readAsset(name), types.js),
  ])
  const files = {
    ...(Object.fromEntries(modules) as Readonly<Record<string, StaticBody>>),
    'assets/docs.css': style,
    'assets/docs.js': script,
    'assets/favicon.svg': createStaticBody(() => readAsset('favicon.svg'), types.svg),
    'search.json': createStaticBody(async () => (await loadPages()).writeSearchIndex(), types.json),
  }
  for (const [path, body] of Object.entries(files)) registerFile(app, `/docs/${path}`, body)
  registerFile(app, '/docs/openapi-3.0.json', createStaticBody(renderOlderEdition, types.json))
  registerPackage(app, version)
  registerRedirect(app, '/', './docs')
  registerRedirect(app, '/docs/', '../docs')
  const llmsText = createStaticBody(async () => (await loadPages()).writeLlmsText(), types.text)
  registerFile(app, '/llms.txt', llmsText)
}

/** The package, at an address that has the same bytes for ever: npm verifies them when it installs the package again. */
function registerPackage(app: FastifyInstance, version: string): void {
  const body = createStaticBody(() => readFile(clientPackage), types.tgz)
  const file = toPackageFile(version)
  app.get(`/docs/${file}`, (request, reply) => body.send(request, reply, immutable))
  registerRedirect(app, '/docs/vitrine-client.tgz', `./${file}`)
}

/** @param target relative, because only the caller has the part of the URL before the path. */
function registerRedirect(app: FastifyInstance, url: string, target: string): void {
  app.get(url, (_request, reply) => reply.header('cache-control', 'no-cache').redirect(target))
}

const immutable = 'public, max-age=31536000, immutable'

/** What `docs.js` imports. */
const scriptModules = ['elements.js', 'requests.js', 'samples.js', 'search.js']

/** The package for integrators, which the build makes. */
const clientPackage = new URL('../../dist/vitrine-client.tgz', import.meta.url)

function readAsset(name: string): Promise<Buffer> {
  return readFile(new URL(`./docs/assets/${name}`, import.meta.url))
}

/** A URL with the version of a file can be cached forever; during an update, another process can have another version. */
function registerFile(app: FastifyInstance, url: string, body: StaticBody): void {
  app.get(url, async (request, reply) => {
    const lasts = request.raw.url?.endsWith(`?v=${await body.readVersion()}`) === true
    return body.send(request, reply, lasts ? immutable : 'no-cache')
  })
}

/** Registers the OpenAPI document. */
export function registerDocument(app: FastifyInstance, loadDocument: DocsInput['loadDocument']): void {
  const body = createStaticBody(async () => JSON.stringify(await loadDocument()), types.json)
  app.route({
    ...reading,
    url: `${basePath}/openapi.json`,
    handler: (request, reply) => {
      parseQueryString(readSearch(request), [])
      void reply.header('vary', joinHeader(reply.getHeader('vary'), 'Authorization'))
      return body.send(request, reply, 'private, no-cache')
    },
  })
}
