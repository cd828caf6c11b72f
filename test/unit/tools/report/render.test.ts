import { expect, test, vi } from 'vitest'
import { renderHtml } from '../../../../src/tools/report/files.js'
import { renderText } from '../../../../src/tools/report/render-text.js'
import { createError, createWarning } from '../../../../src/finding.js'
import { createSection, toTable } from '../../../../src/tools/report/report.js'
import type { Report } from '../../../../src/tools/report/report.js'

const markup = `<b title="x" class='y'>&amp;`

/** A report with markup in every text that can come from the database or the mapping. */
const report: Report = {
  title: 'Vitrine 1.2.3',
  sections: [
    createSection({
      id: 'privileges',
      title: 'Privileges',
      intro: 'What the user may do.',
      tables: [
        toTable('grants', { holder: 'Held by', columns: 'Columns', whole: 'Whole' }, [
          { holder: markup, columns: null, whole: true },
        ]),
        toTable('empty', { head: 'Head of an empty table' }, []),
      ],
      notes: [markup],
      findings: [createError(markup, markup, markup), createWarning(markup, markup, markup)],
    }),
    createSection({ id: 'clock', title: 'Clocks', intro: 'Both agree.', findings: [] }),
    { ...createSection({ id: 'ties', title: 'Ties', findings: [], notes: ['too few'] }), status: 'skipped' },
  ],
  summary: '1 error, 1 warning',
}

test('the page loads nothing else, and escapes names', () => {
  const page = renderHtml(report, { intro: markup, mappingText: `a: 1\n${markup}` })
  expect(page).not.toMatch(/<(script|link|img|iframe|b(?! class="badge))\b|https?:|url\(/)
  const escaped = '&#60;b title=&#34;x&#34; class=&#39;y&#39;&#62;&#38;amp;'
  expect(page.split(escaped)).toHaveLength(1 + 2 * 3 + 2 + 2)
})

test('the page and the text show every section with its status, and no empty table', () => {
  const page = renderHtml(report)
  const text = renderText(report)
  expect(page.match(/<h2>[^]*?<\/h2>/g)).toEqual([
    '<h2>Errors</h2>',
    '<h2>Warnings</h2>',
    '<h2>Privileges <span class="badge error">errors</span></h2>',
    '<h2>Clocks <span class="badge ok">in order</span></h2>',
    '<h2>Ties <span class="badge skipped">skipped</span></h2>',
  ])
  const lines = ['✗ privileges  Privileges', '✓ clock       Clocks', '– ties        Ties']
  expect(text.match(/^[✗✓!–] .*/gm)).toEqual(lines)
  expect(text).toContain('\n    skipped: too few\n')
  for (const printed of [page, text]) {
    expect(printed).toContain('1 error, 1 warning')
    expect(printed).not.toContain('Head of an empty table')
    expect(printed).toMatch(/–.*yes/)
  }
})

test('the text has colors where Node gives stdout some, and none in a pipe', () => {
  expect(renderText(report)).not.toContain('\u001b[')
  vi.stubEnv('FORCE_COLOR', '1')
  expect(renderText(report)).toContain('\u001b[')
  vi.unstubAllEnvs()
})
