import type { Principal } from '../keys/validate-key.js'
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from './metrics.js'

/** What a request's log line and its rate limit need to know; filled in on its way. */
export interface RequestContext {
  principal: Principal | undefined
  /** Rows that the answer was made of. */
  rows: number | undefined
  /** Time that the request waited for the database and its answers, in milliseconds. */
  databaseMs: number
  /** Since when it waits now; a statement that fails is never ended. */
  databaseSince: number | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    facts: RequestContext
  }
}

/** What is known of a request before its key was read. */
export function createRequestContext(): RequestContext {
  return { principal: undefined, rows: undefined, databaseMs: 0, databaseSince: undefined }
}

/** From here on the request waits for the database. */
export function beginDatabase(facts: RequestContext): void {
  facts.databaseSince = performance.now()
}

/** The database has answered. */
export function endDatabase(facts: RequestContext): void {
  if (facts.databaseSince === undefined) return
  facts.databaseMs += performance.now() - facts.databaseSince
  facts.databaseSince = undefined
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/** The id of a request: the caller's own where it is short and plain, else a new one. */
export function chooseRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && acceptable.test(header) ? header : randomUUID()
}

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
