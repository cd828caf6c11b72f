import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { httpLimits, limitConnections } from './connections.js'
import type { Closing } from './connections.js'
import type { Metrics } from './metrics.js'

interface OpsInput {
  readonly metrics: Pick<Metrics, 'render' | 'contentType'>
  readonly closing: Closing
  /** The reasons against traffic, as the last checks found; empty if there is none. */
  readonly listReasons: () => readonly { readonly text: string }[]
}

/** `/livez`, `/readyz` and `/metrics`, on a port of their own that callers do not reach. */
export function buildOpsApp({ metrics, closing, listReasons }: OpsInput): FastifyInstance {
  const app = Fastify({ logger: false })
  limitConnections(app, closing, httpLimits)
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', (_request, reply) => {
    const reasons = closing.isAnnounced()
      ? ['the service is about to end']
      : listReasons().map(({ text }) => text)
    return reply
      .code(reasons.length === 0 ? 200 : 503)
      .send({ status: reasons.length === 0 ? 'ok' : 'unready', reasons })
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()))
  return app
}
