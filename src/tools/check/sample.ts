import type { Column } from '../../database/column.js'
import { quoteColumn, sql, all, toStatement } from '../../database/sql.js'
import type { HoleValues, Sql } from '../../database/sql.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { orUndefined, RowFault } from '../../errors.js'
import { chooseIndex } from '../../collections/choose-index.js'
import { bindWorkspace, listVisible } from '../../collections/workspace.js'
import { selectRows } from '../../collections/selection.js'
import type { BoundCollection } from '../../collections/collection.js'
import { from, listRecordColumns, listUnarchived } from '../../collections/resolved-table.js'
import type { ResolvedTable } from '../../collections/resolved-table.js'
import { readIdentifier } from '../../values/identifiers.js'
import type { ColumnFacts } from '../facts/table-facts.js'
import { countTexts } from '../facts/values.js'
import type { Code } from '../facts/values.js'
import { orNone } from './findings.js'
import { selectColumn } from '../../collections/found-column.js'
import type { FoundColumn } from '../../collections/found-column.js'
import { listColumns } from '../../collections/identifier-fields.js'
import type { IdentifierColumn } from '../../collections/identifier-fields.js'
import { listEventColumns } from '../../collections/event-filter.js'

/** A row with its record, as a request answers it. */
export interface ShownRow {
  readonly row: Row
  readonly workspace: string
  readonly event: string | undefined
  readonly record: Readonly<Record<string, string | boolean | null>>
}

/** Recent rows of a collection, of all workspaces. */
export interface Sample {
  readonly collection: BoundCollection
  /** Last changed first. */
  readonly shown: readonly ShownRow[]
  /** Why each of the other rows cannot be shown. */
  readonly faults: readonly RowFault[]
  /** With the numbers of their rows, the largest first. */
  readonly workspaces: readonly Code[]
  /** Columns of the table that no field shows, under `toSeenName` in the rows. */
  readonly seen: readonly ColumnFacts[]
}

/** The newest rows that are read, the most workspaces whose last changes are read too, and rows of each of these. */
export const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * Reads recent rows by indexes only: the greatest ids, then the last changes in the largest workspaces. To sort a whole table
 * by its time of change would be expensive for a production server.
 */
export async function readSample(
  collection: BoundCollection,
  seen: readonly ColumnFacts[],
  runQuery: RunQuery,
): Promise<Sample> {
  const { table } = collection
  const reading = withUnseen(table, seen)
  const found = new Map<string, ShownRow | RowFault>()
  const add = async (rest: Sql, given?: HoleValues): Promise<void> => {
    for (const row of await runQuery(toStatement(selectRows(reading, rest), given))) {
      const one = toShown(collection, row)
      if (one !== undefined) found.set(JSON.stringify([row['workspace'], row['id']]), one)
    }
  }
  await add(listNewestIds(table))
  // Where they cannot be counted in time, those of the sample.
  const workspaces =
    (await orNone(listWorkspaces(table, runQuery))) ??
    countTexts([...found.values()].filter(isShown).map((one) => one.workspace))
  // No index gives the last changes where a lookup finds the workspace.
  for (const { code } of table.lookedUp === undefined ? workspaces.slice(0, sizes.workspaces) : []) {
    const workspace = bindWorkspace(table, code)
    if (workspace !== undefined) await add(listLatest(table), new Map([['workspace', workspace]]))
  }
  const rows = [...found.values()]
  const faults = rows.filter((one) => one instanceof RowFault)
  const toTime = ({ record }: ShownRow): number => Date.parse(String(record['updatedAt']))
  const shown = rows.filter(isShown).sort((a, b) => toTime(b) - toTime(a))
  return { collection, shown, faults, workspaces, seen }
}

/** Whether a row can be shown. */
export const isShown = (one: ShownRow | RowFault): one is ShownRow => !(one instanceof RowFault)

