import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { marked, Marked } from 'marked'
import type { Tokens } from 'marked'
import { expect, test } from 'vitest'
import { fillPage } from '../../../src/api/docs/fill-page.js'
import { readGuides, resolveGuideLink } from '../../../src/api/docs/guides.js'
import { renderMarkdown } from '../../../src/api/docs/markdown.js'
import { renderFiles } from '../../../src/api/docs/pages.js'
import { buildOpenApi } from '../../../src/api/openapi.js'
import { registrations } from '../../../src/collections/registrations.js'

test.each([
  ...['<script>alert(1)</script>', 'a <img src=x onerror=alert(1)> b'],
  ...['<div>\n\n**bold**\n\n</div>', '| a |\n| - |\n| <b>x</b> |', '## <i>x</i>'],
  ...['- `</code><script>` (string): <b>'],
])('raw HTML in Markdown is shown as text: %j', (text) => {
  const { markup } = renderMarkdown(text, 'place')
  expect(markup).not.toMatch(/<(?:script|img|div>|b>|i>)/)
  expect(markup).toMatch(/&(?:#60|lt);/)
})

const describeStatuses = (values?: readonly string[]) => {
  const status = { column: 'state', ...(values && { values: [...values] }) }
  const fields = { status, createdAt: 'created_at', updatedAt: 'updated_at' }
  return [registrations.describe({ table: 'r', workspace: 'w', archived: [], fields })]
}
/** What the build writes. */
const files = renderFiles(buildOpenApi(describeStatuses(['FILL_STATUS_registrations']), 'FILL_URL'))
const guidePaths = Object.keys(files).flatMap((name) => /^docs\/(.*)\.md$/.exec(name)?.[1] ?? [])

/** The pages of a mapping with these statuses. */
function createDocs(values?: readonly string[]) {
  const filling = { publicUrl: '', collections: describeStatuses(values) }
  const read = (path: string, end: string): string =>
    fillPage(files[`docs${path && `/${path}`}.${end}`] ?? '', end === 'html', filling)
  return { render: (path: string) => read(path, 'html'), write: (path: string) => read(path, 'md') }
}

const listTags = (page: string): readonly string[] => page.match(/<[^>]*>/g) ?? []

/** The codes of each list item about a status, behind its name. */
const listCodes = (text: string) =>
  [...marked.lexer(text)].flatMap((token) => {
    const items = token.type === 'list' ? (token as Tokens.List).items : []
    const all = items.map(({ tokens: [inline] }) => (inline as Tokens.Text).tokens ?? [])
    const codes = all.map((tokens) =>
      tokens.flatMap((one) => (one.type === 'codespan' ? [String(one['text'])] : [])),
    )
    return codes.flatMap(([name, ...rest]) => (name === 'status' && rest.length > 0 ? [rest] : []))
  })

test('a status stays in its place of both renderings, whatever marks it has', () => {
  const plain = listTags(createDocs(['A', 'B']).render(''))
  const word = fc.string({
    unit: fc.constantFrom(...Array.from('`<>"\'&|[]()\\*_~!#- a\n'), 'FILL_URL'),
    minLength: 1,
    maxLength: 12,
  })
  const words = fc.uniqueArray(
    word.filter((text) => !text.startsWith('\n')),
    { minLength: 2, maxLength: 2 },
  )
  fc.assert(
    fc.property(words, (statuses) => {
      const docs = createDocs(statuses)
      const shown = statuses.map((one) => one.replaceAll('\n', '\\u000a'))
      expect(listCodes(docs.write(''))).toEqual([shown, shown, shown])
      expect(listTags(docs.render(''))).toEqual(plain)
    }),
    { numRuns: 25 },
  )
})

test.each([[['A', 'B']], [undefined]])('with the statuses %j no page has a slot', (statuses) => {
  const docs = createDocs(statuses)
  for (const path of ['', ...guidePaths])
    for (const page of [docs.render(path), docs.write(path)]) expect(page).not.toContain('FILL_')
})

test('the page for integrators names the package of this release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const files = readFileSync('docs/integrators.md', 'utf8').match(/vitrine-client-[\w.]+tgz/g) ?? []
  expect(new Set(files)).toEqual(new Set([`vitrine-client-${version}.tgz`]))
})

const guides = readGuides({ version: '', summary: '', operations: [] })

test.each(guides)('the guide $title has no gap in its headings, and no file of a checkout', ({ text }) => {
  const levels = [...renderMarkdown(text).markup.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
  for (const [at, level] of levels.entries()) {
    expect(level).toBeGreaterThan(1)
    expect(level - (levels[at - 1] ?? 1)).toBeLessThanOrEqual(1)
  }
  expect(text).not.toMatch(/checkout|npm run|config\/|docker\/|src\//)
})

/** The headings, blocks of code and cells of a page, which are the parts that a copy of its Markdown must have too. */
function listParts(markup: string) {
  const main = markup
    .replace(/<nav[^]*?<\/nav>/g, '')
    .replace(/<details class="fold"><summary>([^<]*)<\/summary>/g, '<h4>$1</h4>')
  const toText = (inner: string): string =>
    inner
      .replace(/<[^>]*>/g, '')
      .replace(/&#x27;/g, "'")
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(/&(\w+);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&')
      .replace(/\s+/g, ' ')
      .trim()
  const all = (tag: string): readonly string[] =>
    [...main.matchAll(new RegExp(`<(${tag})(?: [^>]*)?>([^]*?)</\\1>`, 'g'))].map(([, , inner = '']) =>
      toText(inner),
    )
  return { headings: all('h[1-4]'), code: all('pre'), cells: all('t[hd]') }
}

test.each(['', ...guidePaths])('/docs/%s.md has the headings, code and tables of its page', (path) => {
  const docs = createDocs(['A', 'B'])
  const plain = new Marked().parse(docs.write(path), { async: false })
  const [copy, page] = [listParts(plain), listParts(docs.render(path))]
  expect(copy.headings.filter((one) => one !== 'Example')).toEqual(page.headings)
  expect(copy.cells).toEqual(page.cells)
  // Beside the text, /docs has samples in other languages.
  if (path !== '') expect(copy.code).toEqual(page.code)
  const others = copy.code.filter((one) => !one.startsWith('curl '))
  expect(page.code).toEqual(expect.arrayContaining(others))
  expect(copy.code.length).toBeGreaterThanOrEqual(docs.write(path).match(/^ *```\w/gm)?.length ?? 0)
})

test.each(['deploy.md', 'javascript:alert(1)', '#nothing'])('a link of a guide to %s is none', (href) => {
  expect(resolveGuideLink(href, 'integrators.md')).toBeUndefined()
})
