import type { Caller } from '../../src/database/statement.js'

/** A caller of a test. */
export interface TestCaller extends Caller {
  readonly onEnd: (task: () => void) => void
  /** The answer was sent, or the caller leaves. */
  readonly end: () => void
}

/** A caller who waits. */
export function createTestCaller(): TestCaller {
  const tasks: (() => void)[] = []
  let hasEnded = false
  return {
    hasEnded: () => hasEnded,
    onEnd: (task) => tasks.push(task),
    end: () => {
      if (hasEnded) return
      hasEnded = true
      for (const task of tasks) task()
    },
  }
}
