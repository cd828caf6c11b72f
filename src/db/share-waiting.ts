import type { Row, RunQuery, Statement } from './statement.js'
import type { WaitingLine } from './waiting-line.js'

/**
 * Runs statements in turn, and lets those that are the very same and still wait share one. What was sent is never
 * shared, so nobody sees data older than the own request; while there is room nothing is compared at all.
 */
export function shareWaiting(line: WaitingLine, run: RunQuery): RunQuery {
  const waiting = new Map<string, Promise<readonly Row[]>>()
  return (statement) => {
    if (line.hasRoom()) return line.run(() => run(statement))
    const key = toKey(statement)
    const same = waiting.get(key)
    if (same !== undefined) return same
    const leave = (): void => {
      if (waiting.get(key) === shared) waiting.delete(key)
    }
    const shared = line.run(() => {
      leave()
      return run(statement)
    })
    waiting.set(key, shared)
    // One that is refused never runs; its caller is told by the promise itself.
    shared.catch(leave)
    return shared
  }
}

function toKey({ sql, values }: Statement): string {
  return JSON.stringify([sql, values])
}
