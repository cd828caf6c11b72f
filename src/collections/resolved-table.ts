import type { Column, Index } from '../database/column.js'
import type { Heartbeat } from '../database/heartbeat.js'
import type { IdentifierKind } from '../values/identifiers.js'
import type { EpochUnit } from '../values/epoch.js'
import type { Zone } from '../values/instant.js'

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
  readonly kind?: 'column'
  readonly column: Column
  readonly lookup?: Lookup | undefined
  /** Of a time of change that is NULL before the first one: the column that counts instead. */
  readonly untilChanged?: Column | undefined
}

/** A column that a lookup reads. */
export type LookupColumn<Found extends FoundColumn = FoundColumn> = Found & { readonly lookup: Lookup }

/** A column of identifiers, which callers send and see as text. */
export interface IdentifierColumn extends FoundColumn {
  readonly kind: 'column'
  readonly identifier: IdentifierKind
}

/** Where a workspace or an event is: in a column, or the same for all records. */
export type IdentifierPlace = IdentifierColumn | { readonly kind: 'constant'; readonly constant: string }

/** A status column; `values` gives the public word of each stored value, where the mapping lists them. */
export interface StatusColumn extends IdentifierColumn {
  readonly values: ReadonlyMap<string, string> | undefined
  /** The public word of every other stored value; undefined where a row with such a value is invalid. */
  readonly otherwise: string | undefined
}

/** A status that follows from several columns: that of the first case that holds. */
export interface StatusCases {
  readonly kind: 'cases'
  /** Each with its public word. */
  readonly cases: readonly { readonly test: RowTest; readonly then: string }[]
  /** The public word where no case holds; undefined where such a row is invalid. */
  readonly otherwise: string | undefined
}

/** A column of points in time, and how its cells are written. */
export interface TimeColumn extends FoundColumn {
  /** The zone of the text of the cells; undefined for UTC. */
  readonly zone: Zone | undefined
  /** The unit of integers since 1970-01-01 UTC; undefined for a column of dates and times. */
  readonly epoch?: EpochUnit | undefined
}

/** A table that links invoices to events. */
export interface EventLink {
  readonly kind: 'link'
  readonly table: string
  readonly invoice: IdentifierColumn
  readonly event: IdentifierColumn
}

/** The places that can have the event of a record. */
export interface EventPlaces {
  readonly kind: 'places'
  readonly places: readonly IdentifierPlace[]
}

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

/** A column that a statement selects, and the name that the reader of its cell uses. */
export interface ProjectedColumn extends FoundColumn {
  readonly as: string
  /** The path of the value in the JSON document of the column, whose JSON is selected in its place. */
  readonly json?: string | undefined
  /** Where its bytes are text of another character set than the column's, they are selected. */
  readonly charset?: 'utf8-in-latin1' | undefined
  /** For the sum of all rows that the lookup finds: what a NULL among them makes of it. */
  readonly sumNull?: 'null' | 'zero'
}

/** What a statement selects for a reader: a column, or a word that the server chooses. */
export type Projected = ProjectedColumn | (StatusCases & Pick<ProjectedColumn, 'as'>)

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
  /** What the filter `eventId` compares: the first place with an event, a constant last; undefined where no record has one. */
  readonly eventId: EventPlaces | EventLink | undefined
  readonly status: StatusColumn | StatusCases
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

/** The columns that a projection reads, of the collection's own table and of lookups. */
export function listProjectedColumns(projection: readonly Projected[]): readonly FoundColumn[] {
  return projection.flatMap((one): readonly FoundColumn[] =>
    one.kind === 'cases' ? one.cases.map(({ test }) => test) : [one],
  )
}

/** The columns that a record is read by: those of its fields, and those that are tested. */
export function listRecordColumns({
  projection,
  where,
  archived,
}: Pick<ResolvedTable, 'projection' | 'where' | 'archived'>): readonly FoundColumn[] {
  return [...listProjectedColumns(projection), ...where, ...archived]
}

/** The columns of places. */
export function listColumns(...places: readonly IdentifierPlace[]): readonly IdentifierColumn[] {
  return places.flatMap((place) => (place.kind === 'column' ? [place] : []))
}

/** The columns that can have the event of a record; none where a table links them. */
export function listEventColumns(eventId: ResolvedTable['eventId']): readonly IdentifierColumn[] {
  return eventId?.kind === 'places' ? listColumns(...eventId.places) : []
}

/** The one column that has the event of a record; undefined where several have it, a constant or a link table. */
export function findEventColumn({ eventId }: Pick<ResolvedTable, 'eventId'>): IdentifierColumn | undefined {
  const [one, ...others] = eventId?.kind === 'places' ? eventId.places : []
  return one?.kind === 'column' && others.length === 0 ? one : undefined
}

/** Whether a statement reads all rows of a lookup, to sum them. */
export function isSum(one: Projected): one is LookupColumn<ProjectedColumn> {
  return one.kind !== 'cases' && one.sumNull !== undefined
}

/** The column of the collection's own table by which a column is found: itself, or the one that its lookup begins with. */
export function findOwnColumn({ column, lookup }: FoundColumn): Column {
  return lookup === undefined ? column : findOwnColumn(lookup.on)
}

/** The column of the collection's own table that decides on the workspace; undefined where it is constant. */
export function findWorkspaceColumn({ workspace }: Pick<ResolvedTable, 'workspace'>): Column | undefined {
  return workspace.kind === 'constant' ? undefined : findOwnColumn(workspace)
}

/** Rows that stand in the order of a list by one index. */
export interface TimeRange {
  /** The column that has the time of these rows. */
  readonly column: Column
  /** Whether these are rows without a change: NULL in the column of changes, or a zero date there. */
  readonly unchanged?: 'null' | 'zero'
}

/** The ranges of which a page is merged: one, unless the time of change can be NULL. */
export function listTimeRanges({ column, untilChanged }: TimeColumn): readonly TimeRange[] {
  if (untilChanged === undefined) return [{ column }]
  return [
    { column },
    { column: untilChanged, unchanged: 'null' },
    // Of a column that is NOT NULL, IS NULL finds zero dates too.
    ...(column.mayBeZero === true && column.nullable && column.kind !== 'integer'
      ? [{ column: untilChanged, unchanged: 'zero' } as const]
      : []),
  ]
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
