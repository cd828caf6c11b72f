import type { Column } from '../../database/column.js'
import { quoteColumn, sql, all, toStatement } from '../../database/sql.js'
import type { Given, Sql } from '../../database/sql.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { orUndefined, RowFault } from '../../errors.js'
import { chooseIndex } from '../../collections/choose-index.js'
import { bindWorkspace } from '../../collections/filters.js'
import { from, listUnarchived, listVisible, selectRows } from '../../collections/rows.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasOwnOrder, listEventColumns, listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, IdentifierColumn, ResolvedTable } from '../../collections/resolved-table.js'
import { parseEpoch } from '../../values/epoch.js'
import { readIdentifier } from '../../values/identifier.js'
import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { orNone } from './findings.js'

/** A row of a sample. */
interface SampledRow {
  readonly row: Row
  readonly workspace: string
  readonly event: string | undefined
}

/** A row with its record, as a request answers it. */
export interface ShownRow extends SampledRow {
  readonly record: Readonly<Record<string, string | boolean | null>>
}

/** Recent rows of a collection, of all workspaces. */
export interface Sample {
  readonly collection: BoundCollection
  /** Last changed first. */
  readonly rows: readonly SampledRow[]
  /** Those of them that are shown. */
  readonly shown: readonly ShownRow[]
  /** Why each of the others cannot be shown. */
  readonly faults: readonly RowFault[]
  /** The largest first; the rows are undefined of a constant one, and where they could not be counted in time. */
  readonly workspaces: readonly { readonly value: string; readonly rows?: number }[]
  /** Columns of the table that no field shows, under `toSeenName` in the rows. */
  readonly seen: readonly Column[]
}

/** Rows of a sample, the most workspaces that it names and reads the last changes of, and the rows for each of these. */
export const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * Reads recent rows by indexes only: the greatest ids, then the last changes in the largest workspaces. To sort a whole table
 * by its time of change would be expensive for a production server.
 */
export async function readSample(
  collection: BoundCollection,
  seen: readonly Column[],
  runQuery: RunQuery,
): Promise<Sample> {
  const { table, record } = collection
  const reading = { table: withUnseen(table, seen), isOrdered: false }
  const found = new Map<string, SampledRow>()
  const add = async (rest: Sql, given: Given = {}): Promise<void> => {
    for (const row of await runQuery(toStatement(selectRows(reading, rest), given))) {
      const workspace = readWorkspace(table, row)
      const [event] = listEventColumns(table.eventId).map((column) => readText(row['event'], column))
      // No key has access to a row without a workspace.
      if (workspace !== undefined)
        found.set(JSON.stringify([workspace, row['id']]), { row, workspace, event })
    }
  }
  await add(listNewestIds(table))
  const owners = countValues([...found.values()].map(({ workspace }) => workspace))
  const workspaces = (await orNone(countWorkspaces(table, runQuery))) ?? owners.map(([value]) => ({ value }))
  // No index gives the last changes where a lookup finds the workspace.
  for (const { value } of hasOwnOrder(table) ? workspaces.slice(0, sizes.workspaces) : []) {
    const workspace = bindWorkspace(table, value)
    if (workspace !== undefined) await add(listLatest(table), { workspace })
  }
  const toTime = ({ row }: SampledRow): number => toSeconds(readTime(table, row))
  const rows = [...found.values()].sort((a, b) => toTime(b) - toTime(a)).slice(0, sizes.rows)
  const faults: RowFault[] = []
  const shown = rows.flatMap((one) => {
    try {
      return [{ ...one, record: JSON.parse(record(one.row)) as ShownRow['record'] }]
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      faults.push(error)
      return []
    }
  })
  return { collection, rows, shown, faults, workspaces, seen }
}

function readWorkspace({ workspace }: ResolvedTable, row: Row): string | undefined {
  return 'constant' in workspace ? workspace.constant : readText(row['workspace'], workspace)
}

async function countWorkspaces(table: ResolvedTable, runQuery: RunQuery): Promise<Sample['workspaces']> {
  const { workspace } = table
  if ('constant' in workspace) return [{ value: workspace.constant }]
  const rows = await runQuery(renderGroups(table, workspace, [], sizes.workspaces))
  return rows.flatMap((row) => {
    const value = readText(row['value'], workspace)
    return value === undefined ? [] : [{ value, rows: Number(row['rows']) }]
  })
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
  const own = { ...table, projection: [{ column, lookup, as: 'value' }] }
  const values = selectRows({ table: own, isOrdered: false }, sql`${from(table)}${behind(where)}`)
  // Without the bytes, a collation that ignores case would count different values as one.
  const groups = sql`group by \`value\`, cast(\`value\` as binary) order by count(*) desc limit ${String(limit)}`
  return toStatement(sql`select \`value\`, count(*) as \`rows\` from (${values}) as \`found\` ${groups}`)
}

function behind(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${all(conditions)}`
}

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
function listNewestIds(table: ResolvedTable): Sql {
  const order = sql` order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(sizes.rows)}`
  return sql`${from(table)}${behind(listUnarchived(table))}${order}`
}

/** The rows of one workspace that changed last, by the index that serves its lists. */
function listLatest(table: ResolvedTable): Sql {
  const [time, id] = [table.updatedAt, table.id].map(({ column }) => quoteColumn(table.name, column))
  const order = sql`order by ${time ?? sql``} desc, ${id ?? sql``} desc limit ${String(sizes.ofWorkspace)}`
  return sql`${from(table, chooseIndex(table, { event: false }))} where ${all(listVisible(table))} ${order}`
}

/** A table whose rows have the workspace and the event too, and other columns, which are no public fields. */
function withUnseen(table: ResolvedTable, seen: readonly Column[]): ResolvedTable {
  const [event] = listEventColumns(table.eventId)
  const projection = [
    ...table.projection,
    ...('constant' in table.workspace ? [] : [{ ...table.workspace, as: 'workspace' }]),
    ...(event === undefined ? [] : [{ ...event, as: 'event' }]),
    ...seen.map((column) => ({ column, as: toSeenName(column) })),
  ]
  return { ...table, projection }
}

/** An id, an event or a workspace as callers have it; undefined where a row has none that can be shown. */
export function readText(cell: unknown, { identifier }: IdentifierColumn): string | undefined {
  return cell === null || cell === undefined ? undefined : orUndefined(() => readIdentifier(cell, identifier))
}

/** The time of change of a row; undefined where it is none. */
export function readTime({ updatedAt }: ResolvedTable, row: Row): Instant | undefined {
  const cell = row['updatedAt']
  if (updatedAt.epoch !== undefined) return parseEpoch(cell, updatedAt.epoch)
  return typeof cell === 'string' ? parseDatabaseTime(cell, updatedAt.zone) : undefined
}

/** Seconds since 1970, with a fraction; 0 for no time. */
export function toSeconds({ seconds, micros }: Instant = { seconds: 0, micros: 0 }): number {
  return seconds + micros / 1e6
}

/** The name of the cell of a column that no field shows. */
export function toSeenName({ name }: Pick<Column, 'name'>): string {
  return `seen ${name}`
}

/** Every column by which the records of a collection are found and read. */
export function listFoundColumns(table: ResolvedTable): readonly FoundColumn[] {
  const workspace = 'constant' in table.workspace ? [] : [table.workspace]
  return [...listRecordColumns(table), ...workspace, ...listEventColumns(table.eventId)]
}

/** How often each value occurs, the most frequent first. */
export function countValues(values: readonly string[]): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
