import cors from '@fastify/cors'
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify'
import { Problem } from '../problems.js'
import { basePath } from '../client/forms.js'
import { renderHint } from '../client/text.js'
import { createRequestContext, toCommonHeaders } from './request-context.js'

/** The longest URL that is read, in bytes; Node limits all headers together to 16 KiB. */
export const urlLengthMax = 8192

/** RFC 3986, section 3.2.2, with a port; strict enough to reject anything that a second header would add. */
const validHost = /^(?:[\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i

/**
 * The first hook of every request: gives it its context, and its answer the headers that all answers have. Those of the API
 * lead to its description (RFC 8631).
 */
export function createRequestStart(publicUrl: string) {
  const link = `<${publicUrl}${basePath}/openapi.json>; rel="service-desc"`
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    request.context = createRequestContext()
    reply.headers(toCommonHeaders(request.id))
    if (readPath(request).startsWith(basePath)) reply.header('link', link)
    done()
  }
}

/** Makes the problem of a path that no route has. @param names of the collections. */
export function createPathNotFound(names: readonly string[], publicUrl: string) {
  const api = `The API is at ${publicUrl}${basePath}, with ${names.join(' and ')}; its documentation is at ${publicUrl}/docs.`
  return (request: UrlRequest): Problem => {
    const path = readPath(request)
    const [, first = ''] = path.replace(basePath, '').split('/')
    const hint = path.endsWith('/')
      ? '; a path has no slash at its end.'
      : renderHint(first, names, `${basePath}/`) || '.'
    return new Problem(
      'not_found',
      `There is nothing at this path${hint} ${api} A slash in an id is sent as %2F.`,
    )
  }
}

/** Rejects what no route should receive, before any body is read. @param names of the collections. */
export function createRequestChecks(names: readonly string[], toNotFound: (request: UrlRequest) => Problem) {
  const knownPath = new RegExp(
    `^(?:${basePath}/(?:${names.join('|')})(?:/[^/]+)?|${basePath}/openapi\\.json)$`,
  )
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    requireUrlLength(request.raw.url ?? '')
    requireHost(request.headers.host, request.raw.httpVersion)
    requireFraming(request.headers['transfer-encoding'])
    if (!isPath(request, knownPath)) throw toNotFound(request)
    if (!isReading(request) && !isOwnMethod(request)) throw createMethodNotAllowed(request)
    done()
  }
}

/** The part of a request that has its URL. */
export interface UrlRequest {
  readonly raw: { readonly url?: string | undefined }
}

/** The part of a request's URL after `?`. Read from the URL itself, so that nothing is decoded twice. */
export function readSearch({ raw: { url = '' } }: UrlRequest): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

function requireUrlLength(url: string): void {
  if (url.length > urlLengthMax)
    throw new Problem('uri_too_long', `The URL is longer than ${urlLengthMax} bytes.`)
}

/** RFC 9112, section 3.2: a request without Host, with two of them or with an invalid one is rejected. */
function requireHost(host: string | undefined, httpVersion: string): void {
  if (host === undefined && httpVersion === '1.1')
    throw new Problem('malformed_request', 'The request has no Host header.')
  if (host !== undefined && !validHost.test(host))
    throw new Problem('malformed_request', 'The request has more than one Host header, or not a valid one.')
}

/** RFC 9112, section 6.3: with any other encoding, two readers can disagree about the end of the body. */
function requireFraming(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'chunked') return
  throw new Problem('malformed_request', 'The only Transfer-Encoding that is read here is chunked.', {
    headers: { connection: 'close' },
  })
}

/** The router accepts an empty id, so paths of the API are checked here. It checks others, such as those of the docs. */
function isPath(request: FastifyRequest, knownPath: RegExp): boolean {
  const path = readPath(request)
  return (
    knownPath.test(path) ||
    isDocsPath(request, path) ||
    isOwnMethod(request) ||
    (isReading(request) && !path.startsWith(basePath))
  )
}

/** A page of the docs, one of their files, or what leads to them. The router would take other characters for a pattern. */
function isDocsPath({ server }: FastifyRequest, path: string): boolean {
  return /^\/(?:docs[\w./-]*|llms\.txt)?$/.test(path) && server.hasRoute({ method: 'GET', url: path })
}

/** Whether a route is for this method, which is none of those that read. */
function isOwnMethod(request: FastifyRequest): boolean {
  return !isReading(request) && !request.is404
}

/** The problem of a request with another method than those that its path answers. */
export function createMethodNotAllowed(
  { method }: Pick<FastifyRequest, 'method'>,
  allow = 'GET, HEAD',
): Problem {
  const headers = { allow, connection: 'close' }
  const detail = `This path answers ${allow.replace(', ', ' and ')}, not ${method}.`
  return new Problem('method_not_allowed', detail, { headers })
}

function isReading({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

// RFC 9112, section 3.2.2: the absolute form, which clients send to proxies, must be accepted too; the router does.
const origin = /^https?:\/\/[^/?#]*/i

/** The path of a request, without its query. */
export function readPath({ raw: { url = '' } }: UrlRequest): string {
  const local = url.startsWith('/') ? url : url.replace(origin, '')
  const end = local.search(/[?#]/)
  return end === -1 ? local : local.slice(0, end)
}

/** The headers that a page may read besides those that browsers always show. */
export const exposedHeaders =
  'Api-Key-Expires, ETag, Link, Retry-After, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, X-Request-Id'

/** Browsers may keep the answer of a preflight for so long; most have a limit of 2 hours. */
const maxAgeSeconds = 3600

/**
 * Lets browsers on these origins call the API. The headers are on errors as well, so that a page can read them. A
 * preflight is answered here, before any key, limit or path is looked at. Without origins nothing is registered, and
 * OPTIONS is 405 like every other method.
 *
 * @param origins as `Origin` sends them, or `*` for every origin.
 */
export async function registerCors(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'OPTIONS' && !isPreflight(request)) throw createMethodNotAllowed(request)
    done()
  })
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: 'GET, HEAD',
    allowedHeaders: 'Authorization, If-None-Match, X-Request-Id',
    exposedHeaders,
    maxAge: maxAgeSeconds,
    // The plugin sends Content-Length, which a 204 must not have (RFC 9110, section 8.6).
    optionsSuccessStatus: 200,
  })
}

/** Any other OPTIONS is not a question of a browser. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
