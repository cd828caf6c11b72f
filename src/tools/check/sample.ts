import type { Column } from '../../database/column.js'
import { quoteColumn, sql, all, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { orUndefined, RowFault } from '../../errors.js'
import { chooseIndex } from '../../collections/choose-index.js'
import { bindWorkspace } from '../../collections/filters.js'
import { from, listUnarchived, listVisible, selectRows } from '../../collections/rows.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasOwnOrder, listEventColumns } from '../../collections/resolved-table.js'
import type { IdentifierColumn, ResolvedTable } from '../../collections/resolved-table.js'
import { parseEpoch } from '../../values/epoch.js'
import { readIdentifier } from '../../values/identifier.js'
import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { describeFailure } from './findings.js'
import { readAll, renderGroups } from './rows-sql.js'

/** A record as a request answers it. */
type SampledRecord = Readonly<Record<string, string | boolean | null>>

/** A row of a sample. */
interface SampledRow {
  readonly row: Row
  readonly workspace: string
  readonly event: string | undefined
  /** Undefined where the row cannot be shown. */
  readonly record: SampledRecord | undefined
  readonly fault: RowFault | undefined
}

/** Recent rows of a collection, of all workspaces. */
export interface Sample {
  readonly collection: BoundCollection
  /** Last changed first. */
  readonly rows: readonly SampledRow[]
  /** The largest first; the rows are undefined where they could not be counted in time, because there are many. */
  readonly workspaces: readonly { readonly value: string; readonly rows?: number | undefined }[]
  /** Columns of the table that no field shows, under `toSeenName` in the rows. */
  readonly seen: readonly Column[]
  /** Why there are no rows, where the database denied them or did not answer in time. */
  readonly failure: string | undefined
}

/** Rows of a sample, the number of workspaces that it reads the last changes of, and the rows for each of these. */
const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * Reads recent rows by indexes only: the greatest ids, then the last changes in the largest workspaces. To sort a whole table
 * by its time of change would be expensive for a production server.
 */
export async function readSample(
  collection: BoundCollection,
  seen: readonly Column[],
  runQuery: RunQuery,
): Promise<Sample> {
  const { table } = collection
  const reading = { table: withUnseen(table, seen), isOrdered: false }
  const found = new Map<string, SampledRow>()
  const add = async (rest: Sql, workspace?: ReturnType<typeof bindWorkspace>): Promise<void> => {
    const given = workspace === undefined ? {} : { workspace }
    for (const row of await runQuery(toStatement(selectRows(reading, rest), given))) {
      const one = toSampled(collection, row)
      // No key has access to a row without a workspace.
      if (one !== undefined) found.set(JSON.stringify([row['workspace'], row['id']]), one)
    }
  }
  try {
    const workspaces = await listWorkspaces(table, runQuery)
    await add(listNewestIds(table))
    // No index gives the last changes where a lookup finds the workspace.
    for (const { value } of hasOwnOrder(table) ? workspaces : []) {
      const bound = bindWorkspace(table, value)
      if (bound !== undefined) await add(listLatest(table), bound)
    }
    const toTime = ({ row }: SampledRow): number => toSeconds(readTime(table, row))
    const rows = [...found.values()].sort((a, b) => toTime(b) - toTime(a)).slice(0, sizes.rows)
    return { collection, rows, workspaces, seen, failure: undefined }
  } catch (error) {
    return { collection, rows: [], workspaces: [], seen, failure: describeFailure(error) }
  }
}

async function listWorkspaces(table: ResolvedTable, runQuery: RunQuery): Promise<Sample['workspaces']> {
  const { workspace } = table
  if ('constant' in workspace) return [{ value: workspace.constant }]
  const render = (rows: Sql) => renderGroups(table, workspace, rows, { limit: sizes.workspaces })
  const { rows, isPart } = await readAll(table, render, runQuery)
  return rows.flatMap((row) => {
    const value = readText(row['value'], workspace)
    return value === undefined ? [] : [{ value, rows: isPart ? undefined : Number(row['rows']) }]
  })
}

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
function listNewestIds(table: ResolvedTable): Sql {
  const where = listUnarchived(table)
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  const order = sql` order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(sizes.rows)}`
  return sql`${from(table)}${conditions}${order}`
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

/** A row with its record, as requests answer it; undefined without a workspace. */
function toSampled({ table, record }: BoundCollection, row: Row): SampledRow | undefined {
  const [event] = listEventColumns(table.eventId)
  const workspace =
    'constant' in table.workspace ? table.workspace.constant : readText(row['workspace'], table.workspace)
  if (workspace === undefined) return undefined
  const about = { row, workspace, event: event && readText(row['event'], event) }
  try {
    return { ...about, record: JSON.parse(record(row)) as SampledRecord, fault: undefined }
  } catch (error) {
    if (error instanceof RowFault) return { ...about, record: undefined, fault: error }
    throw error
  }
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

/** How often each value occurs, the most frequent first. */
export function countValues(values: readonly string[]): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
