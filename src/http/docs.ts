import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { readGuides } from './docs/guides.js'
import { createOnce, createStaticBody } from './docs/static-body.js'
import type { StaticBody } from './docs/static-body.js'

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
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  tgz: 'application/gzip',
}

/**
 * Registers `/docs`, which describes every operation and can send requests with a key; the pages below it, which are the
 * guides of `docs/integrators.md` and the contract; and the package for integrators. What the pages are made with is
 * loaded at the first request for one of them, because most processes of a deployment never show a page.
 *
 * @param publicUrl origin and path prefix, or empty if they are not configured.
 */
export function registerDocs(
  app: FastifyInstance,
  loadDocument: () => Promise<object>,
  publicUrl: string,
): void {
  const style = createStaticBody(() => readAsset('docs.css'), types.css)
  const script = createStaticBody(() => readAsset('docs.js'), types.js)
  const loadPages = createOnce(async () => {
    const { createPages } = await import('./docs/pages.js')
    const [styleVersion, scriptVersion] = [await style.readVersion(), await script.readVersion()]
    return createPages(await loadDocument(), publicUrl, { style: styleVersion, script: scriptVersion })
  })
  for (const url of ['/docs', '/docs/', ...readGuides().map(({ path }) => `/docs/${path}`)]) {
    const render = async () => (await loadPages()).render(url)
    registerPage(app, url, createStaticBody(render, types.html))
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
    'search.json': createStaticBody(renderIndex, types.json),
    'openapi-3.0.json': createStaticBody(() => renderOlderEdition(loadDocument), types.json),
    'vitrine-client.tgz': createStaticBody(() => readFile(clientPackage), types.tgz),
  }
  for (const [path, body] of Object.entries(files)) registerFile(app, `/docs/${path}`, body)
}

/** What `docs.js` imports. */
const scriptModules = ['elements.js', 'requests.js', 'samples.js', 'search.js']

/** The package for integrators, which the build makes. */
const clientPackage = new URL('../../dist/vitrine-client.tgz', import.meta.url)

/** For generators that do not read OpenAPI 3.1. */
async function renderOlderEdition(loadDocument: () => Promise<object>): Promise<string> {
  const { toOpenApi30 } = await import('./openapi-3-0.js')
  return JSON.stringify(toOpenApi30(await loadDocument()))
}

function readAsset(name: string): Promise<Buffer> {
  return readFile(new URL(`./docs/assets/${name}`, import.meta.url))
}

function registerPage(app: FastifyInstance, url: string, body: StaticBody): void {
  app.get(url, (request, reply) => {
    void reply.header('content-security-policy', policy)
    return body.send(request, reply, 'no-cache')
  })
}

/** A URL with the version of a file can be cached forever; during an update, another process can have another version. */
function registerFile(app: FastifyInstance, url: string, body: StaticBody): void {
  app.get(url, async (request, reply) => {
    const lasts = request.raw.url?.endsWith(`?v=${await body.readVersion()}`) === true
    return body.send(request, reply, lasts ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
}
