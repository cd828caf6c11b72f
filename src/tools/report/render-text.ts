import { styleText } from 'node:util'
import { wrapText } from '../../values/printable.js'
import { toCellText } from './report.js'
import type { Report, Section, Status, Table } from './report.js'

const marks = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  error: { sign: '✗', style: 'red' },
  skipped: { sign: '–', style: 'yellow' },
} as const satisfies Record<Status, { sign: string; style: Parameters<typeof styleText>[0] }>

/** The report as lines: each section with its id and what it holds. Node adds colors where stdout is a terminal. */
export function renderText({ title, sections, summary }: Report): string {
  const width = Math.max(...sections.map(({ id }) => id.length))
  const worst = (['error', 'warning'] as const).find((one) => sections.some(({ status }) => status === one))
  return [
    styleText('bold', title),
    '',
    ...sections.flatMap((section) => renderSection(section, width)),
    '',
    styleText(marks[worst ?? 'ok'].style, summary),
    '',
  ].join('\n')
}

function renderSection(section: Section, width: number): readonly string[] {
  const { id, title, status, intro = '', tables = [], notes = [], findings } = section
  const { sign, style } = marks[status]
  const prefix = status === 'skipped' ? 'skipped: ' : ''
  const texts = [...(intro === '' ? [] : [intro]), ...notes.map((note) => `${prefix}${note}`)]
  return [
    `${styleText(style, `${sign} ${id.padEnd(width)}`)}  ${title}`,
    ...texts.flatMap(wrap).map((line) => styleText('dim', `    ${line}`)),
    ...tables.filter(({ rows }) => rows.length > 0).flatMap((table) => [...renderTable(table), '']),
    ...findings.flatMap(({ severity, object, problem, fix, details = [] }) => [
      `    ${styleText(marks[severity].style, marks[severity].sign)} ${styleText('cyan', object)}`,
      ...[problem, fix].map((line) => `      ${line}`),
      ...details.map((line) => styleText('dim', `      ${line}`)),
    ]),
  ]
}

function renderTable({ columns, rows }: Table): readonly string[] {
  const cells = rows.map((row) => columns.map(({ id }) => toCellText(row[id])))
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)),
  )
  const toLine = (row: readonly string[]): string =>
    `    ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [styleText('underline', toLine(columns.map(({ head }) => head))), ...cells.map(toLine)]
}

/** Texts that have lines of their own are not wrapped. */
function wrap(text: string): readonly string[] {
  return text.includes('\n') ? text.split('\n') : wrapText(text, 100)
}
