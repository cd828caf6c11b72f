/**
 * Coalesces calls of a task. A call never receives the result of a run that began before it: all calls during a run share
 * the next run.
 */
export function createCoalescer<Result>(task: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  const start = (): Promise<Result> => {
    const run = task().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
  }
  return () => {
    if (running === undefined) return start()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
