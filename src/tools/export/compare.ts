import { createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { countTexts } from '../facts/values.js'
import type { Cell } from '../report/report.js'
import { compareField, compareWords } from './fields.js'
import type { Shown } from './fields.js'
import { linkLines, listPlaces } from './link.js'
import type { Compared, ComparedRow, Context, Link } from './link.js'
import type { ExportTable } from './table.js'
import { readColumns } from './values.js'

/** What an export says of a mapping. */
export interface Comparison {
  /** Lines that belong to a record. */
  readonly linked: number
  readonly findings: Finding[]
  /** What a person confirms. */
  readonly notes: string[]
  /** The column that shows each field. */
  readonly fields: readonly Readonly<Record<'field' | 'column' | 'lines' | 'as', Cell>>[]
}

const fix = 'open some of these in the product, and correct this place if the product is right'

/** Compares the lines of an export with the records that they show. */
export function compareExport(of: Compared, table: ExportTable): Comparison {
  const columns = readColumns(table)
  const places = listPlaces(of)
  const { links: all, absent } = linkLines(columns, places)
  const links = all.filter(([, row]) => of.rows[row]?.hidden === '')
  const [findings, notes]: [Finding[], string[]] = [[], []]
  const warn = (place: string, problem: string): void =>
    void findings.push(createWarning(place, problem, fix))
  const note = (place: string, text: string): void => void notes.push(`${place}: ${text}`)
  const context: Context = { of, places, columns, links, warn, note }
  compareLines(context, all, absent)
  if (links.length <= 2) return { linked: links.length, findings, notes, fields: [] }
  compareRows(context)
  const fields = Object.keys(of.contents.record).map((field) => {
    const isWord = field === 'status' || field === 'eventId'
    const shown = isWord ? compareWords(field, context) : compareField(field, context)
    return { field, column: null, lines: null, as: null, ...toCells(shown) }
  })
  return { linked: links.length, findings, notes, fields }
}

function toCells(shown: Shown | undefined) {
  if (shown === undefined) return {}
  const { column, asked, agreeing, as = null } = shown
  return { column: column.title, lines: `${agreeing} of ${asked}`, as }
}

/** That most lines belong to no row is a warning only where the export has what a record is known by. */
function compareFew({ of, columns, warn, note }: Context, linked: string): void {
  const isKnown = columns.some(({ kind, roles }) => kind === 'mail' || (roles.get('number') ?? 0) >= 8)
  const few = `only ${linked} lines of the export belong to one row of ${of.table}`
  if (isKnown) warn(of.name, `${few}: another table, tenant or export`)
  else note(of.name, few)
}

/** Lines that no record shows, with what they have in common. */
function compareLines(context: Context, all: readonly Link[], absent: readonly number[]): void {
  const { of, columns, links, warn, note } = context
  const count = columns[0]?.texts.length ?? 0
  if (all.length < count / 5) {
    compareFew(context, `${all.length} of ${count}`)
    return
  }
  const missing = listMissing(of, all, absent)
  const read = (line: number, title: string): string =>
    columns.find((one) => one.title === title)?.texts[line] ?? ''
  const titles = columns.map(({ title }) => title)
  const shown = links.map(([line]) => line)
  for (const { code } of countTexts(missing.map(({ why }) => why))) {
    const lines = missing.filter(({ why }) => why === code).map(({ line }) => line)
    const mark = findMark(titles, read, lines, shown)
    const what = `${lines.length} of ${count} lines of the export are not records: ${code}${mark?.what ?? ''}`
    if (mark?.rows === lines.length || lines.length < 2) note(of.name, what)
    else warn(of.name, what)
  }
}

/** The lines that no record shows, each with the reason. */
function listMissing(of: Compared, all: readonly Link[], absent: readonly number[]) {
  const hidden = all.map(([line, row]) => ({ line, why: of.rows[row]?.hidden ?? '' }))
  // Of a table that is read in part, another row can have the text.
  const others = of.isWhole
    ? absent.map((line) => ({ line, why: `they belong to no row of ${of.table}` }))
    : []
  return [...hidden, ...others].filter(({ why }) => why !== '')
}

/** Records of the same workspaces and events that the export lacks, with a mark that they have. */
function compareRows({ of, links, warn, note }: Context): void {
  const { name, rows, contents } = of
  const own = new Set(links.flatMap(([, row]) => rows[row] ?? []))
  const toScope = ({ workspace, record }: ComparedRow): string =>
    JSON.stringify([workspace, record?.['eventId']])
  const scopes = new Set([...own].map(toScope))
  const missing = rows.filter((row) => row.hidden === '' && scopes.has(toScope(row)) && !own.has(row))
  const read = ({ cells }: ComparedRow, cell: string): string => {
    const text = (cells[cell] ?? '').replace(/^(?:0*|0000-.*)$/, '')
    return contents.cells[cell] === 'time' && text !== '' ? 'set' : text
  }
  const mark = findMark(Object.keys(contents.cells), read, missing, [...own])
  const statuses = new Set([...own].map(({ record }) => record?.['status']))
  const isState = missing.every(({ record }) => !statuses.has(record?.['status']))
  const lacking = `shows ${missing.length} records of the same events that the export lacks: right if it is a part of them${mark?.what ?? ''}`
  if (missing.length > 0) (mark?.isUnset === true && !isState ? warn : note)(name, lacking)
  const workspaces = [...new Set([...own].map(({ workspace = '' }) => workspace))]
  const list = `${workspaces.length} workspaces (${workspaces.slice(0, 4).join(', ')})`
  if (workspaces.length > 1)
    note(`${name}.workspace`, `the lines are of ${list}: right if the export is not that of one customer`)
}

/** What most of some have and no other one has, where that is not an accident: a status, or a mark of deleted rows. */
function findMark<One>(
  names: readonly string[],
  read: (one: One, name: string) => string,
  some: readonly One[],
  others: readonly One[],
) {
  const marks = names.flatMap((name) => {
    const known = new Set(others.map((one) => read(one, name)))
    const own = some.map((one) => read(one, name)).filter((value) => !known.has(value))
    const isUnset = known.size === 1 && known.has('')
    return countTexts(own).map(({ code, rows }) => ({ name, code, rows, isUnset }))
  })
  const [mark] = marks.sort((one, other) => other.rows - one.rows)
  if (mark === undefined || others.length === 0) return undefined
  const { name, code, rows, isUnset } = mark
  const size = some.length + others.length
  const chances = Array.from({ length: rows }, (_, at) => (some.length - at) / (size - at))
  const what = `; ${rows} of them have ${name} ${code || 'empty'}, and no other has`
  return chances.reduce((all, one) => all * one, 1) < 0.0001 ? { what, rows, isUnset } : undefined
}
