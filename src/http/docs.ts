import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorPagePolicy, renderErrorPage } from './error-page.js'

/** Everything comes from this server, so the page works offline. Swagger UI's own styles contain data images. */
const documentationPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Registers `/docs`, where requests can be tried with a key, and `/docs/errors`, which lists every problem type. */
export async function registerDocs(app: FastifyInstance, document: object, publicUrl: string): Promise<void> {
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(async (files) => {
    files.addHook('onRequest', removePreconditions)
    await registerFiles(files, publicUrl)
  })
  const page = renderErrorPage()
  app.get('/docs/errors', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': errorPagePolicy, 'cache-control': 'no-cache' })
      .send(page),
  )
}

/**
 * A request for a part of a file gets all of it, as RFC 9110 allows. The plugin would answer invalid ranges and failed
 * preconditions with statuses that have no problem code.
 */
function removePreconditions(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  for (const name of ['range', 'if-range', 'if-match', 'if-unmodified-since'])
    Reflect.deleteProperty(request.raw.headers, name)
  done()
}

async function registerFiles(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    // The path prefix that a proxy removes from requests.
    indexPrefix: publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, ''),
    staticCSP: documentationPolicy,
    theme: {
      title: 'Vitrine API',
      css: [{ filename: 'docs.css', content: style }],
      favicon: [
        { filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: favicon },
      ],
    },
    uiConfig: {
      // Without the field for the address of another document.
      layout: 'BaseLayout',
      // No validator of another site receives the document.
      validatorUrl: null,
      persistAuthorization: false,
      displayRequestDuration: true,
      docExpansion: 'list',
      defaultModelExpandDepth: 2,
    },
  })
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e6e"/><path d="M8.5 9.5 16 23l7.5-13.5" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Added to Swagger UI's own styles: readable text, and the field for the key stays visible. */
const style = `
html { scroll-padding: 90px 0 }
.swagger-ui .wrapper { max-width: 1120px }
.swagger-ui .information-container { padding-top: 12px }
.swagger-ui .info { margin: 28px 0 24px }
.swagger-ui .info .main .link span.url { font-size: 13px }
.swagger-ui .info__summary { font-size: 18px; margin-top: 12px }
.swagger-ui .info__summary p { font-size: 18px }
.swagger-ui .info__license { display: none }
.swagger-ui .info .title small.version-stamp { background-color: #0b6e6e }
.swagger-ui .info .description { max-width: 46rem }
.swagger-ui .info .description h2 { font-size: 20px; margin: 28px 0 8px }
.swagger-ui .info .description :is(p, li) { font-size: 15px; line-height: 1.65; margin: 8px 0 }
.swagger-ui .info a { color: #0b6e6e; text-decoration: underline }
.swagger-ui .renderedMarkdown code { background: #e8eff0; color: #184c52; font-size: .875em; font-weight: 500; padding: 2px 5px }
.swagger-ui .scheme-container { position: sticky; top: 0; bottom: 0; z-index: 5; padding: 14px 0; box-shadow: 0 1px 6px rgb(0 0 0 / 15%) }
.swagger-ui .scheme-container .schemes { align-items: center }
.swagger-ui .scheme-container .schemes > .schemes-server-container > label { margin-top: 0 }
.swagger-ui .auth-wrapper { align-items: center; gap: 14px }
.swagger-ui .schemes .auth-wrapper::before { content: "Your API key, to try requests here:"; color: #3b4151; font: 14px sans-serif }
.swagger-ui .btn.authorize { background: #0b6e6e; border-color: #0b6e6e; color: #fff }
.swagger-ui .btn.authorize svg { fill: #fff }
.swagger-ui .dialog-ux .modal-ux-content input[type=text] { width: 100%; max-width: none; font-family: monospace }
.swagger-ui .auth-container .wrapper { padding: 0 }
.swagger-ui .auth-btn-wrapper { gap: 10px }
.swagger-ui .opblock-description-wrapper p, .swagger-ui .response-col_description p { line-height: 1.6 }
.swagger-ui .opblock-description-wrapper { max-width: 50rem }
.swagger-ui .parameters-col_name { width: 170px }
.swagger-ui .response-col_links, .swagger-ui td.response-col_links { display: none }
.swagger-ui .headers-wrapper .header-col { font-family: sans-serif; font-weight: 400 }
@media (max-width: 700px) {
  .swagger-ui .schemes .auth-wrapper::before { content: none }
}
`
