import { listErrors } from '../audit/finding.js'
import type { Finding } from '../audit/finding.js'
import { count } from './render-text.js'
import { toCellText, toStatus } from './report.js'
import type { CheckReport, CheckSection, CheckTable } from './report.js'

/** The report as one page that needs nothing beside it, on a screen and on paper. */
export function renderHtml(report: CheckReport): string {
  const findings = report.sections.flatMap((section) => section.findings)
  const errors = listErrors(findings).length
  const verdict = report.ok
    ? 'Nothing stands against putting it in front of this database.'
    : 'Not yet: see the errors.'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Vitrine: check of ${escape(report.checkedAt)}</title>
<style>${css}</style>
</head>
<body>
<header>
<h1>Vitrine: check of the database</h1>
<p>${escape(report.checkedAt)}, Vitrine ${escape(report.version)}</p>
<p class="verdict ${report.ok ? 'ok' : 'error'}"><strong>${verdict}</strong> ${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}.</p>
<nav><ul>${report.sections.map(toEntry).join('')}</ul></nav>
</header>
<main>
${report.sections.map(toSectionHtml).join('\n')}
</main>
</body>
</html>
`
}

const words = { ok: 'in order', warning: 'warnings', error: 'errors' } as const

function toEntry(section: CheckSection): string {
  const status = toStatus(section)
  return `<li><a href="#${section.id}">${escape(section.title)}</a> <span class="badge ${status}">${words[status]}</span></li>`
}

function toSectionHtml(section: CheckSection): string {
  const status = toStatus(section)
  return `<section id="${section.id}">
<h2>${escape(section.title)} <span class="badge ${status}">${words[status]}</span></h2>
<p>${escape(section.intro)}</p>
${section.findings.map(toFindingHtml).join('\n')}
${section.tables
  .filter(({ rows }) => rows.length > 0)
  .map(toTableHtml)
  .join('\n')}
${section.notes.map((note) => `<p class="note">${escape(note)}</p>`).join('\n')}
</section>`
}

function toFindingHtml({ severity, object, privilege, problem, fix }: Finding): string {
  return `<div class="finding ${severity}">
<p><strong>${severity === 'error' ? 'Error' : 'Warning'}:</strong> <code>${escape(object)}</code>${privilege === null ? '' : `, <code>${escape(privilege)}</code>`}: ${escape(problem)}</p>
<pre>${escape(fix)}</pre>
</div>`
}

function toTableHtml({ id, columns, rows }: CheckTable): string {
  const head = columns.map((column) => `<th scope="col">${escape(column.head)}</th>`).join('')
  const body = rows
    .map(
      (row) =>
        `<tr>${columns.map((column) => `<td>${escape(toCellText(row[column.id]))}</td>`).join('')}</tr>`,
    )
    .join('\n')
  return `<div class="wide"><table id="table-${id}"><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>`
}

/** Names come from the database and the mapping, so nothing of them may be taken for markup. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const css = `
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
.badge.ok { color: var(--ok) } .badge.warning { color: var(--warning) } .badge.error { color: var(--error) }
section > p { color: var(--soft); margin: .25rem 0 .75rem; max-width: 60rem }
.finding { border-left: 4px solid; padding: .4rem .9rem; margin: .75rem 0; background: var(--shade) }
.finding.error { border-color: var(--error) } .finding.warning { border-color: var(--warning) }
.finding p { margin: .2rem 0 } code, pre { font: 13px/1.5 ui-monospace, monospace }
pre { margin: .3rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: 13px }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word }
th { color: var(--soft); font-weight: 600; white-space: nowrap } td { min-width: 4rem }
@media print { :root { color-scheme: light } body { padding: 0; max-width: none; font-size: 11px } table { font-size: 10px }
  h2 { break-after: avoid } tr, .finding { break-inside: avoid } thead { display: table-header-group } nav { display: none } }
@media (max-width: 40rem) { nav ul { columns: 1 } }
`
