import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fillPage } from './docs/fill-page.js'
import type { PageValues } from './docs/fill-page.js'
import { parseQueryString } from '../collections/list-query.js'
import { toOpenApi30 } from './openapi.js'
import { basePath } from '../client/forms.js'
import { reading, toPackageFile } from './paths.js'
import { readSearch } from './request-checks.js'
import { joinHeader } from './send.js'
import { createStaticBody } from './static-body.js'
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

const jsonType = 'application/json; charset=utf-8'

/** By the ends of the names of files. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': jsonType,
}

/** What the pages say of the service. */
export interface DocsInput extends PageValues {
  readonly loadDocument: () => Promise<object>
  /** The version of this release. */
  readonly version: string
}

/**
 * Registers what the build wrote for these collections: `/docs`, which describes every operation and can send requests with a key;
 * the pages below it, which are the guides of `docs/integrators.md` and the contract; each of them as Markdown; and what leads
 * programs to all of them. And the package for integrators.
 */
export function registerDocs(app: FastifyInstance, input: DocsInput): void {
  const { collections, loadDocument, version } = input
  const folder = new URL(`../../dist/docs/${collections.map(({ name }) => name).join('-')}/`, import.meta.url)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => extname(one) in types)) {
    const isPage = name.endsWith('.html')
    const read = async () => fillPage(await readFile(new URL(name, folder), 'utf8'), isPage, input)
    const headers = isPage ? { 'content-security-policy': policy } : {}
    const url = `/${name.replaceAll('\\', '/').replace(/\.html$/, '')}`
    registerFile(app, url, createStaticBody(read, types[extname(name)] ?? ''), headers)
  }
  // For generators that do not read OpenAPI 3.1.
  const renderOlderEdition = async () => JSON.stringify(toOpenApi30(await loadDocument()))
  registerFile(app, '/docs/openapi-3.0.json', createStaticBody(renderOlderEdition, jsonType))
  registerPackage(app, version)
  registerRedirect(app, '/', './docs')
  registerRedirect(app, '/docs/', '../docs')
}

/** The package, at an address that has the same bytes for ever: npm verifies them when it installs the package again. */
function registerPackage(app: FastifyInstance, version: string): void {
  const body = createStaticBody(() => readFile(clientPackage), 'application/gzip')
  const file = toPackageFile(version)
  app.get(`/docs/${file}`, (request, reply) => body.send(request, reply, immutable))
  registerRedirect(app, '/docs/vitrine-client.tgz', `./${file}`)
}

/** @param target relative, because only the caller has the part of the URL before the path. */
function registerRedirect(app: FastifyInstance, url: string, target: string): void {
  app.get(url, (_request, reply) => reply.header('cache-control', 'no-cache').redirect(target))
}

const immutable = 'public, max-age=31536000, immutable'

/** The package for integrators, which the build makes. */
const clientPackage = new URL('../../dist/vitrine-client.tgz', import.meta.url)

/** A URL with the version of a file can be cached forever; during an update, another process can have another version. */
function registerFile(
  app: FastifyInstance,
  url: string,
  body: StaticBody,
  headers: Readonly<Record<string, string>> = {},
): void {
  app.get(url, async (request, reply) => {
    const lasts = request.raw.url?.endsWith(`?v=${await body.readVersion()}`) === true
    return body.send(request, reply.headers(headers), lasts ? immutable : 'no-cache')
  })
}

/** Registers the OpenAPI document. */
export function registerDocument(app: FastifyInstance, loadDocument: DocsInput['loadDocument']): void {
  const body = createStaticBody(async () => JSON.stringify(await loadDocument()), jsonType)
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
