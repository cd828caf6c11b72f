import { gather } from './claim.js'
import type { Caller } from './claim.js'
import type { BoundValue, Row, RunQuery } from './statement.js'
import type { WaitingLine } from './waiting-line.js'

interface Shared {
  readonly rows: Promise<readonly Row[]>
  /** All who wait for it. */
  readonly callers: (Caller | undefined)[]
}

/**
 * Runs statements in turn, and lets those that are the very same and still wait share one. What was sent is never
 * shared, so nobody sees data older than the own request; while there is room nothing is compared at all.
 */
export function shareWaiting(line: WaitingLine, run: RunQuery): RunQuery {
  // By the text first: the same few texts come again and again, and are long to put together with the values.
  const waiting = new Map<string, Map<string, Shared>>()
  return (statement, claim = {}) => {
    if (line.hasRoom(claim)) return line.run(() => run(statement, claim), claim)
    const { sql } = statement
    const alike = waiting.get(sql) ?? new Map<string, Shared>()
    waiting.set(sql, alike)
    const key = toKey(statement.values)
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
    const begin = (): Promise<readonly Row[]> => {
      leave()
      return run(statement, claim)
    }
    const shared = { callers, rows: line.run(begin, { ...claim, caller: gather(callers) }) }
    alike.set(key, shared)
    // One that is refused never runs; its caller is told by the promise itself.
    shared.rows.catch(leave)
    return shared.rows
  }
}

function toKey(values: readonly BoundValue[]): string {
  return JSON.stringify(values)
}
