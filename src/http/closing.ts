import type { FastifyInstance } from 'fastify'

/**
 * Ends the connection of each answer that is still under way when the app closes. Node closes those that are idle
 * by then, and Fastify those that bring a request later; one in between would stay open for as long as its caller
 * keeps it, and hold up the end of the process.
 */
export function closeAnsweredConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
