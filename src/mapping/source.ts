import type { Column, Index } from '../database/column.js'
import type { IdentifierKind } from '../values/identifier.js'

/** A column whose values callers send and see as text. */
export interface IdentifierColumn {
  readonly column: Column
  readonly identifier: IdentifierKind
}

/** A status column; `values` gives the public word of each stored one, where the mapping has such a list. */
export interface StatusColumn extends IdentifierColumn {
  readonly values: ReadonlyMap<string, string> | undefined
}

/** A column of points in time, and the offset that its text is written in. */
export interface TimeColumn {
  readonly column: Column
  /** Minutes east of UTC. */
  readonly offsetMinutes: number
}

/** A table that says which invoices belong to which events. */
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

/** What a statement needs to know of a collection's table; columns are the server's own. */
export interface ResolvedTable {
  readonly name: string
  readonly workspace: IdentifierColumn
  readonly archived: readonly ArchivedTest[]
  /** What each row holds, under the names that the mappers read. */
  readonly selected: readonly { readonly as: string; readonly column: Column }[]
  readonly id: IdentifierColumn
  readonly eventId: IdentifierColumn | EventLink
  readonly status: StatusColumn
  readonly updatedAt: TimeColumn
  readonly indexes: readonly Index[]
}
