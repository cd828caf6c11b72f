import { styleText } from 'node:util'
import { wrapText } from '../../values/printable.js'
import { toCellText } from './report.js'
import type { Report, Section, Status, Table } from './report.js'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

const marks = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  error: { sign: '✗', style: 'red' },
  skipped: { sign: '–', style: 'yellow' },
} as const satisfies Record<Status, { sign: string; style: Style }>

/** The report as lines for a terminal or a file: each section with its id and what it holds. @param colour for a terminal */
export function renderText({ title, sections, summary }: Report, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text)
  const width = Math.max(...sections.map(({ id }) => id.length))
  const has = (wanted: Status): boolean => sections.some(({ status }) => status === wanted)
  const worst = has('error') ? 'error' : has('warning') ? 'warning' : 'ok'
  return [
    paint('bold', title),
    '',
    ...sections.flatMap((section) => renderSection(section, width, paint)),
    '',
    paint(['bold', marks[worst].style], summary),
    '',
  ].join('\n')
}

function renderSection(section: Section, width: number, paint: Paint): readonly string[] {
  const { id, title, status, intro = '', tables = [], notes = [], findings } = section
  const { sign, style } = marks[status]
  const prefix = status === 'skipped' ? 'skipped: ' : ''
  const texts = [...(intro === '' ? [] : [intro]), ...notes.map((note) => `${prefix}${note}`)]
  return [
    `${paint(status === 'error' ? ['bold', style] : style, `${sign} ${id.padEnd(width)}`)}  ${title}`,
    ...texts.flatMap(wrap).map((line) => paint('dim', `    ${line}`)),
    ...tables.filter(({ rows }) => rows.length > 0).flatMap((table) => [...renderTable(table, paint), '']),
    ...findings.flatMap(({ severity, object, problem, fix, details = [] }) => [
      `    ${severity === 'warning' ? paint('yellow', '! ') : ''}${paint('cyan', object)}`,
      ...[problem, fix].map((line) => `      ${line}`),
      ...details.map((line) => paint('dim', `      ${line}`)),
    ]),
  ]
}

function renderTable({ columns, rows }: Table, paint: Paint): readonly string[] {
  const cells = rows.map((row) => columns.map(({ id }) => toCellText(row[id])))
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)),
  )
  const toLine = (row: readonly string[]): string =>
    `    ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [paint('underline', toLine(columns.map(({ head }) => head))), ...cells.map(toLine)]
}

/** Texts that have lines of their own are not wrapped. */
function wrap(text: string): readonly string[] {
  return text.includes('\n') ? text.split('\n') : wrapText(text, 100)
}
