import type { Column, ColumnKind } from '../database/column.js'
import { padZeros, Sql, sql } from '../database/sql.js'
import { textLengthMax } from '../values/cells.js'

/** One row of another table, which a record reads by a unique column, or by tests that choose one of several. */
export interface Lookup {
  readonly table: string
  /** The column of that table which has the value of `on`. It is unique, unless there are tests. */
  readonly key: Column
  /** The index that begins with it; empty for none. */
  readonly index: string
  /** All of these hold for a row that counts. */
  readonly tests: readonly RowTest[]
  /** The columns of the primary key, where the row with the lowest one counts; none where all rows count, or the key is unique. */
  readonly order: readonly Column[]
  /** Whether the row with the highest one counts instead. */
  readonly isLast: boolean
  /** The column whose value the key equals: of the collection's own table, or of the row of another lookup. */
  readonly on: FoundColumn
}

/** A column of the collection's own table, or of the row that a lookup reads. */
export interface FoundColumn {
  readonly column: Column
  readonly lookup?: Lookup | undefined
  /** Of a time of change that is NULL before the first one: the column that counts instead. */
  readonly untilChanged?: Column | undefined
}

/** A column that a lookup reads. */
export type LookupColumn<Found extends FoundColumn = FoundColumn> = Found & { readonly lookup: Lookup }

/**
 * A condition on a column of a row, or of the row that a lookup reads. It is true or false and never NULL: a zero date
 * counts as NULL, and NULL equals no value.
 */
export interface RowTest extends FoundColumn {
  /** One of these stored values, byte for byte, or NULL. */
  readonly is: readonly string[] | null
  /** Whether the condition holds where the column has another value, or any. */
  readonly isNegated: boolean
}

/** The column of the collection's own table by which a column is found: itself, or the one that its lookup begins with. */
export function findOwnColumn({ column, lookup }: FoundColumn): Column {
  return lookup === undefined ? column : findOwnColumn(lookup.on)
}

/** Equal for lookups that read the same row. */
export function toLookupKey({ table, key, tests, on, isLast }: Lookup): string {
  const conditions = tests.map(({ column, is, isNegated }) => [column.name, is, isNegated])
  const to = on.lookup && toLookupKey(on.lookup)
  return JSON.stringify([table, key.name, on.column.name, to, conditions, isLast])
}

/** Whether a lookup reads a column. */
export function isLookedUp<Found extends FoundColumn>(found: Found): found is LookupColumn<Found> {
  return found.lookup !== undefined
}

/*
 * What a statement selects for the reader of a cell; the kind of a field makes both together. The driver has all rows of a result in
 * memory before it gives one, so what bounds the size of a row stands here.
 */

/** Names a column in a statement. */
export type NameColumn = (found: FoundColumn) => Sql

/** What a statement selects. */
export interface Selected {
  /** Made of whole columns; of the part of a column that rows in memory have in its place; or of all rows that a lookup finds. */
  readonly kind: 'value' | 'part' | 'sum'
  /** The columns that it is made of. */
  readonly columns: readonly FoundColumn[]
  readonly select: (name: NameColumn) => Sql
}

/** The same with the name of its cell. */
export interface Projected extends Selected {
  readonly as: string
}

/** The columns that a projection reads, of the collection's own table and of lookups. */
export function listProjectedColumns(projection: readonly Selected[]): readonly FoundColumn[] {
  return projection.flatMap(({ columns }) => columns)
}

/** What is made of one column. @param isCut whether it is made of a part of a long one */
export function selectOf(found: FoundColumn, isCut: boolean, toValue: (quoted: Sql) => Sql): Selected {
  const kind = isCut && !isLookedUp(found) ? 'part' : 'value'
  return { kind, columns: [found], select: (name) => toValue(name(found)) }
}

const timeKinds = new Set<ColumnKind>(['date', 'datetime', 'timestamp'])

/** What a reader gets of a column: most columns as they are. */
export function selectColumn(found: FoundColumn): Selected {
  const { column } = found
  return selectOf(found, isLong(column), (quoted) => {
    if (column.showsZeros === true) return padZeros(column, quoted)
    // As text, it has its zeros.
    if (column.showsZeros === false) return sql`cast(${quoted} as unsigned)`
    // The server writes the text of a time for a quarter of what the driver takes.
    return timeKinds.has(column.kind) ? sql`cast(${quoted} as char)` : cut(column, quoted)
  })
}

/** Whether a column can be longer than a text that is shown. */
export function isLong({ kind, length }: Column, lengthMax = textLengthMax): boolean {
  return kind === 'json' || (kind === 'text' && length > lengthMax)
}

/**
 * A text with no more characters than its reader takes, and one more, which says that it is too long. A column that is made
 * longer is bound anew before a record is made of it.
 */
export function cut(column: Column, quoted: Sql, lengthMax = textLengthMax): Sql {
  return isLong(column, lengthMax) ? left(quoted, lengthMax + 1) : quoted
}

/** The first characters of a text, or bytes. */
export function left(text: Sql, length: number): Sql {
  return sql`left(${text}, ${new Sql(String(length))})`
}
