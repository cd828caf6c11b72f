/**
 * Coalesces calls of a task, which never runs twice at a time. A call never receives the result of a run that began
 * before it: calls of one moment share a run, and all calls during that run share the next one.
 */
export function createCoalescer<Result>(task: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  const start = (): Promise<Result> => {
    next = undefined
    const run = task()
    running = run.catch(() => undefined)
    return run
  }
  return () => (next ??= running.then(start))
}
