/** Time limits of the same length, with one timer for all of them. */
export interface Deadlines {
  /** Starts a time limit. `onPassed` is called once, unless it ends before. */
  readonly start: (onPassed: () => void) => Deadline
}

/** A running time limit. */
export interface Deadline {
  /** Ends it. @returns whether it has not passed. */
  readonly end: () => boolean
}

interface Link {
  readonly onPassed: () => void
  /** By `performance.now()`. */
  readonly at: number
  isOver: boolean
  before: Link | undefined
  after: Link | undefined
}

/**
 * Time limits that pass in the order in which they were started: one timer waits for the first of them, because a timer
 * for each statement would cost as much as all else in the scheduler. The timer does not keep the process alive.
 */
export function createDeadlines(ms: number): Deadlines {
  let [first, last]: [Link | undefined, Link | undefined] = [undefined, undefined]
  let timer: NodeJS.Timeout | undefined

  const remove = (link: Link): void => {
    link.isOver = true
    if (link.before === undefined) first = link.after
    else link.before.after = link.after
    if (link.after === undefined) last = link.before
    else link.after.before = link.before
  }
  const wait = (delayMs: number): void => {
    timer = setTimeout(check, Math.max(1, delayMs)).unref()
  }
  const check = (): void => {
    const now = performance.now()
    while (first !== undefined && first.at <= now) {
      const { onPassed } = first
      remove(first)
      onPassed()
    }
    if (first === undefined) timer = undefined
    else wait(first.at - now)
  }
  return {
    start: (onPassed) => {
      const link: Link = {
        onPassed,
        at: performance.now() + ms,
        isOver: false,
        before: last,
        after: undefined,
      }
      if (last === undefined) first = link
      else last.after = link
      last = link
      if (timer === undefined) wait(ms)
      return {
        end: () => {
          if (link.isOver) return false
          remove(link)
          return true
        },
      }
    },
  }
}
