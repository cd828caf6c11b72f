import type { FastifyInstance } from 'fastify'
import type { Connections } from './connections.js'

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
 * Ends the connection of each answer once the end is announced, so that callers who keep theirs go elsewhere, and
 * none that is answered just when the app closes stays open and holds up the end: Node closes those that are idle
 * by then, Fastify those that bring a request later. Connections that have sent nothing, such as a proxy opens in
 * advance, are closed with the app.
 */
export function closeConnections(app: FastifyInstance, closing: Closing, connections: Connections): void {
  app.addHook('preClose', (done) => {
    closing.announce()
    connections.closeSilent()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing.isAnnounced()) reply.header('connection', 'close')
    done(null, payload)
  })
}
