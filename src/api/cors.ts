import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createMethodNotAllowed } from './request-checks.js'

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

/** Any other OPTIONS is no question of a browser. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
