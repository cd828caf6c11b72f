import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Problem } from '../problems.js'
import type { Principal } from '../keys/key.js'
import type { Observe } from './observation.js'

/** What the log line, the span and the rate limit of a request use; the stages of the request fill it in. */
export interface RequestContext {
  principal: Principal | undefined
  /** What the answer says is wrong; undefined for a success. */
  problem: Pick<Problem, 'code' | 'parameter'> | undefined
  /** Rows that the answer was made of. */
  rows: number | undefined
  /** Time that the request spent on the database, in milliseconds, with the time in the queue. */
  databaseMs: number
  /** Start of the database access in progress, by `performance.now()`. */
  databaseSince: number | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    context: RequestContext
  }
}

/** The context of a request that is not authenticated yet. */
export function createRequestContext(): RequestContext {
  return {
    principal: undefined,
    problem: undefined,
    rows: undefined,
    databaseMs: 0,
    databaseSince: undefined,
  }
}

/** The headers of every answer. */
export function toCommonHeaders(requestId: string): Readonly<Record<string, string>> {
  return { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' }
}

/** The request begins to use the database. @returns when, by `performance.now()` */
export function beginDatabase({ context }: Pick<FastifyRequest, 'context'>): number {
  context.databaseSince = performance.now()
  return context.databaseSince
}

/** The request has used the database: adds the time. After an error the log line does. */
export function endDatabase({ context }: Pick<FastifyRequest, 'context'>): void {
  if (context.databaseSince === undefined) return
  context.databaseMs += performance.now() - context.databaseSince
  context.databaseSince = undefined
}

/** The ids that are taken from the caller; a new id, a UUID, is one too. */
export const acceptableId = /^[A-Za-z0-9._-]{1,64}$/

/** The id of a request: the caller's own if it is short and plain, otherwise a new one. */
export function chooseRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && acceptableId.test(header) ? header : randomUUID()
}

/** Reports a request whose answer has ended. */
export function reportAnswered(request: FastifyRequest, reply: FastifyReply, observe: Observe): void {
  // A caller can disconnect while a statement is in progress.
  endDatabase(request)
  const { principal, problem, rows, databaseMs } = request.context
  observe({
    kind: 'answered',
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? '(none)',
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    databaseMs,
    keyId: principal?.keyId,
    workspaceId: principal?.workspaceId,
    rows,
    code: problem?.code,
    parameter: problem?.parameter,
  })
}

/**
 * The caller of a request, until its answer was sent or the connection is closed. Node closes only the first of several
 * answers with the connection, so the connection is watched too, where a task waits for the end.
 */
export function createCaller({ raw }: FastifyRequest, { raw: answer }: FastifyReply) {
  const { socket } = raw
  // Node answers no caller who has closed one direction only.
  const hasEnded = (): boolean => socket.destroyed || socket.readableEnded || answer.closed
  return {
    hasEnded,
    /** Calls a task when the answer was sent, or cannot be sent. */
    onEnd: (task: () => void): void => {
      // What has happened already is not announced again.
      if (hasEnded()) {
        task()
        return
      }
      const end = (): void => {
        socket.off('close', end)
        answer.off('close', end)
        task()
      }
      // Each of the requests of a connection adds a listener.
      socket.setMaxListeners(0)
      socket.once('close', end)
      answer.once('close', end)
    },
  }
}
