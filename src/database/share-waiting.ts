import { gather } from './claim.js'
import type { Caller, QueryContext } from './claim.js'
import type { BoundValue, Row, RunQuery, Statement } from './statement.js'

interface Shared {
  readonly rows: Promise<readonly Row[]>
  /** All who wait for it. */
  readonly callers: (Caller | undefined)[]
}

/** A line that statements are sent through. */
export interface StatementLine {
  /** Whether one would be sent at once. */
  readonly hasRoom: (claim: QueryContext) => boolean
  /** @param onSent told when it is about to be sent. */
  readonly send: (statement: Statement, claim: QueryContext, onSent?: () => void) => Promise<readonly Row[]>
}

/**
 * Runs statements in turn, and lets those that are the very same and still wait share one. What was sent is never
 * shared, so nobody sees data older than the own request; while there is room nothing is compared at all.
 */
export function shareWaiting({ hasRoom, send }: StatementLine): RunQuery {
  // By the text first: the same few texts come again and again, and are long to put together with the values.
  const waiting = new Map<string, Map<string, Shared>>()
  return (statement, claim = {}) => {
    if (hasRoom(claim)) return send(statement, claim)
    const { sql } = statement
    const alike = waiting.get(sql) ?? new Map<string, Shared>()
    waiting.set(sql, alike)
    const key = toKey(statement.values, claim)
    const same = alike.get(key)
    if (same !== undefined) {
      same.callers.push(claim.caller)
      return same.rows
    }
    const leave = (): void => {
      if (alike.get(key) === shared) alike.delete(key)
      if (alike.size === 0 && waiting.get(sql) === alike) waiting.delete(sql)
    }
    const callers = [claim.caller]
    const shared = { callers, rows: send(statement, { ...claim, caller: gather(callers) }, leave) }
    alike.set(key, shared)
    // One that is refused never runs; its caller is told by the promise itself.
    shared.rows.catch(leave)
    return shared.rows
  }
}

/** With the workspace, because a workspace that holds its share of the sessions must not delay another. */
function toKey(values: readonly BoundValue[], { workspaceId }: QueryContext): string {
  return JSON.stringify([workspaceId, values])
}
