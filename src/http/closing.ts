import type { FastifyInstance } from 'fastify'
import type { Connections } from './connections.js'

/** The end of the process, which is announced before anything closes. */
export interface Closing {
  readonly announce: () => void
  readonly isAnnounced: () => boolean
}

/** An end that is not announced yet. */
export function createClosing(): Closing {
  let isAnnounced = false
  return {
    announce: () => {
      isAnnounced = true
    },
    isAnnounced: () => isAnnounced,
  }
}

/**
 * Closes each connection with its next answer once the end is announced. So callers connect elsewhere, and no
 * connection that is answered while the app closes stays open: Node closes those that are idle then, Fastify those with
 * a later request. Connections that have sent nothing, such as a proxy opens in advance, are closed with the app.
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
