import { expect, test } from 'vitest'
import { renderHtml } from '../../../src/check/render-html.js'
import { renderText } from '../../../src/check/render-text.js'
import { toTable } from '../../../src/check/report.js'
import type { CheckReport } from '../../../src/check/report.js'

const markup = `<b title="x" class='y'>&amp;`
const finding = { object: markup, privilege: markup, problem: markup, fix: markup }

/** A report with markup in every text that can come from the database or the mapping. */
const report: CheckReport = {
  version: '1.2.3',
  checkedAt: '2026-01-01T12:00:00.000Z',
  ok: false,
  sections: [
    {
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
      findings: [
        { ...finding, severity: 'error' },
        { ...finding, severity: 'warning', privilege: null },
      ],
    },
    { id: 'clock', title: 'Clocks', intro: 'Both agree.', tables: [], notes: [], findings: [] },
  ],
}

test('the page loads nothing else, and escapes names', () => {
  const page = renderHtml(report)
  expect(page).not.toMatch(/<(script|link|img|iframe|b)\b|https?:|url\(/)
  const escaped = '&#60;b title=&#34;x&#34; class=&#39;y&#39;&#62;&#38;amp;'
  expect(page.split(escaped)).toHaveLength(1 + 2 * 3 + 1 + 2)
})

test('the page and the text show every section with its status, and no empty table', () => {
  const page = renderHtml(report)
  const text = renderText(report, false)
  expect(page.match(/<h2>.*/g)).toEqual([
    '<h2>Privileges <span class="badge error">errors</span></h2>',
    '<h2>Clocks <span class="badge ok">in order</span></h2>',
  ])
  expect(text.match(/^[✗✓!] .*/gm)).toEqual(['✗ Privileges', '✓ Clocks'])
  expect(page).toContain('1 error, 1 warning.')
  expect(text).toContain('1 error, 1 warning\n')
  for (const printed of [page, text]) {
    expect(printed).not.toContain('Head of an empty table')
    expect(printed).toMatch(/–.*yes/)
  }
})

test('the text has colours on a terminal only', () => {
  expect(renderText(report, true)).toContain('\u001b[')
  expect(renderText(report, false)).not.toContain('\u001b[')
})
