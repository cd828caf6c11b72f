import { all, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { BoundValue, Row, Statement } from '../../database/statement.js'
import { RowFault } from '../../errors.js'
import { chooseIndex } from '../../collections/choose-index.js'
import { from, listUnarchived, listVisible, selectRows } from '../../collections/rows.js'
import { listEventColumns } from '../../collections/resolved-table.js'
import type { Projected, ResolvedTable } from '../../collections/resolved-table.js'
import type { BoundCollection } from '../../collections/collection.js'

/** The name of the cell that holds the record of a row, or its fault. */
const recordName = 'record'

/** A statement of rows of a collection, whose rows have the record too, as requests answer it. */
export function withRecords({ record }: BoundCollection, statement: Statement): Statement {
  return {
    ...statement,
    createReader: () => {
      const rows: Row[] = []
      return {
        read: (row) => {
          rows.push({ ...row, [recordName]: orFault(() => record(row)) })
        },
        end: () => rows,
      }
    },
  }
}

function orFault(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof RowFault) return error
    throw error
  }
}

/** Why the record of a row cannot be shown; undefined where it can. */
export function findFault(row: Row): RowFault | undefined {
  const record = row[recordName]
  return record instanceof RowFault ? record : undefined
}

/** A field of the record of a row, as text; undefined where the record cannot be shown. */
export function readField(row: Row, field: string): string | undefined {
  if (findFault(row) !== undefined) return undefined
  return String((row[recordName] as Readonly<Record<string, unknown>>)[field])
}

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
export function renderNewestIds(table: ResolvedTable, limit: number): Statement {
  const where = listUnarchived(table)
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  return toStatement(selectSample(table, sql`${from(table)}${conditions} ${newest(table, limit)}`))
}

/** Any row of the table, whether it is a record or not. */
export function renderAny({ name, id }: ResolvedTable): Statement {
  return toStatement(sql`select ${quoteColumn(name, id.column)} from ${quote(name)} limit 1`)
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
export function renderLatest(table: ResolvedTable, workspace: BoundValue, limit: number): Statement {
  const [time, id] = [table.updatedAt, table.id].map(({ column }) => quoteColumn(table.name, column))
  const order = sql`order by ${time ?? sql``} desc, ${id ?? sql``} desc limit ${String(limit)}`
  const source = from(table, chooseIndex(table, { event: false }))
  const rest = sql`${source} where ${all(listVisible(table))} ${order}`
  return toStatement(selectSample(table, rest), { workspace })
}

/** A table whose rows have the workspace and the event too, which are no public fields of every collection. */
export function withUnseen(table: ResolvedTable): ResolvedTable {
  const projection: readonly Projected[] = [
    ...table.projection,
    ...('constant' in table.workspace ? [] : [{ ...table.workspace, as: 'workspace' }]),
    ...listEventColumns(table.eventId)
      .slice(0, 1)
      .map((found) => ({ ...found, as: 'event' })),
  ]
  return { ...table, projection }
}

function selectSample(table: ResolvedTable, rest: Sql): Sql {
  return selectRows({ table: withUnseen(table), isHinted: true, isOrdered: false }, rest)
}

/** The rows with the greatest ids. */
export function newest(table: ResolvedTable, limit: number): Sql {
  return sql`order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(limit)}`
}