/** A row with its record, or why it cannot be shown; undefined without a workspace, because no key has access to it. */
export function toShown(collection: BoundCollection, row: Row): ShownRow | RowFault | undefined {
  const { table, record } = collection
  const workspace =
    table.workspace.kind === 'constant'
      ? table.workspace.constant
      : readText(row['workspace'], table.workspace)
  if (workspace === undefined) return undefined
  try {
    const event = readEvent(collection, row)
    return { row, workspace, event, record: JSON.parse(record(row)) as ShownRow['record'] }
  } catch (error) {
    if (error instanceof RowFault) return error
    throw error
  }
}

/** The event of a row; undefined where it has none, or a table links it. */
export function readEvent({ table }: BoundCollection, row: Row): string | undefined {
  return listEventColumns(table.eventId).map((column) => readText(row['event'], column))[0]
}

async function listWorkspaces(table: ResolvedTable, runQuery: RunQuery): Promise<readonly Code[]> {
  const { workspace } = table
  if (workspace.kind === 'constant') return [{ code: workspace.constant, rows: Infinity }]
  const groups = await runQuery(renderGroups(table, workspace, [], sizes.workspaces))
  const counted = groups.map(({ value, rows }) => ({ code: readText(value, workspace), rows: Number(rows) }))
  return counted.filter((one): one is Code => one.code !== undefined)
}

/**
 * The values of a column with their numbers of rows, the most frequent first; values that differ in one byte differ.
 *
 * @param where conditions of the rows that count.
 */
export function renderGroups(
  table: ResolvedTable,
  { column, lookup }: FoundColumn,
  where: readonly Sql[],
  limit: number,
): Statement {
  const own = { ...table, projection: [{ ...selectColumn({ column, lookup }), as: 'value' }] }
  const values = selectRows(own, sql`${from(table)} where ${all([sql`true`, ...where])}`)
  // Without the bytes, a collation that ignores case would count different values as one.
  const groups = sql`group by \`value\`, cast(\`value\` as binary) order by count(*) desc limit ${String(limit)}`
  return toStatement(sql`select \`value\`, count(*) as \`rows\` from (${values}) as \`found\` ${groups}`)
}

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
function listNewestIds(table: ResolvedTable): Sql {
  const order = sql`order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(sizes.rows)}`
  return sql`${from(table)} where ${all([sql`true`, ...listUnarchived(table)])} ${order}`
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
function listLatest(table: ResolvedTable): Sql {
  const [time, id] = [table.updatedAt, table.id].map(({ column }) => quoteColumn(table.name, column))
  const order = sql`order by ${time ?? sql``} desc, ${id ?? sql``} desc limit ${String(sizes.ofWorkspace)}`
  return sql`${from(table, chooseIndex(table))} where ${all(listVisible(table))} ${order}`
}

/** A table whose rows have the workspace and the event too, and other columns, which are not public fields. */
export function withUnseen(table: ResolvedTable, seen: readonly Column[]): ResolvedTable {
  const [event] = listEventColumns(table.eventId)
  const projection = [
    ...table.projection,
    ...listColumns(table.workspace).map((found) => ({ ...selectColumn(found), as: 'workspace' })),
    ...(event === undefined ? [] : [{ ...selectColumn(event), as: 'event' }]),
    ...seen.map((column) => ({ ...selectColumn({ column }), as: toSeenName(column) })),
  ]
  return { ...table, projection }
}

/** An id, an event or a workspace as callers have it; undefined where a row has none that can be shown. */
export function readText(cell: unknown, { identifier }: IdentifierColumn): string | undefined {
  return cell === null || cell === undefined ? undefined : orUndefined(() => readIdentifier(cell, identifier))
}

/** The name of the cell of a column that no field shows. */
export function toSeenName({ name }: Pick<Column, 'name'>): string {
  return `seen ${name}`
}

/** Every column by which the records of a collection are found and read. */
export function listFoundColumns(table: ResolvedTable): readonly FoundColumn[] {
  return [...listRecordColumns(table), ...listColumns(table.workspace), ...listEventColumns(table.eventId)]
}
