import { problems } from '../../errors.js'
import type { ProblemCode } from '../../errors.js'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { capitalize } from '../../values/printable.js'
import { basePath } from '../paths.js'
import { renderLlmsText } from './discovery.js'
import type { ToAddress } from './discovery.js'
import { readGuides, resolveGuideLink, toAnchor } from './guides.js'
import type { Guide, Heading } from './guides.js'
import { createLinks, renderPage, toPackageFile } from './layout.js'
import type { Frame, NavigationGroup } from './layout.js'
import { renderGuideMarkdown, renderOverviewMarkdown } from './markdown-pages.js'
import { renderInline, renderMarkdown } from './markdown.js'
import { renderErrorExample } from './operation.js'
import type { Place } from './operation.js'
import { listCollections, renderOverview } from './overview-page.js'
import { readDocument } from './read-document.js'
import type { ErrorExample, Reference } from './read-document.js'
import { createSearchIndex } from './search-index.js'

/** In samples where the URL of the service is not known. */
const unknownService = 'https://vitrine.example.com'

/** The pages of the documentation. */
export interface Pages {
  /**
   * @param url the path of a page, such as `/docs` or `/docs/errors`.
   * @param address the origin of the service where no public URL is configured; empty if it is not known.
   */
  readonly render: (url: string, address: string) => string
  /** The same page as Markdown. */
  readonly renderMarkdown: (url: string) => string
  /** What the search of the pages finds, as JSON. */
  readonly renderSearchIndex: () => string
  /** `/llms.txt`. */
  readonly renderLlmsText: (toAddress: ToAddress) => string
}

/**
 * Reads what the pages show.
 *
 * @param document the OpenAPI document.
 * @param publicUrl origin and path prefix, or empty if they are not configured.
 * @param fileVersions of the files that the pages load, for their URLs.
 */
export function createPages(document: object, publicUrl: string, fileVersions: Frame['fileVersions']): Pages {
  const reference = readDocument(document)
  const guides = readGuides()
  const frame = { navigation: listNavigation(reference, guides), version: reference.version, fileVersions }
  const findGuide = (url: string) => guides.find(({ path }) => url === `/docs/${path}`)
  const toPlace = (url: string, service: string): Place => ({
    links: createLinks(url === '/docs' ? 'top' : 'folder'),
    service,
    basePath,
    packageFile: toPackageFile(reference.version),
  })
  return {
    render: (url, address) => {
      const guide = findGuide(url)
      // The browser knows better than a request, because a proxy can add a prefix.
      const assumed = address === '' ? unknownService : address
      const place = toPlace(url, publicUrl === '' ? assumed : publicUrl)
      const { links } = place
      if (guide === undefined) {
        const content = renderOverview(reference, guides, place)
        const page = { path: '', title: 'Vitrine API', content }
        return renderPage(publicUrl === '' ? { ...page, assumed } : page, frame, links)
      }
      const title = `${guide.title} · Vitrine API`
      const content = renderGuide(guide, guides, reference)
      return renderPage({ path: guide.path, title, content }, frame, links)
    },
    renderMarkdown: (url) => {
      const guide = findGuide(url)
      // No script replaces anything here; guides name the service by the same variable.
      const place = toPlace(url, publicUrl === '' ? '$VITRINE_URL' : publicUrl)
      if (guide === undefined) return renderOverviewMarkdown(reference, guides, place)
      return renderGuideMarkdown(guide, guides, reference)
    },
    renderLlmsText: (toAddress) => renderLlmsText(reference, guides, toAddress),
    renderSearchIndex: () => JSON.stringify(createSearchIndex(reference, guides)),
  }
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

function renderGuide(guide: Guide, guides: readonly Guide[], reference: Reference): Html {
  const { file, path, title, text, headings } = guide
  const codes = Object.keys(problems).map((code) => ({ text: code, isPart: true }))
  const extra = path === 'errors' ? [{ text: 'Problem types', isPart: false }, ...codes] : []
  return html`<div class="guide">
<article class="prose">
<h1>${title}</h1>
<p class="actions"><a href="./${path}.md">Markdown</a> <button type="button" class="copy-page" hidden>Copy page</button></p>
${renderMarkdown(text, (href) => resolveGuideLink(href, file, guides))}
${path === 'errors' ? renderProblemTypes(reference) : ''}
</article>
${renderContents([...headings, ...extra])}
</div>`
}

/** The sections of a guide, beside it. */
function renderContents(headings: readonly Heading[]): Html | string {
  if (headings.length < 2) return ''
  const items = headings.map(
    ({
      text,
      isPart,
    }) => html`<li${isPart ? html` class="part"` : ''}><a href="#${toAnchor(text)}">${renderInline(text)}</a></li>
`,
  )
  return html`<nav class="contents" aria-labelledby="contents">
<p id="contents">On this page</p>
<ul>
${items}</ul>
</nav>`
}

/** Every problem type, from the table of codes, with an example of an operation; the anchor of an entry is its code. */
export function renderProblemTypes({ operations }: Reference): Html {
  const examples = operations.flatMap(({ errors }) => errors)
  const codes = Object.keys(problems) as ProblemCode[]
  return html`<h2 id="problem-types"><a class="anchor" href="#problem-types">Problem types</a></h2>
<nav class="index" aria-label="Problem types by status">
<dl>
${renderIndex(codes)}</dl>
</nav>
${codes.map((code) => renderEntry(code, examples))}`
}

function renderIndex(codes: readonly ProblemCode[]): readonly Html[] {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort((a, b) => a - b)
  return statuses.map((status) => {
    const links = codes
      .filter((code) => problems[code].status === status)
      .map((code) => html`<a href="#${code}">${code}</a> `)
    return html`<dt>${status}</dt><dd>${links}</dd>
`
  })
}

function renderEntry(code: ProblemCode, examples: readonly ErrorExample[]): Html {
  const found = examples.find((one) => one.code === code)
  const { status, title, meaning, remedy } = problems[code]
  return html`<section class="problem" id="${code}" aria-labelledby="${code}-title">
<h3 id="${code}-title"><span class="status">${status}</span> ${title}</h3>
<p><a class="code" href="#${code}"><code>${code}</code></a></p>
<p>${renderInline(meaning)}</p>
<p><strong>What to do:</strong> ${renderInline(remedy)}</p>
${found === undefined ? '' : renderErrorExample(found.example)}
</section>
`
}
