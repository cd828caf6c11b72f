import { createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { matches, weighNoun } from '../facts/names.js'
import { countTexts } from '../facts/values.js'
import { toNoun, toSnake } from '../facts/words.js'
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
  const { links: linked, absent } = linkLines(columns, places)
  const links = linked.filter(([, row]) => of.rows[row]?.hidden === '')
  const [findings, notes]: [Finding[], string[]] = [[], []]
  const warn = (place: string, problem: string): void =>
    void findings.push(createWarning(place, problem, fix))
  const note = (place: string, text: string): void => void notes.push(`${place}: ${text}`)
  const context: Context = { of, places, columns, links, numbers: table.numbers, warn, note }
  compareLines(context, linked, absent)
  if (links.length <= 2) return { linked: links.length, findings, notes, fields: [] }
  compareRows(context)
  const all = Object.keys(of.contents.record).map((field) => {
    const isWord = field === 'status' || field === 'eventId'
    return { field, ...(isWord ? compareWords(field, context) : compareField(field, context)) }
  })
  compareClocks(all, context)
  const fields = all.map(({ field, column, asked, agreeing, as = null }) => {
    const lines = column === undefined ? null : `${agreeing} of ${asked}`
    return { field, column: column?.title ?? null, lines, as }
  })
  return { linked: links.length, findings, notes, fields }
}

/** Times of one export are of one zone, whose offset from UTC changes by an hour in summer. */
function compareClocks(
  fields: readonly (Partial<Shown> & { field: string })[],
  { warn, note }: Context,
): void {
  const offsets = fields.flatMap(({ clocks = [] }) => clocks)
  const list = fields.flatMap(({ field, clocks, as = '' }) =>
    clocks === undefined ? [] : `${field} at ${as}`,
  )
  const what = `is not that of every column: the export shows ${list.join(', ')}`
  if (Math.max(...offsets) - Math.min(...offsets) > 60) warn('timezone', what)
  const same = 'the export shows the times as UTC too: if the product shows local times, this is wrong'
  if (offsets.length > 0 && offsets.every((one) => one === 0)) note('timezone', same)
}

/** Lines that no record shows, with what they have in common. */
function compareLines(
  { of, columns, numbers, warn, note }: Context,
  all: readonly Link[],
  absent: readonly number[],
): void {
  const count = columns[0]?.texts.length ?? 0
  if (all.length < count / 5) {
    const few = `only ${all.length} of ${count} lines of the export belong to one row of ${of.table}`
    warn(of.name, `${few}: another table, tenant or export`)
    return
  }
  const missing = listMissing(of, all, absent)
  for (const { code, rows } of countTexts(missing.map(({ why }) => why))) {
    const own = new Set(missing.flatMap(({ line, why }) => (why === code ? [line] : [])))
    const sort = (texts: readonly string[]): readonly string[] => [
      ...texts.filter((_, line) => own.has(line)),
      ...texts.filter((_, line) => !own.has(line)),
    ]
    const mark = findMark(
      columns.map(({ title, texts }) => [title, sort(texts)]),
      rows,
    )
    const some = [...own].slice(0, 3).map((line) => numbers[line] ?? 0)
    const what = `${rows} of ${count} lines of the export are not records: ${code} (line ${some.join(', ')})${mark?.what ?? ''}`
    if (mark?.rows === rows || isMinor(of, code, rows / count, rows)) note(of.name, what)
    else warn(of.name, what)
  }
}

/** Whether it is one line, or few whose rows cannot be shown, which is a finding of another section. */
function isMinor({ name }: Compared, why: string, share: number, rows: number): boolean {
  if (rows < 2) return true
  return share < 0.1 && !why.startsWith(`${name}.`) && !why.startsWith('they belong')
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
  const both = [...missing, ...own]
  const mark = findMark(
    Object.keys(contents.cells).map((cell) => [cell, both.map((row) => read(row, cell))]),
    missing.length,
  )
  const statuses = new Set([...own].map(({ record }) => record?.['status']))
  const isState = missing.every(({ record }) => !statuses.has(record?.['status']))
  const lacking = `shows ${missing.length} records of the same events that the export lacks: right if it is a part of them${mark?.what ?? ''}`
  if (missing.length > 0) (mark !== undefined && !isState ? warn : note)(name, lacking)
  const workspaces = [...new Set([...own].map(({ workspace = '' }) => workspace))]
  const list = `${workspaces.length} workspaces, such as ${workspaces.slice(0, 4).join(', ')}`
  if (workspaces.length > 1)
    note(`${name}.workspace`, `the lines are of ${list}: right if the export is not that of one customer`)
}

/** A column with more different texts has no codes. */
const codesMax = 20

/** What nearly all of the first items have and no other one: a status, or a mark of deleted rows. Columns of persons are left out. */
function findMark(columns: readonly (readonly [name: string, texts: readonly string[]])[], size: number) {
  const marks = columns.flatMap(([name, texts]) => {
    const known = new Set(texts.slice(size))
    const [most] = countTexts(texts.slice(0, size))
    const isOfCodes = new Set(texts).size <= Math.min(codesMax, texts.length / 2) && !isOfPeople(name)
    const isMark = most !== undefined && most.rows >= size * 0.8 && known.size > 0 && !known.has(most.code)
    if (!isOfCodes || !isMark) return []
    const { code, rows } = most
    const what = `; ${rows} of them have ${name} ${code || 'empty or 0'}, and no other has`
    return [{ what, rows }]
  })
  return marks.toSorted((one, other) => other.rows - one.rows)[0]
}

function isOfPeople(name: string): boolean {
  const noun = toNoun(name)
  return matches('personal', toSnake(name)) || weighNoun('person', noun) + weighNoun('buyer', noun) > 0
}
