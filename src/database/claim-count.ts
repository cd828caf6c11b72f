import type { QueryContext } from './statement.js'

/**
 * A number of claims that has a limit. Claims of one table take at most four fifths of it. Claims of one workspace take
 * at most half of it while it is shared with other workspaces. Both shares are rounded up.
 */
export interface ClaimCount {
  /**
   * Whether one more may be added; without a claim, whether any may.
   *
   * @param isShared whether other workspaces need a share too.
   */
  readonly hasRoom: (claim?: QueryContext, isShared?: boolean) => boolean
  readonly hasTableRoom: (claim: QueryContext) => boolean
  readonly add: (claim: QueryContext) => void
  readonly remove: (claim: QueryContext) => void
  readonly total: () => number
  /** How many there are of the claim's workspace, or of none. */
  readonly countAlike: (claim: QueryContext) => number
}

/** Counts claims from 0 on. */
export function createClaimCount(limit: number): ClaimCount {
  const tables = createTally(Math.ceil(limit * 0.8))
  const workspaces = createTally(Math.ceil(limit * 0.5))
  let total = 0
  const change = ({ table, workspaceId }: QueryContext, by: number): void => {
    total += by
    tables.change(table, by)
    workspaces.change(workspaceId, by)
  }
  const hasTableRoom = ({ table }: QueryContext): boolean => table === undefined || tables.hasRoom(table)
  const hasWorkspaceRoom = ({ workspaceId }: QueryContext): boolean =>
    workspaceId === undefined || workspaces.hasRoom(workspaceId)
  return {
    hasRoom: (claim = {}, isShared = false) =>
      total < limit && hasTableRoom(claim) && (!isShared || hasWorkspaceRoom(claim)),
    hasTableRoom,
    add: (claim) => {
      change(claim, 1)
    },
    remove: (claim) => {
      change(claim, -1)
    },
    total: () => total,
    countAlike: ({ workspaceId }) => workspaces.count(workspaceId),
  }
}

/** Numbers by name, each with the same limit. Names with the number 0 are not kept. */
function createTally(share: number) {
  const counts = new Map<string | undefined, number>()
  const count = (name: string | undefined): number => counts.get(name) ?? 0
  return {
    count,
    hasRoom: (name: string | undefined): boolean => count(name) < share,
    change: (name: string | undefined, by: number): void => {
      const changed = count(name) + by
      if (changed === 0) counts.delete(name)
      else counts.set(name, changed)
    },
  }
}
