import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { readGuides, toAnchor } from './guides.js'
import type { Guide } from './guides.js'
import { fillMarkup, fillText, readTemplate, renderMarkdown } from './markdown.js'
import { listCollections, renderOverview, writeOverview, listGroups } from './overview.js'
import { readDocument } from './read-document.js'
import type { Reference, Operation } from './read-document.js'
import { toPackageFile } from '../paths.js'
import { toVersion } from '../static-body.js'

/**
 * The files of the documentation by their paths, with slots for what only a service knows: each page, and what it is made of.
 * All links are relative, because only the caller has the part of the URL before `/docs`.
 *
 * @param document the OpenAPI document.
 */
export function renderFiles(document: object): Readonly<Record<string, string>> {
  const reference = readDocument(document)
  const guides = readGuides(reference)
  const { version, summary } = reference
  const fileVersions = { style: readFileVersion('docs.css'), script: readFileVersion('docs.js') }
  const frame = (path: string, title: string, content: Html): string => {
    const navigation = renderNavigation(reference, guides, path)
    const root = path === '' ? './' : '../'
    const own = path === '' ? '' : `/${path}`
    const values = { ...fileVersions, version, title, content, navigation, root, path: own }
    return fillMarkup('page.html', values).markup
  }
  const pages = guides.flatMap((guide) => [
    [`docs/${guide.path}.html`, frame(guide.path, `${guide.title} · Vitrine API`, renderGuide(guide))],
    [`docs/${guide.path}.md`, `# ${guide.title}\n${guide.text}`],
  ])
  const links = guides.map(({ path, title }) => `- [${title}](FILL_ROOT/docs/${path}.md)`)
  const values = { summary, packageFile: toPackageFile(version), guides: links.join('\n') }
  return {
    'docs.html': frame('', 'Vitrine API', renderOverview(reference, guides)),
    'docs.md': writeOverview(reference, guides),
    ...(Object.fromEntries(pages) as Readonly<Record<string, string>>),
    // What the search finds: every operation, parameter, field, and section of a guide. A problem type is a section of one.
    'docs/search.json': JSON.stringify([
      ...reference.operations.flatMap(listOperationEntries),
      ...guides.flatMap(listGuideEntries),
    ]),
    'llms.txt': fillText(readTemplate('llms.md'), values),
  }
}

/** Of a file that the pages load, for its URL. */
function readFileVersion(name: string): string {
  return toVersion(readFileSync(new URL(`./assets/${name}`, import.meta.url)))
}

function renderNavigation(reference: Reference, guides: readonly Guide[], current: string): readonly Html[] {
  const operations = listCollections(reference).map(({ title, operations }) => {
    return { title, links: operations.map((one) => [`#${one.id}`, one.title]) }
  })
  const start = Object.entries({ '': 'Overview', '#authentication': 'Authentication' })
  const links = guides.map(({ path, title }) => [`/${path}`, title])
  return [{ title: 'Start', links: start }, ...operations, { title: 'Guides', links }].map((group) => {
    const items = group.links.map(([target = '', label = '']) => {
      const mark = target === (current && `/${current}`) ? html` aria-current="page"` : ''
      const root = current === '' ? './docs' : '../docs'
      const address = current === '' && target.startsWith('#') ? target : `${root}${target}`
      return html`<li><a href="${address}"${mark}>${label}</a></li>
`
    })
    return html`<p class="group">${group.title}</p><ul>${items}</ul>`
  })
}

/** A guide with its sections beside it. */
function renderGuide({ title, text }: Guide): Html {
  const found = text.replace(/^```[^]*?^```$/gm, '').matchAll(/^(###?) (.+)$/gm)
  const items = [...found].map(([, marks, heading = '']) => {
    const part = marks === '###' ? html` class="part"` : ''
    return html`<li${part}><a href="#${toAnchor(heading)}">${heading.replaceAll('`', '')}</a></li>
`
  })
  const contents = html`<nav class="contents" aria-labelledby="contents">
<p id="contents">On this page</p><ul>${items}</ul>
</nav>`
  return html`<div class="guide">
<article class="prose">${renderMarkdown(`# ${title}\n${text}`)}</article>
${items.length < 2 ? '' : contents}
</div>`
}

const otherWords = parse(readTemplate('search-words.yaml')) as Readonly<Record<string, string>>

function listOperationEntries(operation: Operation) {
  const { id, title, path, description } = operation
  // The fields of a record are those of the operation of one record, and headers are not looked for.
  const groups = listGroups(operation).filter((group) => /^(?:Parameters|Response)$/.test(group.title))
  const fields = groups.flatMap((group) =>
    group.fields.map(({ name, description }) => ({
      title: name,
      place: `${title} · ${group.title}`,
      url: `docs#${group.place}.${name}`,
      text: toText(description),
    })),
  )
  return [{ title, place: `GET ${path}`, url: `docs#${id}`, text: toText(description) }, ...fields]
}

function listGuideEntries({ path, title, text }: Guide) {
  const [start = '', ...sections] = text.replace(/^```[^]*?^```$/gm, '').split(/^##+ /m)
  const toEntry = (title: string, place: string, address: string, text: string) => {
    return { title, place, url: `docs/${address}`, text: toText(text), words: otherWords[address] }
  }
  const parts = sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    return toEntry(toText(heading), title, `${path}#${toAnchor(heading)}`, lines.join('\n'))
  })
  return [toEntry(title, 'Guide', path, start), ...parts]
}

/** Without the marks of Markdown, which would disturb a reader of the text. */
function toText(markdown: string): string {
  return markdown
    .replace(/[`*|[]|\]\([^)]*\)|\]|-{3,}|^ *(?:-|\d+\.) /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}
