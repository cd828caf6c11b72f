/** What a `?` is bound to. Numbers are bound as text, because a JavaScript number cannot hold every BIGINT. */
export type BoundValue = string | Buffer | null

/** A statement ready to run: its text, and a value for each `?` in order. */
export interface Statement {
  readonly sql: string
  readonly values: readonly BoundValue[]
  /** The same text without its index hint; it runs where the index does not exist any more. */
  readonly withoutIndexHint?: string | undefined
}

/** Cells by the name under which the statement selects them; only the readers in `values/` narrow them. */
export type Row = Readonly<Record<string, unknown>>

/** The client of a request; a socket has this shape. */
export interface Caller {
  /** Whether the client has disconnected, so that no answer can be sent. */
  readonly destroyed: boolean
}

/** What the queue needs to know about a statement. */
export interface QueryContext {
  /** A statement in the queue is dropped when its caller disconnects. */
  readonly caller?: Caller | undefined
  /** The workspace whose rows are read; undefined for statements of no workspace, such as a key lookup. */
  readonly workspaceId?: string | undefined
  /** The table that is read; statements on one table, which may be locked, cannot take every session. */
  readonly table?: string | undefined
}

/**
 * Runs a statement on any healthy host.
 *
 * @throws Problem `database_unavailable` or `overloaded`; any other error is an error of the statement.
 */
export type RunQuery = (statement: Statement, context?: QueryContext) => Promise<readonly Row[]>

/** Whether a caller has disconnected; an unknown caller counts as connected. */
export function isDisconnected(caller: Caller | undefined): boolean {
  return caller?.destroyed === true
}

/** Several callers of one statement as one: disconnected when all of them are. */
export function combineCallers(callers: readonly (Caller | undefined)[]): Caller {
  return {
    get destroyed() {
      return callers.every(isDisconnected)
    },
  }
}

/** Receives how long each statement took, from its sending to its last row, and whether it failed. */
export type OnStatement = (seconds: number, failed: boolean) => void
