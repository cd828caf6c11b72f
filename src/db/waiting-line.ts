/** Hands out a bounded number of places in turn, and holds a bounded number of those who wait for one. */
export interface WaitingLine {
  /** Runs the task once a place is free. @throws what `refuse` or `giveUp` makes; it did not run then. */
  readonly run: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Whether a task would run at once. */
  readonly hasRoom: () => boolean
  readonly active: () => number
  readonly waiting: () => number
}

/** How long a line is, and what is told to those whom it cannot serve. */
export interface LineConfig {
  /** How many tasks run at once. */
  readonly places: number
  /** How many may wait beside them. */
  readonly limit: number
  /** Makes the error of one too many. */
  readonly refuse: () => Error
  /** How long a task waits at most, in milliseconds: what holds the places may hold them for long. */
  readonly waitMs: number
  /** Makes the error of one who waited in vain. */
  readonly giveUp: () => Error
}

/**
 * A line before a bounded resource. The driver's own queue is not used: its refusal has no code, and nobody
 * can see or leave it.
 */
export function createWaitingLine({ places, limit, refuse, waitMs, giveUp }: LineConfig): WaitingLine {
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
    await new Promise<void>((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(take), 1)
        reject(giveUp())
      }, waitMs)
      line.push(take)
    })
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
