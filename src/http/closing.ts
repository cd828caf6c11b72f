import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The end of the process, which is announced before anything closes. */
export interface Closing {
  readonly announce: () => void
  readonly isAnnounced: () => boolean
}

/** An end that is not yet announced. */
export function createClosing(): Closing {
  let announced = false
  return {
    announce: () => {
      announced = true
    },
    isAnnounced: () => announced,
  }
}

/**
 * Ends the connections that have sent nothing when the app closes, such as a proxy opens in advance: Node takes one
 * for busy until it has been silent for as long as headers may take.
 */
export function closeSilentConnections(app: FastifyInstance): void {
  const open = new Set<Socket>()
  let closes = false
  app.server.on('connection', (socket: Socket) => {
    if (closes) socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    closes = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    done()
  })
}

/**
 * Ends the connection of each answer once the end is announced, so that callers who keep theirs go elsewhere, and
 * none that is answered just when the app closes stays open and holds up the end: Node closes those that are idle
 * by then, Fastify those that bring a request later.
 */
export function closeAnsweredConnections(app: FastifyInstance, closing: Closing): void {
  app.addHook('preClose', (done) => {
    closing.announce()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing.isAnnounced()) reply.header('connection', 'close')
    done(null, payload)
  })
}
