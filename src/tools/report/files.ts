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

/** Writes a report to files. Only their owner can read new ones: they show what the database holds, and who may read it. @throws ConfigError */
export async function writeReport(report: Report, suite: JunitSuite, files: ReportFiles): Promise<void> {
  const texts = [
    ['html', () => renderHtml(report)],
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
export function renderHtml({ title, sections, summary }: Report): string {
  const page = html`<!doctype html>
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
<p>${summary}</p>
</header>
<main>
${sections.map(renderSection)}
</main>
</body>
</html>
`
  return page.markup
}

const words = { ok: 'in order', warning: 'warnings', error: 'errors', skipped: 'skipped' } as const

function renderBadge({ status }: Section): Html {
  return html`<span class="badge ${status}">${words[status]}</span>`
}

function renderSection(section: Section): Html {
  const { id, title, intro = '', tables = [], notes = [], findings } = section
  return html`<section id="${id}">
<h2>${title} ${renderBadge(section)}</h2>
<p>${intro}</p>
${findings.map(renderFinding)}
${notes.map((note) => html`<p class="text">${note}</p>`)}
${tables.filter(({ rows }) => rows.length > 0).map(renderTable)}
</section>
`
}

function renderFinding({ severity, object, problem, fix, details = [] }: Finding): Html {
  return html`<div class="finding ${severity}">
<p><strong>${severity === 'error' ? 'Error' : 'Warning'}:</strong> <code>${object}</code>: ${problem}</p>
<p class="text"><code>${fix}</code></p>
${details.map((line) => html`<p>${line}</p>`)}
</div>
`
}

function renderTable({ id, columns, rows }: Table): Html {
  return html`<table id="table-${id}"><thead><tr>${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column) => html`<td>${renderCell(row[column.id])}</td>`)}</tr>
`,
)}
</tbody></table>
`
}

/** A cell; of several values a bar for each, as long as its share. */
function renderCell(cell: Cell | undefined): Html | string {
  if (typeof cell !== 'object' || cell === null) return toCellText(cell)
  const all = cell.reduce((sum, { count }) => sum + count, 0)
  const toBar = ({ label, count }: Bars[number]): Html =>
    html`<div class="bar" style="--share: ${Math.round((100 * count) / all)}%">${label} ${count}</div>`
  return html`${cell.map(toBar)}`
}

const css = html`
:root { color-scheme: light dark; --ok: light-dark(#1a7f45, #4cc38a); --warning: light-dark(#9a6700, #e3b341);
  --error: light-dark(#b42318, #ff7b72) }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h2 { margin-top: 2.5rem }
.badge { font-size: .75rem; padding: .1rem .5rem; border: 1px solid; border-radius: 1rem; white-space: nowrap }
.ok { color: var(--ok) } .badge.warning, .skipped { color: var(--warning) } .badge.error { color: var(--error) }
.text { white-space: pre-wrap } .finding { border-left: 4px solid var(--warning); padding-left: .9rem; margin: 1rem 0 }
.finding.error { border-color: var(--error) } .finding p { margin: .2rem 0 }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0; font-size: 13px; overflow-wrap: normal }
.bar { min-width: 9rem; padding: 0 .3rem; margin-bottom: 2px; background: linear-gradient(to right, #8884 var(--share), #0000 0) }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid #8885 }
@media print { tr, .finding { break-inside: avoid } }
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
