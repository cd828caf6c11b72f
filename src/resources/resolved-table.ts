import type { Column, Index } from '../database/column.js'
import type { IdentifierKind } from '../values/identifier.js'

/** A column of identifiers, which callers send and see as text. */
export interface IdentifierColumn {
  readonly column: Column
  readonly identifier: IdentifierKind
}

/** A status column; `values` gives the public word of each stored value, where the mapping lists them. */
export interface StatusColumn extends IdentifierColumn {
  readonly values: ReadonlyMap<string, string> | undefined
}

/** A column of points in time, and the offset that its text is written in. */
export interface TimeColumn {
  readonly column: Column
  /** Minutes east of UTC. */
  readonly offsetMinutes: number
}

/** A table that links invoices to events. */
export interface EventLink {
  readonly table: string
  readonly invoice: IdentifierColumn
  readonly event: IdentifierColumn
}

/** One thing that makes a record archived: a column that is not NULL, or that equals a value. */
export interface ArchivedTest {
  readonly column: Column
  /** Undefined where any value at all means archived. */
  readonly equals: string | undefined
}

/** A column that a statement selects, and the name that the reader of its cell uses. */
export interface Projected {
  readonly as: string
  readonly column: Column
}

/** A mapped table or view with the server's own columns: all that a statement needs of a resource. */
export interface ResolvedTable {
  readonly name: string
  readonly workspace: IdentifierColumn
  readonly archived: readonly ArchivedTest[]
  readonly projection: readonly Projected[]
  readonly id: IdentifierColumn
  readonly eventId: IdentifierColumn | EventLink
  readonly status: StatusColumn
  readonly updatedAt: TimeColumn
  /** Empty for a view. */
  readonly indexes: readonly Index[]
}
