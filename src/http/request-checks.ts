import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.js'
import type { Connections } from './connections.js'
import { createRequestContext } from './request-context.js'
/** The longest URL that is read, in bytes; Node itself stops at 16 KiB of headers together. */
export const urlLengthMax = 8192

/** RFC 3986, section 3.2.2 with a port, as far as it keeps out what could be taken for anything else. */
const validHost = /^(?:[\w.~%!$&'()*+;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i

/** Refuses what no route should see; the body of a request that may have one is never read. */
export function createPrepareRequest({ requireRoom }: Connections) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    request.facts = createRequestContext()
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    requireRoom(request.raw)
    requireHead(request)
    const path = readPath(request.raw.url ?? '')
    const reads = request.method === 'GET' || request.method === 'HEAD'
    // The router takes an empty id for an id; and what is elsewhere, such as the files of the docs, is its own.
    if (!isKnownPath(path) && (!reads || path.startsWith(basePath))) throw createNotFound()
    if (!reads) throw createMethodNotAllowed(request.method)
    done()
  }
}

/** There is nothing at the path of a request. */
export function createNotFound(): Problem {
  return new Problem('not_found', 'There is nothing at this path.')
}

function createMethodNotAllowed(method: string): Problem {
  return new Problem('method_not_allowed', `This path answers GET and HEAD, not ${method}.`, {
    headers: { allow: 'GET, HEAD', connection: 'close' },
  })
}

function requireHead({ raw, headers }: FastifyRequest): void {
  if ((raw.url ?? '').length > urlLengthMax)
    throw new Problem('uri_too_long', `The URL is longer than ${urlLengthMax} bytes.`)
  requireHost(headers.host, raw.httpVersion)
  requireFraming(headers['transfer-encoding'])
}

/** RFC 9112, section 3.2: a request with none, with two or with another form of it is not answered. */
function requireHost(host: string | undefined, httpVersion: string): void {
  if (host === undefined && httpVersion === '1.1')
    throw new Problem('malformed_request', 'The request has no Host header.')
  if (host !== undefined && !validHost.test(host))
    throw new Problem('malformed_request', 'The request has more than one Host header, or not a valid one.')
}

/** RFC 9112, section 6.3: where a body with such a header ends, two readers may see differently. */
function requireFraming(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'chunked') return
  throw new Problem('malformed_request', 'The only Transfer-Encoding that is read here is chunked.', {
    headers: { connection: 'close' },
  })
}

/** Where the four routes and the OpenAPI document lie. */
export const basePath = '/api/public/v1'

/** What follows the `?` of a request's URL; read from the URL itself, so that nothing is decoded twice. */
export function readSearch(request: FastifyRequest): string {
  const url = request.raw.url ?? ''
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

// RFC 9112, section 3.2.2: the form that a proxy is asked in must be answered too; the router takes it as well.
const origin = /^https?:\/\/[^/?#]*/i

/** A request's path without its query. */
export function readPath(url: string): string {
  const local = url.startsWith('/') ? url : url.replace(origin, '')
  const end = local.search(/[?#]/)
  return end === -1 ? local : local.slice(0, end)
}

const knownPath = new RegExp(
  `^(?:${basePath}/(?:registrations|invoices)(?:/[^/]+)?|${basePath}/openapi\\.json|/docs(?:/errors)?)$`,
)

/** Whether a route answers GET at this path, so that another method is the only thing wrong. */
export function isKnownPath(path: string): boolean {
  return knownPath.test(path)
}
