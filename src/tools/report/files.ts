import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError, describeUnusable } from '../../errors.js'
import type { Finding } from '../../finding.js'
import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { toCellText } from './report.js'
import type { Bars, Cell, Report, Section, Table } from './report.js'
import { toPrintableTexts } from '../../values/printable.js'

/** What stands at the top of a JUnit report, beside the counts. */
export interface JunitSuite {
  /** Of the suite, such as `vitrine verify`; the cases have the class `vitrine.verify`. */
  readonly name: string
  /** Of what was examined. */
  readonly hostname: string
  /** In UTC. */
  readonly startedAt: string
  readonly durationMs: number
}

/** The files that a report is written to; undefined where one is not wanted. */
interface ReportFiles {
  readonly html?: string | undefined
  readonly junit?: string | undefined
}

/** What the page has beside the report. */
interface PageInput {
  /** The first paragraph: what becomes public, and of whom. */
  readonly intro: string
  /** The mapping file, which findings name by its paths. */
  readonly mappingText: string
}

/** Writes a report to files. Only their owner can read new ones: they show what the database holds, and who may read it. @throws ConfigError */
export async function writeReport(
  report: Report,
  suite: JunitSuite,
  files: ReportFiles,
  page?: PageInput,
): Promise<void> {
  const texts = [
    ['html', () => renderHtml(report, page)],
    ['junit', () => renderJunit(report, suite)],
  ] as const
  for (const [option, render] of texts) {
    const file = files[option]
    if (file === undefined) continue
    await mkdir(dirname(file), { recursive: true })
      .then(() => writeFile(file, render(), { mode: 0o600 }))
      .catch((error: unknown) => {
        const found = describeUnusable(file, error)
        throw new ConfigError([{ path: `--${option}`, found, allowed: 'a file that can be written' }])
      })
  }
}

/** The report as one page that loads nothing else, for a screen or for paper. */
export function renderHtml({ title, sections, summary }: Report, page?: PageInput): string {
  const { intro = '', mappingText = '' } = page ?? {}
  const lines = mappingText.trimEnd().split('\n')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${css}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${intro}</p>
<p><strong>${summary}.</strong> An <b class="badge error">error</b> must be corrected before callers come. A
<b class="badge warning">warning</b> is for a person to decide. <b class="badge skipped">skipped</b> was not checked.</p>
</header>
<main>
${(['error', 'warning'] as const).map((severity) => renderFindings(severity, sections))}
${sections.map(renderSection)}
${
  mappingText === ''
    ? ''
    : html`<section id="mapping"><h2>The mapping file</h2>
<ol class="source">${lines.map((line) => html`<li><code>${line}</code></li>`)}</ol></section>`
}
</main>
</body>
</html>
`.markup
}

const words = { ok: 'in order', warning: 'warnings', error: 'errors', skipped: 'skipped' } as const

function renderFindings(severity: Finding['severity'], sections: readonly Section[]): Html {
  const found = sections.flatMap(({ findings }) => findings.filter((one) => one.severity === severity))
  if (found.length === 0) return html``
  return html`<section><h2>${severity === 'error' ? 'Errors' : 'Warnings'}</h2>${found.map(renderFinding)}</section>
`
}

function renderSection({ id, title, status, intro = '', tables = [], notes = [] }: Section): Html {
  return html`<section id="${id}">
<h2>${title} <span class="badge ${status}">${words[status]}</span></h2>
<p>${intro}</p>
${notes.map((note) => html`<p class="text">${note}</p>`)}
${tables.filter(({ rows }) => rows.length > 0).map(renderTable)}
</section>
`
}

function renderFinding({ severity, object, problem, fix, details = [] }: Finding): Html {
  return html`<div class="finding ${severity}">
<p><strong>${severity === 'error' ? 'Error' : 'Warning'}:</strong> <code>${object}</code>: ${problem}</p>
<p class="text">${fix.endsWith(';') ? html`<code>${fix}</code>` : fix}</p>
${details.map((line) => html`<p>${line}</p>`)}
</div>
`
}

function renderTable({ id, columns, rows }: Table): Html {
  return html`<div class="table" tabindex="0"><table id="table-${id}"><thead><tr>${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column) => html`<td>${renderCell(row[column.id])}</td>`)}</tr>
`,
)}
</tbody></table></div>
`
}

