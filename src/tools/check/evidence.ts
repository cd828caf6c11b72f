import type { BoundCollection } from '../../collections/collection.js'
import { join, quote, sql, toStatement } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import type { Instant } from '../../values/instant.js'
import { isMoment } from '../facts/columns.js'
import { matches } from '../facts/names.js'
import type { Facts } from '../facts/read-facts.js'
import type { ColumnFacts } from '../facts/table-facts.js'
import { toCell } from '../facts/values.js'
import type { Cells } from '../facts/values.js'
import { toSnake } from '../facts/words.js'
import { orNone } from './findings.js'
import { toSeenName } from './sample.js'
import type { Sample, ShownRow } from './sample.js'

/* What rules compare: the records of a sample, and the cells that stand beside each of them. */

/** A column of the table, or of the row that one of its keys leads to, with its cell for each record of the sample. */
export interface Witness {
  /** As a mapping names it: `entity`, or `{ from: events, on: event_id, column: owner_id }`. */
  readonly path: string
  /** Of the column. */
  readonly table: string
  readonly column: ColumnFacts
  readonly isOwn: boolean
  readonly cells: Cells
}

/** What is known of a collection. */
export interface Evidence {
  readonly sample: Sample
  readonly witnesses: readonly Witness[]
  readonly tables: Facts['tables']
  /** The clock of the database. */
  readonly now: Instant
  /** Of the mapping. */
  readonly timezone: string
}

/** What is wrong: in how many rows, in words, and what to do if it is not what the rule says. */
export type Said = readonly [rows: number, problem: string, fix?: string] | undefined

/** @param values of the field, neither null nor empty. */
export type Find = (evidence: Evidence, values: readonly string[]) => Said

/** Fewer records prove nothing. */
export const recordsMin = 20

/** A part of the records, in words; undefined where it is at most a share of them. */
export function sayShare(count: number, size: number, share: number, what: string): Said {
  return count > size * share ? [count, `${count} of ${size} ${what}`] : undefined
}

/** Whether more than a share of the records are so. @param isSo of a row and its place in the sample */
export function sayRows(share: number, what: string, isSo: (one: ShownRow) => boolean): Find {
  return ({ sample: { shown } }) => sayShare(shown.filter(isSo).length, shown.length, share, what)
}

/** More different texts are not codes; and the most keys of one statement. */
const [codesMax, keysMax] = [20, 1000]

/** Whether the values of a column are compared: numbers, times, keys and codes, and not the texts of people. */
export function isTelling({ kind, distinct, length, reference }: ColumnFacts): boolean {
  const isCode = kind === 'text' && length <= 255 && distinct <= codesMax
  return isCode || reference !== undefined || /integer|bit|decimal|float|date|time/.test(kind)
}

/** Whether a column is a time of change, by its type and name. */
export const isChangeTime = (column: ColumnFacts): boolean =>
  isMoment(column) && matches('changeTime', toSnake(column.name))

/** The columns that tell, of the table and of the rows that its keys lead to: one statement for each key, by the primary key. */
export async function readWitnesses(
  sample: Sample,
  tables: Facts['tables'],
  run: RunQuery,
): Promise<readonly Witness[]> {
  const own = sample.seen.map((column): Witness => {
    const cells = sample.shown.map(({ row }) => toCell(row[toSeenName(column)]))
    return { path: column.name, table: sample.collection.table.name, column, isOwn: true, cells }
  })
  const others = own.map(async ({ path, column, cells }): Promise<readonly Witness[]> => {
    const { reference, collation } = column
    const parent = tables.get(reference?.parent.name ?? '')
    if (reference === undefined || parent === undefined) return []
    const { name, columns } = parent
    const found = columns.filter(
      (one) => isTelling(one) && (/text|integer/.test(one.kind) || isChangeTime(one)),
    )
    // Texts of another collation cannot be compared with a column.
    const isAlike = columns.some((one) => one.name === reference.key && one.collation === collation)
    if (!isAlike || found.length === 0) return []
    const names = found.map((one) => one.name)
    const rows = await readByKey(name, reference.key, names, cells, run)
    return found.map((one, at) => ({
      path: `{ from: ${name}, on: ${path}, column: ${one.name} }`,
      table: name,
      column: one,
      isOwn: false,
      cells: cells.map((cell) => rows.get(cell)?.[at]),
    }))
  })
  return [...own, ...(await Promise.all(others)).flat()]
}

/** Cells of the rows that have some keys, by the key; none where the server denies it or takes too long. */
export async function readByKey(
  table: string,
  key: string,
  columns: readonly string[],
  cells: Cells,
  run: RunQuery,
): Promise<ReadonlyMap<string | undefined, Cells>> {
  const keys = [...new Set(cells.filter((cell) => cell !== undefined))].slice(0, keysMax)
  if (keys.length === 0) return new Map()
  const selected = [key, ...columns].map((name, at) => sql`${quote(name)} as ${quote(`c${at}`)}`)
  const listed = keys.map((one) => sql`${one}`)
  const select = sql`select ${join(selected, ', ')} from ${quote(table)} where ${quote(key)} in (${join(listed, ', ')})`
  const rows = (await orNone(run(toStatement(select)))) ?? []
  return new Map(rows.map((row) => [toCell(row['c0']), columns.map((_, at) => toCell(row[`c${at + 1}`]))]))
}

/** Records with their events, also where a table links invoices and events. */
export async function readEvents(
  { table }: BoundCollection,
  shown: readonly ShownRow[],
  run: RunQuery,
): Promise<readonly ShownRow[]> {
  const { eventId, id } = table
  // Texts of another collation cannot be compared with a column.
  if (eventId?.kind !== 'link' || eventId.invoice.column.collation !== id.column.collation) return shown
  const { invoice, event } = eventId
  const ids = shown.map(({ record }) => String(record['id']))
  const found = await readByKey(eventId.table, invoice.column.name, [event.column.name], ids, run)
  return shown.map((one, at) => ({ ...one, event: found.get(ids[at])?.[0] }))
}
