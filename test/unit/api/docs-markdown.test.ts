import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readGuides, resolveGuideLink } from '../../../src/api/docs/guides.js'
import { renderMarkdown } from '../../../src/api/docs/markdown.js'

test.each([
  ...['<script>alert(1)</script>', 'a <img src=x onerror=alert(1)> b'],
  ...['<div>\n\n**bold**\n\n</div>', '| a |\n| - |\n| <b>x</b> |', '## <i>x</i>'],
  ...['- `</code><script>` (string): <b>'],
])('raw HTML in Markdown is shown as text: %j', (text) => {
  const { markup } = renderMarkdown(text, 'place')
  expect(markup).not.toMatch(/<(?:script|img|div>|b>|i>)/)
  expect(markup).toMatch(/&(?:#60|lt);/)
})

test('the page for integrators names the package of this release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const files = readFileSync('docs/integrators.md', 'utf8').match(/vitrine-client-[\w.]+tgz/g) ?? []
  expect(new Set(files)).toEqual(new Set([`vitrine-client-${version}.tgz`]))
})

const guides = readGuides({ version: '', summary: '', operations: [] })

test.each(guides)(
  'the guide $title has no gap in its headings, and nothing that only a checkout has',
  ({ text }) => {
    const levels = [...renderMarkdown(text).markup.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
    for (const [at, level] of levels.entries()) {
      expect(level).toBeGreaterThan(1)
      expect(level - (levels[at - 1] ?? 1)).toBeLessThanOrEqual(1)
    }
    expect(text).not.toMatch(/checkout|npm run|config\/|docker\/|src\//)
  },
)

test.each([
  ['#synchronize-a-copy', './sync.md'],
  ['#polling', './sync.md#polling'],
  ['https://example.com/', 'https://example.com/'],
  ['contract.md', './contract.md'],
  ['contract.md#errors', './contract.md#errors'],
  ['deploy.md', undefined],
  ['javascript:alert(1)', undefined],
  ['#nothing', undefined],
])('a link to %s becomes %s', (href, address) => {
  expect(resolveGuideLink(href, 'integrators.md')).toBe(address)
})
