/**
 * Coalesces calls of a task, which never runs twice at a time. A call never receives the result of a run that began before it: all calls during a run share
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
    // Between the end of a run and the start of the next, only the next may start.
    if (next !== undefined) return next
    if (running === undefined) return start()
    next = running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
