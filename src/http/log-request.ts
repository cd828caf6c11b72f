import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.js'

/** One line and one measurement for each request: the route's pattern, never the URL or a header. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const route = request.routeOptions.url ?? '(none)'
  const { principal, rows } = request.facts
  metrics.countRequest(route, reply.statusCode, reply.elapsedTime / 1000)
  request.log.info(
    {
      reqId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      keyId: principal?.keyId,
      workspaceId: principal?.workspaceId,
      rows,
    },
    'request',
  )
}
