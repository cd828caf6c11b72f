import type { QueryContext } from './statement.js'
import { createWaiters } from './waiters.js'
import type { WaitersConfig } from './waiters.js'

/** What is done at a place. */
type Task<Place, Result> = (place: Place) => Promise<Result>

/** Hands out a bounded number of places, and holds a bounded number of those who wait for one. */
export interface WaitingLine<Place, Wanted extends QueryContext> {
  /** Runs the task once a place is free. @throws what `refuse` or `giveUp` makes; it did not run then. */
  readonly run: <Result>(claim: Wanted, task: Task<Place, Result>) => Promise<Result>
  /** The same for one that had a place before: it waits before all others of its workspace, and is never one too many. */
  readonly runNext: <Result>(claim: Wanted, task: Task<Place, Result>) => Promise<Result>
  /** Whether a task would run at once. */
  readonly hasRoom: (claim: Wanted) => boolean
  /** Hands out what is free, once places changed by themselves. */
  readonly admit: () => void
  readonly waiting: () => number
}

/**
 * A line before a bounded resource. The driver's own queue is not used: its refusal has no code, and nobody
 * can see or leave it.
 */
export function createWaitingLine<Place, Wanted extends QueryContext>(
  config: WaitersConfig<Place, Wanted>,
): WaitingLine<Place, Wanted> {
  const { places } = config
  const waiters = createWaiters(config)

  const hold = async <Result>(place: Place, claim: Wanted, task: Task<Place, Result>): Promise<Result> => {
    try {
      return await task(place)
    } finally {
      places.giveBack(place, claim)
      // At once, so that no newcomer can slip in before who waits.
      waiters.admit(claim)
    }
  }

  const wait = <Result>(claim: Wanted, task: Task<Place, Result>, where: 'first' | 'last'): Promise<Result> =>
    new Promise((resolve, reject) => {
      const begin = (place: Place): void => {
        hold(place, claim, task).then(resolve, reject)
      }
      waiters.add({ claim, begin, reject }, where)
    })

  return {
    run: (claim, task) => {
      const place = places.take(claim)
      if (place !== undefined) return hold(place, claim, task)
      return waiters.hasRoom(claim) ? wait(claim, task, 'last') : Promise.reject(config.refuse())
    },
    runNext: (claim, task) => {
      const place = places.take(claim)
      return place === undefined ? wait(claim, task, 'first') : hold(place, claim, task)
    },
    hasRoom: places.hasRoom,
    admit: () => {
      waiters.admit()
    },
    waiting: waiters.count,
  }
}
