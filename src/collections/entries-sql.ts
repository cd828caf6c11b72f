import type { Column } from '../database/column.js'
import { all, hint, Hole, join, quote, quoteColumn, sql } from '../database/sql.js'
import type { Prepared, Sql } from '../database/sql.js'
import { chooseIdIndex, chooseIndex, listCompared } from './choose-index.js'
import type { Filters } from './cursor.js'
import type { FoundColumn, NameColumn } from './found-column.js'
import { joinLookups, testRow } from './lookup.js'
import { from, listVisibilityTests, orderBy } from './resolved-table.js'
import type { ResolvedTable } from './resolved-table.js'
import { isIndexable } from './row-test.js'
import { listCells, prepareCells, timeName, toCell } from './selection.js'
import type { Cell, ShownTable } from './selection.js'
import { listTimeRanges } from './time-fields.js'
import type { TimeRange } from './time-fields.js'
import { findEventColumn, isOfEvent } from './event-filter.js'

/*
 * A page from the entries of an index in the order of lists, of which others than those of its workspace are not records. It
 * visits no more than `entriesMax` of them: behind these, each entry is a row of the page, so that the limit ends it. Of an
 * entry that is not a record, the statement selects its place alone: the next page can begin there.
 */

/** The name of the cell that is 1 in a record, and 0 or NULL in an entry that is none. */
export const matchName = 'vitrine match'

/** The rows of a page in one range of times. */
export interface Part {
  readonly range: TimeRange
  /** What follows FROM: rows in the order of lists, up to the limit. */
  readonly rest: Sql
}

interface EntriesInput {
  readonly table: ResolvedTable
  readonly range: TimeRange
  readonly filters: Filters
  /** The conditions of the range, and of where the page begins. */
  readonly position: readonly Sql[]
  readonly matches: Sql
}

/** Behind FROM: the records among the entries from a position on, and each entry behind the last that is visited. */
export function fromEntries(input: EntriesInput): readonly [source: Sql, conditions: readonly Sql[]] {
  const { table, range, filters, position, matches } = input
  const index = chooseIndex(table, { eventId: filters.eventId }, range)
  const source = from(table, index)
  const compared = listCompared(index, range)
  const isCompared = ({ column }: FoundColumn): boolean => compared.includes(column.name.toLowerCase())
  const tests = listVisibilityTests(table).filter((test) => isIndexable(test) && isCompared(test))
  const event = filters.eventId === undefined ? undefined : findEventColumn(table)
  const visited = [
    ...tests.map((test) => testRow(test, table)),
    ...(event !== undefined && isCompared(event) ? [isOfEvent(table)] : []),
    ...position,
  ]
  const [time, id] = [quote(range.column.name), quote(table.id.column.name)]
  const place = sql`${range.column.nullable ? toComparable(range.column, time) : time}, ${id}`
  const isBehind = (count: number): Sql => {
    const entries = sql`${source} where ${all(visited)} order by ${time} asc, ${id} asc`
    return sql`(${place}) >= (select ${place} from ${entries} limit 1 offset ${String(count - 1)})`
  }
  const max = Math.ceil(table.entriesMax / listTimeRanges(table.updatedAt).length)
  // The last place is found only where fewer entries do not fill a page: to find it takes longer than that.
  const isLast = all([40, 3, 1].map((part) => isBehind(Math.ceil(max / part))))
  return [source, [...visited, sql`((${matches}) or (${isLast}))`]]
}

/** A time that can be compared with NULL, which stands before every other. */
function toComparable({ kind }: Column, time: Sql): Sql {
  return kind === 'integer'
    ? sql`coalesce(${time}, -99999999999999999999)`
    : sql`coalesce(cast(${time} as char), '')`
}

/**
 * The rows of a page of entries. Each record is read by its id, so that an entry has nothing but its place, and an index with
 * the column that leads to the workspace has all that is compared.
 */
export function prepareEntries(
  shown: ShownTable,
  matches: Sql,
  parts: readonly Part[],
  proof: readonly Cell[],
): Prepared {
  const { name, id, projection } = shown
  const [time, key] = [quote(timeName), quote(id.column.name)]
  const selects = parts.map(
    ({ range, rest }) =>
      sql`(select ${quote(range.column.name)} as ${time}, ${key}, (${matches}) as ${quote(matchName)} from ${rest})`,
  )
  const [first = sql``, ...others] = selects
  const merged = sql`(${join(selects, ' union all ')} ${orderBy(time, key)} limit ${new Hole('limit')})`
  const inEntry = (cell: Sql): Sql => sql`${quote('entry')}.${cell}`
  const { name: inPage, joins } = joinLookups(projection)
  const isRow = sql`${quoteColumn('page', id.column)} = ${inEntry(key)} and ${inEntry(quote(matchName))} = 1`
  const row = sql`left join ${quote(name)} as ${quote('page')}${hint(chooseIdIndex(shown)?.name)} on ${isRow}`
  const tables = [sql`${others.length === 0 ? first : merged} as ${quote('entry')}`, row, ...joins]
  const match = toCell(matchName, inEntry(quote(matchName)))
  const cells = [...proof, match, ...listCells(shown, nameInEntry(shown, inPage, inEntry))]
  return prepareCells(cells, sql`${join(tables, ' ')} ${orderBy(inEntry(time), inEntry(key))}`)
}

/** The place of a row is that of its entry, which one that is not a record has too. */
function nameInEntry(
  { id, updatedAt }: ShownTable,
  inPage: NameColumn,
  inEntry: (cell: Sql) => Sql,
): NameColumn {
  return (found) => {
    if (found === id) return inEntry(quote(id.column.name))
    return found === updatedAt ? inEntry(quote(timeName)) : inPage(found)
  }
}
