/** Limits of connections and of the time that a caller takes. */
export interface HttpLimits {
  /** For the head of a request, in milliseconds from its first byte, or from the connection if it is the first one. */
  readonly headersTimeoutMs: number
  /** The same for a whole request. Only `/mcp` reads a body, a short one, so this is little more than the head. */
  readonly requestTimeoutMs: number
  /** How long a connection stays open between two requests. */
  readonly keepAliveTimeoutMs: number
  /** How long a caller may take to read an answer, from its first byte; the database time is not part of it. */
  readonly answerTimeoutMs: number
  /** How often these times are compared with the clock; each can be longer by as much. */
  readonly checkEveryMs: number
  /**
   * Connections that are answered or kept at once. Beyond it, the connection that has been idle for the longest time
   * is closed; if none is idle, a new caller gets 503. As many again can have had no successful answer; beyond that,
   * the oldest of these is closed.
   */
  readonly connectionsMax: number
  /** Requests of one connection in progress at once. */
  readonly pipelinedMax: number
}

/**
 * The limits of a service. The database time is limited apart: `DATABASE_QUERY_TIMEOUT_MS` holds for the time in the queue
 * and for each statement, of which a request can send several.
 */
export const httpLimits: HttpLimits = {
  // A head has at most 16 KiB: a second on a slow line.
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  // Longer than the 60 seconds of most load balancers: otherwise Vitrine could close a connection that one is using.
  keepAliveTimeoutMs: 72_000,
  // The largest answers, a page of 100 records and the documentation page, have 60 KB.
  answerTimeoutMs: 60_000,
  // Node's default is 30 seconds, which would make 40 seconds of 10.
  checkEveryMs: 1000,
  connectionsMax: 2000,
  // Clients and proxies rarely pipeline; only a flood sends more.
  pipelinedMax: 16,
}
