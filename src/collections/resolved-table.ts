import type { Column, Index } from '../database/column.js'
import type { Heartbeat } from '../database/heartbeat.js'
import type { EventFilter } from './event-filter.js'
import { findOwnColumn, listProjectedColumns } from './found-column.js'
import type { FoundColumn, LookupColumn, Projected, RowTest } from './found-column.js'
import type { IdentifierColumn, IdentifierPlace } from './identifier-fields.js'
import type { Status } from './status-field.js'
import type { TimeColumn } from './time-fields.js'
import { hint, quote, Sql, sql } from '../database/sql.js'
import { negate } from './row-test.js'
import { testRow } from './lookup.js'

/** A workspace that a lookup finds. */
export type LookedUpWorkspace = LookupColumn<IdentifierColumn>

/** The most entries of an index, or rows of the workspace, that a page reads where a lookup finds the workspace. */
export const entriesMax = 12_000

/** A mapped table or view with the server's own columns: all that a statement needs of a collection. */
export interface ResolvedTable {
  readonly name: string
  /** All of these must hold for a row to be a record. */
  readonly where: readonly RowTest[]
  readonly workspace: IdentifierPlace
  /** The workspace, where a lookup finds it. */
  readonly lookedUp: LookedUpWorkspace | undefined
  /** Any of these makes a record archived. */
  readonly archived: readonly RowTest[]
  readonly projection: readonly Projected[]
  readonly id: IdentifierColumn
  /** Undefined where no record has an event. */
  readonly eventId: EventFilter | undefined
  readonly status: Status
  readonly updatedAt: TimeColumn
  /** How lists are ordered, as cursors say it. */
  readonly order: string
  readonly isView: boolean
  /** Read by the statement of each page, as the proof of how complete its rows are. */
  readonly heartbeat?: Heartbeat | undefined
  /** Empty for a view. */
  readonly indexes: readonly Index[]
  /** The constant of this name, or less in a test. */
  readonly entriesMax: number
}

/** The columns that a record is read by: those of its fields, and those that are tested. */
export function listRecordColumns({
  projection,
  where,
  archived,
}: Pick<ResolvedTable, 'projection' | 'where' | 'archived'>): readonly FoundColumn[] {
  return [...listProjectedColumns(projection), ...where, ...archived]
}

/** The column of the collection's own table that decides on the workspace; undefined where it is constant. */
export function findWorkspaceColumn({ workspace }: Pick<ResolvedTable, 'workspace'>): Column | undefined {
  return workspace.kind === 'constant' ? undefined : findOwnColumn(workspace)
}

/** The tests that a record passes: those of `where`, and that none of `archived` holds. */
export function listVisibilityTests({ where, archived }: ResolvedTable): readonly RowTest[] {
  return [...where, ...archived.map(negate)]
}

/** The conditions of records of any workspace that are not archived; none where the mapping has no test. */
export function listUnarchived(table: ResolvedTable): readonly Sql[] {
  return listVisibilityTests(table).map((test) => testRow(test, table))
}

/** A table behind FROM, with an index hint where an index is given. */
export function from({ name }: ResolvedTable, index?: Index): Sql {
  return sql`${quote(name)}${hint(index?.name)}`
}

/** The order of lists. */
export function orderBy(time: Sql, id: Sql): Sql {
  return sql`order by ${time} asc, ${id} asc`
}
