import { styleText } from 'node:util'
import { listErrors } from '../audit/finding.js'
import type { Finding } from '../audit/finding.js'
import { wrapText } from '../values/printable.js'
import { toCellText, toCountText, toStatus } from './report.js'
import type { CheckReport, CheckSection, CheckTable } from './report.js'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

/** The report as lines for a terminal or a file. @param colour whether the output is a terminal. */
export function renderText(report: CheckReport, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text)
  const findings = report.sections.flatMap((section) => section.findings)
  return [
    paint('bold', `Vitrine ${report.version}: check of ${report.checkedAt}`),
    '',
    ...report.sections.flatMap((section) => [...renderSection(section, paint), '']),
    renderSummary(findings, paint),
    '',
  ].join('\n')
}

const marks = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  error: { sign: '✗', style: 'red' },
} as const

function renderSection(section: CheckSection, paint: Paint): readonly string[] {
  const { sign, style } = marks[toStatus(section)]
  return [
    paint(['bold', style], `${sign} ${section.title}`),
    ...wrap(section.intro).map((line) => paint('dim', `  ${line}`)),
    ...section.tables
      .filter(({ rows }) => rows.length > 0)
      .flatMap((table) => ['', ...renderTable(table, paint)]),
    ...section.notes.flatMap((note) => ['', ...wrap(note).map((line) => `  ${line}`)]),
    ...section.findings.flatMap((finding) => ['', ...renderFinding(finding, paint)]),
  ]
}

function renderTable({ columns, rows }: CheckTable, paint: Paint): readonly string[] {
  const cells = rows.map((row) => columns.map(({ id }) => toCellText(row[id])))
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)),
  )
  const toLine = (row: readonly string[]): string =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [paint('underline', toLine(columns.map(({ head }) => head))), ...cells.map(toLine)]
}

function renderFinding(
  { severity, object, privilege, problem, fix }: Finding,
  paint: Paint,
): readonly string[] {
  const { sign, style } = marks[severity]
  return [
    `  ${paint(style, `${sign} ${object}`)}${privilege === null ? '' : `: ${privilege}`}`,
    ...wrap(problem).map((line) => `    ${line}`),
    `    ${paint('cyan', fix)}`,
  ]
}

function renderSummary(findings: readonly Finding[], paint: Paint): string {
  const errors = listErrors(findings).length
  const warnings = findings.length - errors
  const style = errors > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green'
  return paint(['bold', style], `${toCountText(errors, 'error')}, ${toCountText(warnings, 'warning')}`)
}

/** Wide tables are not wrapped. */
const wrap = (text: string): readonly string[] => wrapText(text, 100)
