import type { FieldPacket } from 'mysql2'
import type { Column } from './column.js'

/** What a `?` is bound to. Numbers are bound as text, because a JavaScript number cannot hold every BIGINT. */
export type BoundValue = string | Buffer | null

/** A statement ready to run: its text, and a value for each `?` in order. */
export interface Statement<Result = readonly Row[]> {
  readonly sql: string
  readonly values: readonly BoundValue[]
  /** The same without its index hint and with its guards; it runs where the index does not exist any more, or a row fails it. */
  readonly secondForm?: string | undefined
  /** What the definitions of its columns have to say; undefined where nothing depends on their types. */
  readonly columns?: readonly ResultColumn[] | undefined
  /** Makes the result of its rows and its `input`: what V8 optimized of a function of one request is lost with it. */
  readonly toResult?: (rows: readonly Row[], input: never) => Result
  readonly input?: unknown
}

/** A column of a result. */
export interface ResultColumn {
  readonly name: string
  /** The column of a table whose type it has; undefined where the statement makes the value. */
  readonly column: Column | undefined
}

/** The definitions of the columns of a result, as the driver gives them. */
export type ColumnDefinitions = readonly FieldPacket[]

/** Cells by the name under which the statement selects them; only the readers in `values/` narrow them. */
export type Row = Readonly<Record<string, unknown>>

/** Who waits for the answer to a request. */
export interface Caller {
  /** Whether the answer was sent, or cannot be sent because the caller has left. */
  readonly hasEnded: () => boolean
}

/** What the scheduler needs to know about a statement. */
export interface QueryContext {
  /** A waiting statement is dropped if its caller leaves. */
  readonly caller?: Caller | undefined
  /** The workspace whose rows are read; undefined for statements of no workspace, such as a key lookup. */
  readonly workspaceId?: string | undefined
  /** The table that is read; statements on one table, which may be locked, cannot take every session. */
  readonly table?: string | undefined
}

/**
 * Runs a statement.
 *
 * @throws Problem `database_unavailable` or `overloaded`; any other error is an error of the statement.
 */
export type RunStatement = <Result = readonly Row[]>(
  statement: Statement<Result>,
  context?: QueryContext,
) => Promise<Result>

/** The same for statements whose result is rows. */
export type RunQuery = (statement: Statement, context?: QueryContext) => Promise<readonly Row[]>

/** What happens in the database layer. The time of a statement is that from its sending to its last row. */
export type DatabaseEvent =
  | { readonly kind: 'statement'; readonly seconds: number; readonly hasFailed: boolean }
  | { readonly kind: 'database unreachable'; readonly err: unknown }
  | { readonly kind: 'database reachable' }
  /** A result had rows of another request, and its session was closed. */
  | { readonly kind: 'foreign rows'; readonly reason: string }
