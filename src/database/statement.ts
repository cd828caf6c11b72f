import type { QueryContext } from './claim.js'

/** What a placeholder is bound to; numbers go as text, since JavaScript's cannot hold a BIGINT. */
export type BoundValue = string | Buffer | null

/** A statement ready to run: its text, and a value for each `?` in turn. */
export interface Statement {
  readonly sql: string
  readonly values: readonly BoundValue[]
  /** The same statement without its index hint, for when the index has vanished since the start. */
  readonly fallback?: string | undefined
}

/** Cells by the name that the statement selects them under; only the readers in `values/` narrow them. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Runs a statement on any healthy connection.
 *
 * @throws Problem `database_unavailable` or `overloaded`; anything else is a fault of the statement.
 */
export type RunQuery = (statement: Statement, claim?: QueryContext) => Promise<readonly Row[]>
