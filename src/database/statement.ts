/** What a `?` is bound to. Numbers are bound as text, because a JavaScript number cannot hold every BIGINT. */
export type BoundValue = string | Buffer | null

/** A statement ready to run: its text, and a value for each `?` in order. */
export interface Statement {
  readonly sql: string
  readonly values: readonly BoundValue[]
  /** The same text without its index hint; it runs where the index does not exist any more. */
  readonly withoutIndexHint?: string | undefined
  /** Whether each row gets a cell `types`: the definitions of the columns of the result, as text. */
  readonly withTypes?: boolean
}

/** Cells by the name under which the statement selects them; only the readers in `values/` narrow them. */
export type Row = Readonly<Record<string, unknown>>

/** The rows that a statement returns for one record: more than one if its id or the key of a lookup is not unique. */
export type FoundRows = readonly [Row, ...Row[]]

/** The socket of a client. */
export interface ClientSocket {
  /** Whether the client has disconnected, so that no answer can be sent. */
  readonly destroyed: boolean
}

/** What the queue needs to know about a statement. */
export interface QueryContext {
  /** A statement in the queue is dropped when its client disconnects. */
  readonly socket?: ClientSocket | undefined
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

/** Whether a client has disconnected; an unknown one counts as connected. */
export function isDisconnected(socket: ClientSocket | undefined): boolean {
  return socket?.destroyed === true
}

/** The sockets of the clients of one statement as one: disconnected when all of them are. */
export function combineSockets(sockets: readonly (ClientSocket | undefined)[]): ClientSocket {
  return {
    get destroyed() {
      return sockets.every(isDisconnected)
    },
  }
}

/** Receives how long each statement took, from its sending to its last row, and whether it failed. */
export type OnStatement = (seconds: number, failed: boolean) => void
