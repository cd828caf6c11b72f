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
  /** How long a caller may leave bytes or the end unread; the database time is not part of it. */
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

/**
 * Limits the connections of an app, and closes those whose caller leaves bytes or the end unread. When the app closes, Node
 * closes those that are idle, and this closes those that have sent nothing yet.
 *
 * @returns the number of connections that are open.
 */
export function limitConnections(app: FastifyInstance, limits: HttpLimits): () => number {
  /** The open connections, and since when each has bytes or an end that were not taken: one timer for all. */
  const sockets = new Map<Socket, number | undefined>()
  app.server.maxConnections = limits.connectionsMax
  app.server.on('connection', (socket) => {
    sockets.set(socket, undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    for (const [socket, since] of sockets)
      if (socket.writableLength === 0 && !socket.writableEnded) sockets.set(socket, undefined)
      else if (since === undefined) sockets.set(socket, performance.now())
      else if (performance.now() - since >= limits.answerTimeoutMs) socket.destroy()
  }, limits.checkEveryMs).unref()
  app.addHook('preClose', (done) => {
    for (const socket of sockets.keys()) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
  return () => sockets.size
}
