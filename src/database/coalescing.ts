import { combineCallers } from './statement.js'
import type { BoundValue, Caller, QueryContext, Row, RunQuery, Statement } from './statement.js'

interface SharedStatement {
  readonly rows: Promise<readonly Row[]>
  /** The callers of all requests that share it. */
  readonly callers: (Caller | undefined)[]
}

/** How statements are queued and sent. */
export interface StatementQueue {
  /** Whether a statement would be sent at once. */
  readonly hasSlot: (context: QueryContext) => boolean
  /** @param onSent called just before the statement is sent. */
  readonly send: (statement: Statement, context: QueryContext, onSent: () => void) => Promise<readonly Row[]>
}

/**
 * Identical statements in the queue run once, and share their rows. A statement that was sent is not shared any more,
 * so no request gets data older than itself. Nothing is compared while a slot is free.
 */
export function coalesce({ hasSlot, send }: StatementQueue): RunQuery {
  // By text, then by values: there are few texts, and they are too long for a key of text and values together.
  const queued = new Map<string, Map<string, SharedStatement>>()
  return (statement, context = {}) => {
    if (hasSlot(context)) return send(statement, context, () => undefined)
    const { sql } = statement
    const sameText = queued.get(sql) ?? new Map<string, SharedStatement>()
    queued.set(sql, sameText)
    const key = toKey(statement.values, context)
    const identical = sameText.get(key)
    if (identical !== undefined) {
      identical.callers.push(context.caller)
      return identical.rows
    }
    const remove = (): void => {
      if (sameText.get(key) === shared) sameText.delete(key)
      if (sameText.size === 0 && queued.get(sql) === sameText) queued.delete(sql)
    }
    const callers = [context.caller]
    const rows = send(statement, { ...context, caller: combineCallers(callers) }, remove)
    const shared = { callers, rows }
    sameText.set(key, shared)
    // A statement that the queue rejects is never sent.
    rows.catch(remove)
    return rows
  }
}

/** With the workspace, because a workspace that uses its share of the sessions must not delay another. */
function toKey(values: readonly BoundValue[], { workspaceId }: QueryContext): string {
  return JSON.stringify([workspaceId, values])
}
