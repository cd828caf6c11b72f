import { styleText } from 'node:util'
import { wrapText } from '../../values/printable.js'
import { toCellText } from './report.js'
import type { Finding, Report, Section, Status, Table } from './report.js'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

/** How the text of a report looks. */
export interface TextOptions {
  /** Whether the output is a terminal. */
  readonly colour: boolean
  /** Whether each section is one line with its id; its notes say what was not verified, and why. */
  readonly isList?: boolean
}

const marks = {
  ok: { sign: '✓', style: 'green' },
  warning: { sign: '!', style: 'yellow' },
  error: { sign: '✗', style: 'red' },
  skipped: { sign: '–', style: 'yellow' },
} as const satisfies Record<Status, { sign: string; style: Style }>

/** The report as lines for a terminal or a file. */
export function renderText({ title, sections, summary }: Report, options: TextOptions): string {
  const paint: Paint = (style, text) =>
    options.colour ? styleText(style, text, { validateStream: false }) : text
  const width = options.isList ? Math.max(...sections.map(({ id }) => id.length)) : 0
  const isFailed = sections.some(({ status }) => status === 'error')
  const isWarned = sections.some(({ status }) => status === 'warning')
  return [
    paint('bold', title),
    '',
    ...sections.flatMap((section) =>
      width > 0 ? renderLine(section, width, paint) : [...renderSection(section, paint), ''],
    ),
    ...(width > 0 ? [''] : []),
    paint(['bold', isFailed ? 'red' : isWarned ? 'yellow' : 'green'], summary),
    '',
  ].join('\n')
}

function renderLine(section: Section, width: number, paint: Paint): readonly string[] {
  const { id, title, status, tables, notes = [], findings } = section
  const { sign, style } = marks[status]
  // A note says what was not verified, unless it is about the tables that the list leaves out.
  const prefix = status === 'skipped' ? 'skipped: ' : tables === undefined ? 'not verified: ' : ''
  return [
    `${paint(style, sign)} ${paint(status === 'error' ? ['bold', style] : style, id.padEnd(width))}  ${title}`,
    ...notes.map((note) => paint('dim', `    ${prefix}${note}`)),
    ...findings.flatMap(({ severity, object, problem, fix, details = [] }) => [
      `    ${severity === 'warning' ? paint('yellow', '! ') : ''}${paint('cyan', object)}`,
      ...[problem, fix].map((line) => `      ${line}`),
      ...details.map((line) => paint('dim', `      ${line}`)),
    ]),
  ]
}

function renderSection(section: Section, paint: Paint): readonly string[] {
  const { title, status, intro = '', tables = [], notes = [], findings } = section
  const { sign, style } = marks[status]
  return [
    paint(['bold', style], `${sign} ${title}`),
    ...(intro === '' ? [] : wrap(intro).map((line) => paint('dim', `  ${line}`))),
    ...tables.filter(({ rows }) => rows.length > 0).flatMap((table) => ['', ...renderTable(table, paint)]),
    ...notes.flatMap((note) => ['', ...wrap(note).map((line) => `  ${line}`)]),
    ...findings.flatMap((finding) => ['', ...renderFinding(finding, paint)]),
  ]
}

function renderTable({ columns, rows }: Table, paint: Paint): readonly string[] {
  const cells = rows.map((row) => columns.map(({ id }) => toCellText(row[id])))
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)),
  )
  const toLine = (row: readonly string[]): string =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [paint('underline', toLine(columns.map(({ head }) => head))), ...cells.map(toLine)]
}

function renderFinding(finding: Finding, paint: Paint): readonly string[] {
  const { severity, object, problem, fix, details = [] } = finding
  const { sign, style } = marks[severity]
  return [
    `  ${paint(style, `${sign} ${object}`)}`,
    ...[problem, ...details].flatMap((text) => wrap(text).map((line) => `    ${line}`)),
    `    ${paint('cyan', fix)}`,
  ]
}

/** Wide tables, and texts that have lines of their own, are not wrapped. */
function wrap(text: string): readonly string[] {
  return text.includes('\n') ? text.split('\n') : wrapText(text, 100)
}
