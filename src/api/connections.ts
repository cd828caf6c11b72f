import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

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
 * elsewhere. When the app closes, Node closes those that are idle, and this closes those that have sent nothing yet.
 *
 * @returns the number of connections that are open.
 */
export function limitConnections(app: FastifyInstance, closing: Closing, limits: HttpLimits): () => number {
  const sockets = new Set<Socket>()
  app.server.maxConnections = limits.connectionsMax
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', (done) => {
    closing.isAnnounced = true
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
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
  return () => sockets.size
}
