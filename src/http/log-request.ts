import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.js'
import { endDatabase } from './request-facts.js'

/** One line and one measurement for each request: the route's pattern, never the URL or a header. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const route = request.routeOptions.url ?? '(none)'
  endDatabase(request.facts)
  const { principal, rows, databaseMs } = request.facts
  metrics.countRequest(route, reply.statusCode, reply.elapsedTime / 1000)
  request.log.info(
    {
      reqId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: toMicroseconds(reply.elapsedTime),
      databaseMs: toMicroseconds(databaseMs),
      keyId: principal?.keyId,
      workspaceId: principal?.workspaceId,
      rows,
    },
    'request',
  )
}

/** No finer than a clock is worth. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
