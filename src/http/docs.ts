import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { renderErrorPage } from './error-page.js'

/** Everything comes from this server, so the pages work offline; Swagger UI sets styles from its script. */
const contentSecurityPolicy =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** `/docs`, where a key can be tried out, and `/docs/errors`, every problem type. */
export async function registerDocs(app: FastifyInstance, document: object, publicUrl: string): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    staticCSP: contentSecurityPolicy,
    theme: { title: 'Vitrine API' },
    // Nothing of the page may leave for a validator elsewhere.
    uiConfig: {
      validatorUrl: null,
      persistAuthorization: false,
      displayRequestDuration: true,
      docExpansion: 'list',
    } as never,
  })
  const page = renderErrorPage(publicUrl)
  app.get('/docs/errors', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-cache' })
      .send(page),
  )
}
