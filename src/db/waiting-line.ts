import { createClaimCount } from './claim-count.js'
import type { Claim } from './claim.js'
import { createWaiters } from './waiters.js'

/** Hands out a bounded number of places in turn, and holds a bounded number of those who wait for one. */
export interface WaitingLine {
  /** Runs the task once a place is free. @throws what `refuse` or `giveUp` makes; it did not run then. */
  readonly run: <Result>(task: () => Promise<Result>, claim?: Claim) => Promise<Result>
  /** Whether a task would run at once. */
  readonly hasRoom: (claim?: Claim) => boolean
  readonly active: () => number
  readonly waiting: () => number
}

/** How long a line is, and what is told to those whom it cannot serve. */
export interface LineConfig {
  /** How many tasks run at once; those about one table take four fifths of them at most. */
  readonly places: number
  /** How many may wait beside them; those about one table four fifths of them again. */
  readonly limit: number
  /** Makes the error of one too many, and of one whose caller is gone. */
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
export function createWaitingLine({ places, ...config }: LineConfig): WaitingLine {
  const active = createClaimCount(places)
  const waiters = createWaiters(config)

  const hold = async <Result>(task: () => Promise<Result>, claim: Claim): Promise<Result> => {
    active.add(claim)
    try {
      return await task()
    } finally {
      active.remove(claim)
      // At once, so that no newcomer can slip in before who waits.
      waiters.admit(active.hasRoom)
    }
  }

  const wait = <Result>(task: () => Promise<Result>, claim: Claim): Promise<Result> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        hold(task, claim).then(resolve, reject)
      }
      waiters.add({ claim, begin, reject })
    })

  return {
    run: (task, claim = {}) => {
      if (active.hasRoom(claim)) return hold(task, claim)
      return waiters.hasRoom(claim) ? wait(task, claim) : Promise.reject(config.refuse())
    },
    hasRoom: active.hasRoom,
    active: active.total,
    waiting: waiters.count,
  }
}
