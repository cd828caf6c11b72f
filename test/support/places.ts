import { createClaimCount } from '../../src/db/claim-count.js'
import type { Claim } from '../../src/db/claim.js'
import { createWaitingLine } from '../../src/db/waiting-line.js'
import type { WaitingLine } from '../../src/db/waiting-line.js'

/** A line whose places are each as good as any other. */
export interface PlainLine extends WaitingLine<true, Claim> {
  readonly active: () => number
}

/** So many places, and a line before them. */
export function createPlainLine(count: number, limit: number, waitMs = 60_000): PlainLine {
  const claims = createClaimCount(count)
  const line = createWaitingLine<true, Claim>({
    places: {
      take: (claim) => {
        if (!claims.hasRoom(claim)) return undefined
        claims.add(claim)
        return true
      },
      giveBack: (_, claim) => {
        claims.remove(claim)
      },
      hasRoom: (claim) => claims.hasRoom(claim),
      isFull: () => !claims.hasRoom(),
      countHeld: claims.countAlike,
    },
    limit,
    refuse: () => new Error('full'),
    waitMs,
    giveUp: () => new Error('in vain'),
  })
  return { ...line, active: claims.total }
}
