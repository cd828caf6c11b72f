import type { Claim } from './claim.js'

/** A number of claims that has a limit, and a limit for those about one table: four fifths of it, rounded up. */
export interface ClaimCount {
  /** Whether one more may be added; without a claim, whether any may. */
  readonly hasRoom: (claim?: Claim) => boolean
  readonly add: (claim: Claim) => void
  readonly remove: (claim: Claim) => void
  readonly total: () => number
}

/** Counts claims from 0 on. */
export function createClaimCount(limit: number): ClaimCount {
  const share = Math.ceil(limit * 0.8)
  const byTable = new Map<string, number>()
  let total = 0
  const change = ({ table }: Claim, by: number): void => {
    total += by
    if (table !== undefined) byTable.set(table, (byTable.get(table) ?? 0) + by)
  }
  return {
    hasRoom: ({ table } = {}) => total < limit && (table === undefined || (byTable.get(table) ?? 0) < share),
    add: (claim) => {
      change(claim, 1)
    },
    remove: (claim) => {
      change(claim, -1)
    },
    total: () => total,
  }
}
