import type { Principal } from '../keys/judge-key.js'

/** What a request's log line and its rate limit need to know; filled in on its way. */
export interface RequestFacts {
  principal: Principal | undefined
  /** Rows that the answer was made of. */
  rows: number | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    facts: RequestFacts
  }
}

/** What is known of a request before its key was read. */
export function createFacts(): RequestFacts {
  return { principal: undefined, rows: undefined }
}
