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

interface Waiter {
  /** By `performance.now()`. */
  readonly until: number
  readonly begin: () => void
  readonly reject: (error: Error) => void
}

/**
 * A line before a bounded resource. The driver's own queue is not used: its refusal has no code, and nobody
 * can see or leave it.
 */
export function createWaitingLine({ places, limit, refuse, waitMs, giveUp }: LineConfig): WaitingLine {
  const line: Waiter[] = []
  let active = 0
  let watching = false

  /** One timer for the whole line, since all wait equally long: one for each would cost as much as the place. */
  const watch = (): void => {
    const [first] = line
    if (watching || first === undefined) return
    watching = true
    // Whoever is in line waits for a task under way, and that is what keeps the process alive.
    setTimeout(dismiss, Math.max(1, first.until - performance.now())).unref()
  }

  const dismiss = (): void => {
    watching = false
    const now = performance.now()
    for (let [first] = line; first !== undefined && first.until <= now; [first] = line) {
      line.shift()
      first.reject(giveUp())
    }
    watch()
  }

  const hold = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    try {
      return await task()
    } finally {
      // The place passes straight from who leaves to who waits, so no newcomer can slip in between.
      const next = line.shift()
      if (next === undefined) active -= 1
      else next.begin()
    }
  }

  const wait = <Result>(task: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        hold(task).then(resolve, reject)
      }
      line.push({ until: performance.now() + waitMs, begin, reject })
      watch()
    })

  return {
    run: (task) => {
      if (active >= places) return line.length >= limit ? Promise.reject(refuse()) : wait(task)
      active += 1
      return hold(task)
    },
    hasRoom: () => active < places,
    active: () => active,
    waiting: () => line.length,
  }
}
