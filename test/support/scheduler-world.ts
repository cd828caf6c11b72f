/** A caller who waits; `end` says that the answer was sent, or that the caller leaves. */
export function createTestCaller() {
  const tasks: (() => void)[] = []
  let hasEnded = false
  return {
    hasEnded: () => hasEnded,
    onEnd: (task: () => void): void => {
      tasks.push(task)
    },
    end: (): void => {
      if (hasEnded) return
      hasEnded = true
      for (const task of tasks) task()
    },
  }
}
