import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { prefersMarkdown } from '../../../src/api/docs/accept.js'
import { readGuides, resolveGuideLink } from '../../../src/api/docs/guides.js'
import { renderCode, renderInline, renderMarkdown } from '../../../src/api/docs/markdown.js'

test.each([
  '<script>alert(1)</script>',
  'a <img src=x onerror=alert(1)> b',
  '<div>\n\n**bold**\n\n</div>',
  '| a |\n| - |\n| <b>x</b> |',
  '## <i>x</i>',
])('raw HTML in Markdown is shown as text: %j', (text) => {
  const { markup } = renderMarkdown(text)
  expect(markup).not.toMatch(/<(?:script|img|div>|b>|i>)/)
  expect(markup).toContain('&#60;')
})

test('a value in a description cannot end its code', () => {
  expect(renderInline('`</code><script>`').markup).toBe('<code>&lt;/code&gt;&lt;script&gt;</code>')
})

test.each(['json', 'typescript', 'python', 'bash', 'go', 'php', 'http', 'none'])(
  'code of %s is escaped',
  (language) => {
    const { markup } = renderCode('x = "</code><script>"', language)
    expect(markup).not.toContain('<script>')
    expect(markup.startsWith('<div class="code"><pre tabindex="0"><code>')).toBe(true)
  },
)

test('the sections of the page for integrators are guides, under these paths', () => {
  const guides = readGuides().map(({ path, title }) => [path, title])
  expect(guides).toEqual(
    expect.arrayContaining([
      ['sync', 'Synchronize a copy'],
      ['errors', 'Errors'],
      ['limits', 'Limits'],
      ['money', 'Money'],
      ['times', 'Times'],
      ['client', 'TypeScript client'],
      ['contract', 'Contract'],
    ]),
  )
  const paths = guides.map(([path]) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const path of paths) expect(path).toMatch(/^[a-z][a-z0-9-]*$/)
})

test('the page for integrators names the package of this release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const files = readFileSync('docs/integrators.md', 'utf8').match(/vitrine-client-[\w.]+tgz/g) ?? []
  expect(new Set(files)).toEqual(new Set([`vitrine-client-${version}.tgz`]))
})

const guides = readGuides()

describe.each(guides)('the guide $title', ({ file, text }) => {
  test('has no gap in the levels of its headings', () => {
    const { markup } = renderMarkdown(text)
    const levels = [1, ...[...markup.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))]
    for (const [at, level] of levels.slice(1).entries()) {
      expect(level).toBeGreaterThan(1)
      expect(level - levels[at]!).toBeLessThanOrEqual(1)
    }
  })

  test('every link leads to a page and a heading of the documentation, or to another site', () => {
    renderMarkdown(text, (href) => {
      expect([href, resolveGuideLink(href, file, guides)]).not.toContain(undefined)
      return href
    })
  })

  test('speaks of nothing that only a checkout has', () => {
    expect(text).not.toMatch(/checkout|npm run|config\/|docker\/|src\//)
  })
})

test.each([
  ['#synchronize-a-copy', './sync'],
  ['#polling', './sync#polling'],
  ['https://example.com/', 'https://example.com/'],
  ['contract.md', './contract'],
  ['contract.md#errors', './contract#errors'],
  ['operations.md', undefined],
  ['javascript:alert(1)', undefined],
  ['#nothing', undefined],
])('a link to %s becomes %s', (href, address) => {
  expect(resolveGuideLink(href, 'integrators.md', guides)).toBe(address)
})

test.each([
  ['text/markdown', true],
  ['text/markdown, text/html, */*', true],
  ['Text/Markdown;charset=utf-8;q=0.9, text/html;q=0.8', true],
  ['text/markdown;q=0.5, text/html', false],
  ['text/markdown;q=0', false],
  ['text/markdown;q=x', false],
  ['text/html, */*', false],
  ['*/*', false],
  ['', false],
  [undefined, false],
])('a caller who accepts %s prefers Markdown: %s', (accept, preferred) => {
  expect(prefersMarkdown(accept)).toBe(preferred)
})