/** A cell; of several values a bar for each, as long as its share. */
function renderCell(cell: Cell | undefined): Html | string {
  // A time or an amount of a range stays on one line.
  if (typeof cell === 'string' && cell.includes(' … '))
    return html`${cell.split(' ').map((part) => html`<span>${part}</span> `)}`
  if (typeof cell !== 'object' || cell === null) return toCellText(cell)
  const all = cell.reduce((sum, { count }) => sum + count, 0)
  const toBar = ({ label, count }: Bars[number]): Html =>
    html`<div class="bar" style="--share: ${Math.round((100 * count) / all)}%">${label} ${count}</div>`
  return html`${cell.map(toBar)}`
}

const css = html`
:root { color-scheme: light dark; --ok: light-dark(#1a7f45, #4cc38a); --warning: light-dark(#8a5a00, #e3b341);
  --error: light-dark(#b42318, #ff7b72) }
body { margin: 0 auto; padding: 1rem; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
p, .finding, .source { max-width: 60rem }
h1 { font-size: 1.5rem } h2 { margin-top: 2.5rem } td { max-width: 24rem; overflow-wrap: break-word }
.badge { font-size: .75rem; padding: .1rem .5rem; border: 1px solid; border-radius: 1rem; white-space: nowrap }
.ok { color: var(--ok) } .badge.warning { color: var(--warning) } .badge.error { color: var(--error); border-width: 2px }
.skipped { border-style: dashed } .text { white-space: pre-wrap }
.finding { border-left: 4px dashed var(--warning); padding-left: .9rem; margin: 1rem 0 }
.finding.error { border-left: 6px solid var(--error) } .finding p { margin: .2rem 0 }
.source { font: 13px/1.5 ui-monospace, monospace; padding-left: 3.5rem } .source code { white-space: pre-wrap }
table { border-collapse: collapse; margin: 1rem 0; font-size: 13px; overflow-wrap: normal }
.table { overflow-x: auto; background: linear-gradient(Canvas, Canvas) right / 1rem 100% no-repeat local,
  linear-gradient(to left, #8886, #0000) right / 1rem 100% no-repeat scroll }
.bar { min-width: 9rem; padding: 0 .3rem; margin-bottom: 2px; background: linear-gradient(to right, #8884 var(--share), #0000 0) }
td span { white-space: nowrap } th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid #8885 }
@page { size: A4; margin: 15mm }
@media print { :root { color-scheme: light; --ok: #000; --warning: #000; --error: #000 } body { padding: 0; font-size: 10pt }
  h2 { margin-top: 1.5rem; break-after: avoid } tr, .finding { break-inside: avoid } .table { overflow: visible }
  table { font-size: 8pt } th, td { padding-right: .3rem } td:not(:first-child) { overflow-wrap: anywhere } .bar { min-width: 5rem; border: 1px solid #999 } }
`

/**
 * The report as JUnit XML, as GitLab, GitHub actions, Jenkins and Azure read it: a test case for each section, whose name
 * is the stable id of the section.
 */
export function renderJunit(report: Report, suite: JunitSuite): string {
  // XML has no control characters.
  const { sections } = toPrintableTexts(report)
  const { name, hostname, startedAt, durationMs } = suite
  const count = (status: Section['status']): number => sections.filter((one) => one.status === status).length
  const counts = html`tests="${sections.length}" failures="${count('error')}" errors="0" skipped="${count('skipped')}" time="${toSeconds(durationMs)}"`
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" ${counts}>
  <testsuite name="${name}" hostname="${hostname}" timestamp="${startedAt.slice(0, 19)}" ${counts}>
${sections.map((section) => renderCase(section, name.replaceAll(' ', '.')))}  </testsuite>
</testsuites>
`.markup
}

function renderCase(section: Section, className: string): Html {
  const { id, title, status, notes = [], findings, durationMs = 0 } = section
  const texts = findings.map(({ object, problem, fix, details = [] }) =>
    [object, ...[problem, fix, ...details].map((line) => `  ${line}`), ''].join('\n'),
  )
  const inside =
    status === 'skipped'
      ? html`<skipped message="${notes.join('; ')}"/>`
      : html`<failure message="${title}" type="broken">${texts.join('\n')}</failure>`
  return html`    <testcase classname="${className}" name="${id}" time="${toSeconds(durationMs)}">${status === 'skipped' || status === 'error' ? inside : ''}</testcase>
`
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}
