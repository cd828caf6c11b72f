import type { Principal } from '../keys/judge-key.js'

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
