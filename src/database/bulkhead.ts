import type { QueryContext } from './statement.js'

/**
 * Counts statements up to a limit. One table takes at most four fifths of it, because the table can be locked. One
 * workspace takes at most half of it while other workspaces need a share. Both shares are rounded up.
 */
export interface Bulkhead {
  /**
   * Whether one more statement may be added; without a context, whether any may.
   *
   * @param isShared whether other workspaces need a share.
   */
  readonly hasRoom: (context?: QueryContext, isShared?: boolean) => boolean
  readonly hasTableRoom: (context: QueryContext) => boolean
  readonly add: (context: QueryContext) => void
  readonly remove: (context: QueryContext) => void
  readonly total: () => number
  /** The number of statements of the same workspace, or of no workspace. */
  readonly countOfWorkspace: (context: QueryContext) => number
}

const tableShare = 0.8
const workspaceShare = 0.5

/** A bulkhead without statements. */
export function createBulkhead(limit: number): Bulkhead {
  const tables = createCounts(Math.ceil(limit * tableShare))
  const workspaces = createCounts(Math.ceil(limit * workspaceShare))
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
    hasRoom: (context = {}, isShared = false) =>
      total < limit && hasTableRoom(context) && (!isShared || hasWorkspaceRoom(context)),
    hasTableRoom,
    add: (context) => {
      change(context, 1)
    },
    remove: (context) => {
      change(context, -1)
    },
    total: () => total,
    countOfWorkspace: ({ workspaceId }) => workspaces.count(workspaceId),
  }
}

/** Numbers by name, each with the same limit. Names with the number 0 are not kept. */
function createCounts(share: number) {
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
