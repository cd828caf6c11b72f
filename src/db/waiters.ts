import { createClaimCount } from './claim-count.js'
import { isGone } from './claim.js'
import type { Claim } from './claim.js'

/** One who waits for a place. */
interface Waiter<Place, Wanted> {
  readonly claim: Wanted
  readonly begin: (place: Place) => void
  readonly reject: (error: Error) => void
}

interface Waiting<Place, Wanted> extends Waiter<Place, Wanted> {
  /** By `performance.now()`. */
  readonly until: number
}

/** A bounded number of those who wait, in the order in which they came. */
export interface Waiters<Place, Wanted> {
  /** Whether one more may wait. */
  readonly hasRoom: (claim: Wanted) => boolean
  /** Adds one, behind all others or before them. */
  readonly add: (waiter: Waiter<Place, Wanted>, where: 'first' | 'last') => void
  /** Lets those begin for whom there is a place, and no more than so many. */
  readonly admit: (take: (claim: Wanted) => Place | undefined, most: number) => void
  readonly count: () => number
}

/** How many may wait, for how long, and what is told to those who may not. */
export interface WaitersConfig {
  /** How many wait at most; those about one table four fifths of them. */
  readonly limit: number
  /** How long each waits at most, in milliseconds: what is waited for may be held for long. */
  readonly waitMs: number
  /** Makes the error of one too many, and of one whose caller is gone. */
  readonly refuse: () => Error
  /** Makes the error of one who waited in vain. */
  readonly giveUp: () => Error
}

/** Nobody waits for longer than `waitMs`, and who is gone makes room for another. */
export function createWaiters<Place, Wanted extends Claim>({
  limit,
  waitMs,
  refuse,
  giveUp,
}: WaitersConfig): Waiters<Place, Wanted> {
  const line: Waiting<Place, Wanted>[] = []
  const count = createClaimCount(limit)
  const take = (at: number): Waiter<Place, Wanted> | undefined => {
    const [waiter] = line.splice(at, 1)
    if (waiter !== undefined) count.remove(waiter.claim)
    return waiter
  }

  const dismiss = (isOut: (one: Waiting<Place, Wanted>) => boolean, toError: () => Error): void => {
    for (const one of line.filter(isOut)) take(line.indexOf(one))?.reject(toError())
  }

  const watch = createWatch(line, (now) => {
    dismiss(({ until }) => until <= now, giveUp)
  })

  return {
    hasRoom: (claim) => {
      if (!count.hasRoom(claim)) dismiss(({ claim: { caller } }) => isGone(caller), refuse)
      return count.hasRoom(claim)
    },
    add: ({ claim, begin, reject }, where) => {
      count.add(claim)
      const one = { claim, begin, reject, until: performance.now() + waitMs }
      if (where === 'first') line.unshift(one)
      else line.push(one)
      watch()
    },
    admit: (takePlace, most) => {
      let left = most
      for (let at = 0; left > 0;) {
        const one = line[at]
        if (one === undefined) return
        const gone = isGone(one.claim.caller)
        const place = gone ? undefined : takePlace(one.claim)
        if (gone) take(at)?.reject(refuse())
        else if (place === undefined) at += 1
        else {
          take(at)?.begin(place)
          left -= 1
        }
      }
    },
    count: () => line.length,
  }
}

/** One timer for the whole line: one for each would cost as much as the place. */
function createWatch(line: readonly { readonly until: number }[], onLate: (now: number) => void): () => void {
  let watching = false
  const watch = (): void => {
    if (watching || line.length === 0) return
    watching = true
    const until = line.reduce((least, one) => Math.min(least, one.until), Infinity)
    const wake = (): void => {
      watching = false
      onLate(performance.now())
      watch()
    }
    // Whoever is in line waits for a task under way, and that is what keeps the process alive.
    setTimeout(wake, Math.max(1, until - performance.now())).unref()
  }
  return watch
}
