/** Hands out a bounded number of places in turn, and holds a bounded number of those who wait for one. */
export interface WaitingLine {
  /** Runs the task once a place is free. @throws what `refuse` makes, when the line is full. */
  readonly run: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Whether a task would run at once. */
  readonly hasRoom: () => boolean
  readonly active: () => number
  readonly waiting: () => number
}

/**
 * A line before a bounded resource. The driver's own queue is not used: its refusal has no code, and nobody
 * can see or leave it.
 *
 * @param places how many tasks run at once.
 * @param limit how many may wait beside them.
 * @param refuse makes the error of one too many.
 */
export function createWaitingLine(places: number, limit: number, refuse: () => Error): WaitingLine {
  const line: (() => void)[] = []
  let active = 0

  const leave = (): void => {
    const next = line.shift()
    if (next === undefined) active -= 1
    else next()
  }

  const enter = async (): Promise<void> => {
    if (active < places) {
      active += 1
      return
    }
    if (line.length >= limit) throw refuse()
    // The place passes straight from who leaves to who waits, so no newcomer can slip in between.
    await new Promise<void>((resolve) => line.push(resolve))
  }

  return {
    run: async (task) => {
      await enter()
      try {
        return await task()
      } finally {
        leave()
      }
    },
    hasRoom: () => active < places,
    active: () => active,
    waiting: () => line.length,
  }
}
