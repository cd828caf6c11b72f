import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The limits of a service: of its connections, and of the time that a caller takes, which Node itself enforces but for the last. */
export const httpLimits = {
  /** For the head of a request, in milliseconds from its first byte, or from the connection if it is the first one. */
  headersTimeoutMs: 10_000,
  /** The same for a whole request. Only `/mcp` reads a body, a short one, so this is little more than the head. */
  requestTimeoutMs: 15_000,
  /** How long a connection stays open between two requests: longer than the 60 seconds of most load balancers. */
  keepAliveTimeoutMs: 72_000,
  /** How often these times are compared with the clock; each can be longer by as much. */
  checkEveryMs: 1000,
  /** Connections at once; a proxy in front of several processes shares them between callers. */
  connectionsMax: 2000,
  /** How long a caller may leave bytes or the end unread; the database time is not part of it. */
  answerTimeoutMs: 60_000,
}

/** The same, or others in a test. */
export type HttpLimits = Readonly<typeof httpLimits>

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
