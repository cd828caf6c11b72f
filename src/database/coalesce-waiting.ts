import type { SendStatement } from './failover.js'
import { combineSockets } from './statement.js'
import type { ClientSocket, Row, RunQuery, Statement } from './statement.js'

/** A statement in the queue. */
interface Waiting {
  readonly rows: Promise<readonly Row[]>
  /** Of all who wait for it. */
  readonly sockets: (ClientSocket | undefined)[]
}

/**
 * Lets those who ask for the very same share a statement that is still in the queue: callers who repeat a request because
 * the database is slow do not make it slower. A statement that was sent is never shared, so no answer is older than its
 * request. While no statement is in the queue, nothing is compared.
 */
export function coalesceWaiting(send: SendStatement): RunQuery {
  const waiting = new Map<string, Waiting>()
  return (statement, context = {}) => {
    let key = waiting.size === 0 ? undefined : toKey(statement)
    const same = key === undefined ? undefined : waiting.get(key)
    if (same !== undefined) {
      same.sockets.push(context.socket)
      return same.rows
    }
    const own = { sockets: [context.socket], hasLeft: false }
    const leave = (): void => {
      own.hasLeft = true
      if (key !== undefined && waiting.get(key)?.sockets === own.sockets) waiting.delete(key)
    }
    const rows = send(statement, { ...context, socket: combineSockets(own.sockets), onSent: leave })
    if (own.hasLeft) return rows
    key ??= toKey(statement)
    waiting.set(key, { rows, sockets: own.sockets })
    // The queue may reject it instead.
    rows.catch(leave)
    return rows
  }
}

function toKey({ sql, values }: Statement): string {
  return JSON.stringify([sql, values])
}
