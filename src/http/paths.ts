import type { FastifyRequest } from 'fastify'

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
