import type { Column, Index, Table } from '../../database/column.js'
import { toQuotedName } from '../../database/sql.js'
import type { Schema } from '../../database/schema.js'
import {
  chooseIdIndex,
  chooseIndex,
  listFilterColumns,
  listFixedColumns,
} from '../../collections/choose-index.js'
import type { Filters } from '../../collections/cursor.js'
import { listLookups } from '../../collections/lookup.js'
import { listRecordColumns } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import { isIndexable } from '../../collections/row-test.js'
import { findOwnColumn } from '../../collections/found-column.js'
import { listTimeRanges } from '../../collections/time-fields.js'
import type { TimeRange } from '../../collections/time-fields.js'

/** What helps a request that costs too much. */
export interface Advice {
  readonly object: string
  readonly fix: string
  /** Whether an index that the service would choose is absent. */
  readonly isMissing: boolean
}

/** The index that the service would choose for a request, or what else helps where the table has it. */
export function adviseIndex(table: ResolvedTable, schema: Schema, asked?: Partial<Filters>): Advice {
  const { name, eventId, id } = table
  // Without an index on the link table, the filter by event reads all of it for every row.
  const link =
    asked?.eventId !== undefined && eventId?.kind === 'link'
      ? planIndex(schema, eventId.table, ['link'], [eventId.invoice.column, eventId.event.column])
      : undefined
  if (link !== undefined) return link
  if (table.isView) return { object: name, fix: toViewFix(table), isMissing: false }
  const ofId = chooseIdIndex(table) === undefined ? planIndex(schema, name, ['id'], [id.column]) : undefined
  const fix =
    'no index helps: many rows have the same updatedAt, are not records, or are read by lookups; DATABASE_QUERY_TIMEOUT_MS must allow such a page'
  const found = asked === undefined ? ofId : adviseListIndex(table, schema, asked)
  return found ?? { object: name, fix, isMissing: false }
}

/** What helps lists of a view. */
function toViewFix(table: ResolvedTable): string {
  if (table.lookedUp !== undefined)
    return 'read updatedAt from one column of the view, and JOIN without FORCE INDEX the table that the lookup of the tenant begins with; if that does not help, let the product fill a column with the tenant'
  const names = new Set(listOrdered(table, {}).map((column) => column.name))
  return `map the tables behind the view instead, with lookups and where; an index on (${[...names].join(', ')}), with the names of the table behind the view, would serve its lists`
}

function adviseListIndex(table: ResolvedTable, schema: Schema, asked: Partial<Filters>): Advice | undefined {
  const [event] = listFilterColumns(table, { eventId: asked.eventId })
  // Entries of several workspaces are visited whatever their status.
  const wanted = table.lookedUp !== undefined && event === undefined ? {} : asked
  const filters = listFilterColumns(table, wanted)
  const words = [...filters.map((column) => (column === event ? 'event' : 'status')), 'sync']
  // A time of change that is NULL at first has an index for changed rows, and one for the others.
  const missing = listTimeRanges(table.updatedAt).flatMap((range) => {
    const serving = chooseIndex(table, wanted, range)?.columns
    const isServed = serving !== undefined && filters.every((one) => serving.includes(one.name.toLowerCase()))
    const all = range.unchanged === undefined ? words : [...words, 'unchanged']
    return isServed ? [] : (planIndex(schema, table.name, all, listOrdered(table, wanted, range)) ?? [])
  })
  const [first] = missing
  return first && { ...first, fix: [...new Set(missing.map((one) => one.fix))].join(' ') }
}

/** The columns of the index in which all rows of a list stand together, in order. */
function listOrdered(
  table: ResolvedTable,
  asked: Partial<Filters>,
  { column, unchanged }: TimeRange = table.updatedAt,
): readonly Column[] {
  const isArchived = ({ name }: Column): boolean =>
    table.archived.some((test) => test.lookup === undefined && test.column.name === name)
  return [
    ...listFixedColumns(table).filter((one) => !isArchived(one)),
    // A filter by a column that also archives rows needs that column.
    ...listFilterColumns(table, asked),
    ...(unchanged === undefined ? [] : [table.updatedAt.column]),
    column,
    table.id.column,
    // With the column that the lookup begins with, an entry is compared without its row.
    ...(table.lookedUp === undefined ? [] : [findOwnColumn(table.lookedUp)]),
  ]
}

/** The indexes by which the lookups of a collection would read only rows that pass their tests. */
export function adviseLookups(table: ResolvedTable, schema: Schema): readonly Advice[] {
  return listLookups(listRecordColumns(table)).flatMap(({ table: name, key, index, tests }) => {
    const tested = tests.filter(isIndexable).map(({ column }) => column)
    const columns = [key, ...tested.filter(canIndex)]
    const words = columns.map((column) => column.name)
    return columns.length === 1 && index !== '' ? [] : (planIndex(schema, name, words, columns) ?? [])
  })
}

/** The statement that makes an index, or a sentence where the server would reject it; undefined where the table has it. */
function planIndex(
  schema: Schema,
  table: string,
  words: readonly string[],
  all: readonly Column[],
): Advice | undefined {
  const columns = [...new Map(all.map((one) => [one.name, one])).values()]
  if (hasIndex(schema.get(table), columns)) return undefined
  const unused = schema
    .get(table)
    ?.indexes.find((one) => one.unused && beginsWith(one.unused, columns))?.unused
  if (unused !== undefined)
    return { object: table, fix: `ALTER TABLE ${toQuotedName(table)} ${unused.alter};`, isMissing: true }
  const bytes = columns.reduce((sum, { kind, length }) => sum + (kind === 'text' ? 4 : 1) * length, 0)
  const types = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  const fix =
    columns.every(canIndex) && bytes <= 3072
      ? // The server allows a name of 64 characters, and InnoDB entries of 3,072 bytes.
        `CREATE INDEX ${toQuotedName(['ix_vitrine', ...words].join('_').slice(0, 64))} ON ${toQuotedName(table)} (${columns.map(({ name }) => toQuotedName(name)).join(', ')});`
      : `an index on (${types}) would serve, and the server makes none of such types: map shorter columns`
  return { object: table, fix, isMissing: true }
}

function canIndex({ type, kind }: Column): boolean {
  return kind !== 'json' && !/text|blob/i.test(type)
}

/** Whether a table has an index that begins with these columns. */
export function hasIndex(table: Pick<Table, 'indexes'> | undefined, columns: readonly Column[]): boolean {
  return table?.indexes.some((index) => beginsWith(index, columns)) === true
}

function beginsWith(index: Pick<Index, 'columns'>, columns: readonly Column[]): boolean {
  return columns.every(({ name }, at) => index.columns[at] === name.toLowerCase())
}
