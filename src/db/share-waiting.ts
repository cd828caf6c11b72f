import type { BoundValue, Row, RunQuery } from './statement.js'
import type { WaitingLine } from './waiting-line.js'

/**
 * Runs statements in turn, and lets those that are the very same and still wait share one. What was sent is never
 * shared, so nobody sees data older than the own request; while there is room nothing is compared at all.
 */
export function shareWaiting(line: WaitingLine, run: RunQuery): RunQuery {
  // By the text first: the same few texts come again and again, and are long to put together with the values.
  const waiting = new Map<string, Map<string, Promise<readonly Row[]>>>()
  return (statement) => {
    if (line.hasRoom()) return line.run(() => run(statement))
    const { sql } = statement
    const alike = waiting.get(sql) ?? new Map<string, Promise<readonly Row[]>>()
    waiting.set(sql, alike)
    const key = toKey(statement.values)
    const same = alike.get(key)
    if (same !== undefined) return same
    const leave = (): void => {
      if (alike.get(key) === shared) alike.delete(key)
      if (alike.size === 0 && waiting.get(sql) === alike) waiting.delete(sql)
    }
    const shared = line.run(() => {
      leave()
      return run(statement)
    })
    alike.set(key, shared)
    // One that is refused never runs; its caller is told by the promise itself.
    shared.catch(leave)
    return shared
  }
}

function toKey(values: readonly BoundValue[]): string {
  return JSON.stringify(values)
}
