import { all, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { BoundValue, Row, RunQuery, Statement } from '../../database/statement.js'
import { orUndefined, RowFault } from '../../errors.js'
import { chooseIndex } from '../../collections/choose-index.js'
import { bindWorkspace } from '../../collections/filters.js'
import { from, listUnarchived, listVisible, selectRows } from '../../collections/rows.js'
import type { BoundCollection } from '../../collections/collection.js'
import { hasOwnOrder, listEventColumns } from '../../collections/resolved-table.js'
import type { IdentifierColumn, Projected, ResolvedTable } from '../../collections/resolved-table.js'
import { parseEpoch } from '../../values/epoch.js'
import { readIdentifier } from '../../values/identifier.js'
import { parseDatabaseTime } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { describeFailure } from './questions.js'

/** A record as a request answers it. */
export type SampledRecord = Readonly<Record<string, string | boolean | null>>

/** A row of a sample. */
export interface SampledRow {
  readonly row: Row
  readonly workspace: string | undefined
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
  /** Why there are none, where the database denied them or did not answer in time. */
  readonly failure: string | undefined
}

/** Rows of a sample, the number of workspaces that it reads the last changes of, and the rows for each of these. */
const sizes = { rows: 1000, workspaces: 20, ofWorkspace: 100 } as const

/**
 * Reads recent rows by indexes only: the greatest ids, then the last changes in the workspaces of these rows. To sort a
 * whole table by its time of change would be expensive for a production server.
 */
export async function readSample(collection: BoundCollection, runQuery: RunQuery): Promise<Sample> {
  const { table } = collection
  const found = new Map<string, SampledRow>()
  const add = (rows: readonly Row[]): void => {
    for (const row of rows) {
      const one = toSampled(collection, row)
      // No key has access to a row without a workspace.
      if (one.workspace !== undefined) found.set(JSON.stringify([row['workspace'], row['id']]), one)
    }
  }
  try {
    add(await runQuery(renderNewestIds(table, sizes.rows)))
    const workspaces = [...new Set([...found.values()].map(({ workspace }) => workspace ?? ''))]
    // No index gives the last changes where a lookup finds the workspace.
    for (const workspace of hasOwnOrder(table) ? workspaces.slice(0, sizes.workspaces) : []) {
      const value = bindWorkspace(table, workspace)
      if (value !== undefined) add(await runQuery(renderLatest(table, value, sizes.ofWorkspace)))
    }
    const toTime = ({ row }: SampledRow): number => toInstantSeconds(readTime(table, row))
    const rows = [...found.values()].sort((a, b) => toTime(b) - toTime(a)).slice(0, sizes.rows)
    return { collection, rows, failure: undefined }
  } catch (error) {
    return { collection, rows: [], failure: describeFailure(error) }
  }
}

/** A row with its record, as requests answer it. @param row of a table that `withUnseen` made */
export function toSampled({ table, record }: BoundCollection, row: Row): SampledRow {
  const { workspace } = table
  const [event] = listEventColumns(table.eventId)
  const about = {
    row,
    workspace: 'constant' in workspace ? workspace.constant : readText(row['workspace'], workspace),
    event: event && readText(row['event'], event),
  }
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
export function toInstantSeconds({ seconds, micros }: Instant = { seconds: 0, micros: 0 }): number {
  return seconds + micros / 1e6
}

/** Rows of any workspace by an index, the greatest ids first: where ids grow, these are the newest. */
function renderNewestIds(table: ResolvedTable, limit: number): Statement {
  const where = listUnarchived(table)
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  const order = sql` order by ${quoteColumn(table.name, table.id.column)} desc limit ${String(limit)}`
  return toStatement(selectSample(table, sql`${from(table)}${conditions}${order}`))
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
