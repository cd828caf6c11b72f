import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { html } from '../html.js'
import type { Html } from '../html.js'
import { renderProblemTypes } from './docs/error-page.js'
import { readGuides, resolveGuideLink } from './docs/guides.js'
import type { Guide } from './docs/guides.js'
import { createLinks, favicon, renderPage } from './docs/layout.js'
import type { Frame, NavigationGroup } from './docs/layout.js'
import { renderMarkdown } from './docs/markdown.js'
import { capitalize, listCollections, renderOverview } from './docs/overview-page.js'
import { readDocument } from './docs/read-document.js'
import type { Reference } from './docs/read-document.js'
import { createOnce, createStaticBody } from './docs/static-body.js'
import type { StaticBody } from './docs/static-body.js'
import { basePath } from './paths.js'

/** Everything comes from this server, so the pages work offline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** In samples, until the script of the page replaces it by the URL that the browser has. */
const unknownService = 'https://vitrine.example.com'

/**
 * Registers `/docs`, which describes every operation and can send requests with a key, and the pages below it:
 * the sections of `docs/integrators.md`. `/docs/errors` lists every problem type too.
 *
 * @param publicUrl origin and path prefix, or empty if they are not configured.
 */
export function registerDocs(app: FastifyInstance, document: object, publicUrl: string): void {
  const readReference = createOnce(() => readDocument(document))
  const guides = readGuides()
  const style = createStaticBody(() => readFile('docs.css'), 'text/css; charset=utf-8')
  const script = createStaticBody(() => readFile('docs.js'), 'text/javascript; charset=utf-8')
  const readFrame = createOnce((): Frame => ({
    navigation: listNavigation(readReference(), guides),
    version: readReference().version,
    fileVersions: { style: style.readVersion(), script: script.readVersion() },
  }))
  const service = publicUrl === '' ? unknownService : publicUrl
  for (const [url, links] of [
    ['/docs', createLinks('top')],
    ['/docs/', createLinks('folder')],
  ] as const)
    registerPage(app, url, () => {
      const content = renderOverview(readReference(), guides, { links, service, basePath })
      return renderPage({ path: '', title: 'Vitrine API', content }, readFrame(), links)
    })
  for (const guide of guides)
    registerPage(app, `/docs/${guide.path}`, () => {
      const page = {
        path: guide.path,
        title: `${guide.title} · Vitrine API`,
        content: renderGuide(guide, guides),
      }
      return renderPage(page, readFrame(), createLinks('folder'))
    })
  registerFile(app, 'docs.css', style)
  registerFile(app, 'docs.js', script)
  registerFile(
    app,
    'favicon.svg',
    createStaticBody(() => favicon, 'image/svg+xml'),
  )
}

function readFile(name: string): string {
  return readFileSync(new URL(`./docs/assets/${name}`, import.meta.url), 'utf8')
}

function listNavigation(reference: Reference, guides: readonly Guide[]): readonly NavigationGroup[] {
  return [
    {
      title: 'Start',
      items: [
        { label: 'Overview', path: '' },
        { label: 'Authentication', path: '', anchor: 'authentication' },
      ],
    },
    ...listCollections(reference).map((name) => ({
      title: capitalize(name),
      items: reference.operations
        .filter(({ tag }) => tag === name)
        .map(({ id, title }) => ({ label: title, path: '', anchor: id })),
    })),
    { title: 'Guides', items: guides.map(({ label, path }) => ({ label, path })) },
  ]
}

function renderGuide({ path, title, text }: Guide, guides: readonly Guide[]): Html {
  return html`<article class="prose">
<h1>${title}</h1>
${renderMarkdown(text, (href) => resolveGuideLink(href, guides))}
${path === 'errors' ? renderProblemTypes() : ''}
</article>`
}

/** @param render is called at the first request, because most processes of a deployment never show a page. */
function registerPage(app: FastifyInstance, url: string, render: () => string): void {
  const body = createStaticBody(render, 'text/html; charset=utf-8')
  app.get(url, (request, reply) => {
    void reply.header('content-security-policy', policy)
    return body.send(request, reply, 'no-cache')
  })
}

/** A URL with the version of a file can be cached forever; during an update, another process can have another version. */
function registerFile(app: FastifyInstance, name: string, body: StaticBody): void {
  app.get(`/docs/assets/${name}`, (request, reply) => {
    const lasts = request.raw.url?.endsWith(`?v=${body.readVersion()}`) === true
    return body.send(request, reply, lasts ? 'public, max-age=31536000, immutable' : 'no-cache')
  })
}
