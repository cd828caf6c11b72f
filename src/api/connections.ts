import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.js'

/** Limits of connections and of the time that a caller takes, which Node itself enforces but for the last. */
export interface HttpLimits {
  /** For the head of a request, in milliseconds from its first byte, or from the connection if it is the first one. */
  readonly headersTimeoutMs: number
  /** The same for a whole request. Only `/mcp` reads a body, a short one, so this is little more than the head. */
  readonly requestTimeoutMs: number
  /** How long a connection stays open between two requests: longer than the 60 seconds of most load balancers. */
  readonly keepAliveTimeoutMs: number
  /** How often these times are compared with the clock; each can be longer by as much. */
  readonly checkEveryMs: number
  /** Connections at once; a proxy in front of several processes shares them between callers. */
  readonly connectionsMax: number
  /** How long a caller may take to read an answer, from its first byte; the database time is not part of it. */
  readonly answerTimeoutMs: number
}

/** The limits of a service. */
export const httpLimits: HttpLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 72_000,
  checkEveryMs: 1000,
  connectionsMax: 2000,
  answerTimeoutMs: 60_000,
}

/** The end of the process, which is announced before anything closes. */
export interface Closing {
  isAnnounced: boolean
}

/**
 * Limits the connections of an app, and closes each with its next answer once the end is announced, so that callers connect
 * elsewhere. Node closes those that are idle when the app closes.
 */
export function limitConnections(app: FastifyInstance, closing: Closing, limits: HttpLimits): void {
  app.server.maxConnections = limits.connectionsMax
  app.addHook('preClose', (done) => {
    closing.isAnnounced = true
    done()
  })
  app.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    if (closing.isAnnounced) reply.header('connection', 'close')
    const timer = setTimeout(() => socket.destroy(), limits.answerTimeoutMs).unref()
    reply.raw.once('close', () => {
      clearTimeout(timer)
    })
    done(null, payload)
  })
}

/** The count of connections, and their limit. */
export function registerConnectionMetrics(
  { watch }: Metrics,
  { server }: FastifyInstance,
  { connectionsMax }: HttpLimits,
): void {
  let open = 0
  server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
  })
  watch('vitrine_http_connections', 'Connections that are open.', () => open)
  watch('vitrine_http_connections_max', 'The limit of vitrine_http_connections.', () => connectionsMax)
}
