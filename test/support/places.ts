import { createClaimCount } from '../../src/database/claim-count.js'
import type { QueryContext } from '../../src/database/statement.js'
import { createWaitingLine } from '../../src/database/waiting-line.js'
import type { WaitingLine } from '../../src/database/waiting-line.js'

/** A line whose places are each as good as any other. */
export interface PlainLine extends WaitingLine<true, QueryContext> {
  readonly active: () => number
}

/** So many places, and a line before them. */
export function createPlainLine(count: number, limit: number, waitMs = 60_000): PlainLine {
  const claims = createClaimCount(count)
  const line = createWaitingLine<true, QueryContext>({
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
