import { html } from '../../html.js'
import type { Html } from '../../html.js'
import { toCellText } from './report.js'
import type { Cell, Finding, Report, Section, Table } from './report.js'

/** The report as one page that loads nothing else, for a screen or for paper. */
export function renderHtml({ title, sections, summary }: Report): string {
  const isFailed = sections.some(({ status }) => status === 'error')
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
<p class="verdict ${isFailed ? 'error' : 'ok'}">${summary}</p>
<nav><ul>${sections.map(renderEntry)}</ul></nav>
</header>
<main>
${sections.map(renderSection)}
</main>
</body>
</html>
`
  return page.markup
}

function renderEntry(section: Section): Html {
  return html`<li><a href="#${section.id}">${section.title}</a> ${renderBadge(section)}</li>`
}

const words = { ok: 'in order', warning: 'warnings', error: 'errors', skipped: 'skipped' } as const

function renderBadge({ status }: Section): Html {
  return html`<span class="badge ${status}">${words[status]}</span>`
}

function renderSection(section: Section): Html {
  const { id, title, intro = '', tables = [], notes = [], findings } = section
  return html`<section id="${id}">
<h2>${title} ${renderBadge(section)}</h2>
${intro === '' ? '' : html`<p>${intro}</p>`}
${findings.map(renderFinding)}
${tables.filter(({ rows }) => rows.length > 0).map(renderTable)}
${notes.map((note) => (note.includes('\n') ? html`<pre>${note}</pre>` : html`<p class="note">${note}</p>`))}
</section>
`
}

function renderFinding({ severity, object, problem, fix, details = [] }: Finding): Html {
  return html`<div class="finding ${severity}">
<p><strong>${severity === 'error' ? 'Error' : 'Warning'}:</strong> <code>${object}</code>: ${problem}</p>
<pre>${fix}</pre>
${details.map((line) => html`<p>${line}</p>`)}
</div>
`
}

function renderTable({ id, columns, rows }: Table): Html {
  return html`<div class="wide"><table id="table-${id}"><thead><tr>${columns.map(({ head }) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr>${columns.map((column) => html`<td>${renderCell(row[column.id])}</td>`)}</tr>
`,
)}
</tbody></table></div>
`
}

/** A bar for each of several values, as long as its share. */
function renderCell(cell: Cell | undefined): Html {
  if (typeof cell !== 'object' || cell === null) return html`${toCellText(cell)}`
  const all = cell.reduce((sum, { count }) => sum + count, 0)
  return html`${cell.map(
    ({ label, count }) =>
      html`<div class="bar" style="--share: ${Math.round((100 * count) / all)}%"><span>${label}</span> <b>${count}</b></div>`,
  )}`
}

const css = html`
:root { color-scheme: light dark; --ink: light-dark(#1c2330, #e6e9ef); --soft: light-dark(#5b6575, #9aa4b4);
  --line: light-dark(#d9dee6, #333c4a); --page: light-dark(#fff, #14181f); --shade: light-dark(#f5f7fa, #1c222c);
  --ok: light-dark(#1a7f45, #4cc38a); --warning: light-dark(#9a6700, #e3b341); --error: light-dark(#b42318, #ff7b72) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, sans-serif }
h1 { margin: 0; font-size: 1.6rem } h2 { margin: 2.5rem 0 .25rem; font-size: 1.2rem }
header p { margin: .25rem 0; color: var(--soft) } .verdict { color: var(--ink) !important; padding: .6rem .9rem;
  margin: 1rem 0 !important; border-left: 4px solid; background: var(--shade) }
.verdict.ok { border-color: var(--ok) } .verdict.error { border-color: var(--error) }
nav ul { columns: 2; list-style: none; padding: 0 } a { color: inherit }
.badge { font-size: .75rem; font-weight: 600; padding: .1rem .5rem; border: 1px solid; border-radius: 1rem; white-space: nowrap }
.badge.ok { color: var(--ok) } .badge.warning, .badge.skipped { color: var(--warning) } .badge.error { color: var(--error) }
section > p { color: var(--soft); margin: .25rem 0 .75rem; max-width: 60rem }
.finding { border-left: 4px solid; padding: .4rem .9rem; margin: .75rem 0; background: var(--shade) }
.finding.error { border-color: var(--error) } .finding.warning { border-color: var(--warning) }
.finding p { margin: .2rem 0 } code, pre { font: 13px/1.5 ui-monospace, monospace }
pre { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: 13px }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word }
th { color: var(--soft); font-weight: 600; white-space: nowrap } td { min-width: 4rem }
.bar { display: flex; justify-content: space-between; gap: .5rem; min-width: 9rem; padding: 0 .3rem; margin-bottom: 2px; white-space: nowrap;
  background: linear-gradient(to right, var(--line) var(--share), transparent 0) } .bar b { font-weight: 400; color: var(--soft) }
@media print { .bar { print-color-adjust: exact } :root { color-scheme: light } body { padding: 0; max-width: none; font-size: 11px } table { font-size: 10px }
  h2 { break-after: avoid } tr, .finding { break-inside: avoid } thead { display: table-header-group } nav { display: none } }
@media (max-width: 40rem) { nav ul { columns: 1 } }
`
