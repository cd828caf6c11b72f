import { createClaimCount } from './claim-count.js'
import type { Claim } from './claim.js'

/** One who waits for a place. */
interface Waiter {
  readonly claim: Claim
  readonly begin: () => void
  readonly reject: (error: Error) => void
}

/** A bounded number of those who wait, in the order in which they came. */
export interface Waiters {
  /** Whether one more may wait. */
  readonly hasRoom: (claim: Claim) => boolean
  readonly add: (waiter: Waiter) => void
  /** Lets those begin for whom there is room, as long as there is. */
  readonly admit: (hasRoom: (claim?: Claim) => boolean) => void
  readonly count: () => number
}

interface WaitersConfig {
  readonly limit: number
  readonly waitMs: number
  /** Makes the error of one whose caller is gone. */
  readonly refuse: () => Error
  /** Makes the error of one who waited in vain. */
  readonly giveUp: () => Error
}

/** Nobody waits for longer than `waitMs`, and who is gone makes room for another. */
export function createWaiters({ limit, waitMs, refuse, giveUp }: WaitersConfig): Waiters {
  const line: (Waiter & { readonly until: number })[] = []
  const count = createClaimCount(limit)
  let watching = false

  /** One timer for the whole line, since all wait equally long: one for each would cost as much as the place. */
  const watch = (): void => {
    const [first] = line
    if (watching || first === undefined) return
    watching = true
    // Whoever is in line waits for a task under way, and that is what keeps the process alive.
    setTimeout(dismissLate, Math.max(1, first.until - performance.now())).unref()
  }

  const take = (at: number): Waiter | undefined => {
    const [waiter] = line.splice(at, 1)
    if (waiter !== undefined) count.remove(waiter.claim)
    return waiter
  }

  const dismissLate = (): void => {
    watching = false
    const now = performance.now()
    for (let [first] = line; first !== undefined && first.until <= now; [first] = line)
      take(0)?.reject(giveUp())
    watch()
  }

  const dismissGone = (): void => {
    for (let at = line.length - 1; at >= 0; at -= 1) if (isGone(line[at])) take(at)?.reject(refuse())
  }

  return {
    hasRoom: (claim) => {
      if (!count.hasRoom(claim)) dismissGone()
      return count.hasRoom(claim)
    },
    add: (waiter) => {
      count.add(waiter.claim)
      line.push({ ...waiter, until: performance.now() + waitMs })
      watch()
    },
    admit: (hasRoom) => {
      for (let at = 0; at < line.length && hasRoom();) {
        if (isGone(line[at])) take(at)?.reject(refuse())
        else if (hasRoom(line[at]?.claim)) take(at)?.begin()
        else at += 1
      }
    },
    count: () => line.length,
  }
}

function isGone(waiter: Waiter | undefined): boolean {
  return waiter?.claim.caller?.destroyed === true
}
