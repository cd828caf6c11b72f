import type { QueryContext } from './statement.js'

/** An amount that is limited, and the shares of it that a table and a workspace can have. */
export interface Limit {
  /** @param isShared whether the share of a workspace binds, because others need theirs. */
  readonly hasRoom: (context: QueryContext, amount: number, isShared: boolean) => boolean
  /** Adds an amount; a negative one gives it back. */
  readonly add: (context: QueryContext, amount: number) => void
  readonly total: () => number
  readonly hasTableRoom: (context: QueryContext, amount: number) => boolean
  readonly hasWorkspaceRoom: (context: QueryContext, amount: number) => boolean
  readonly countOfWorkspace: (context: QueryContext) => number
}

const tableShare = 0.8
const workspaceShare = 0.5

/**
 * A limit of which one table takes at most four fifths, because it can be locked, and one workspace at most half where that
 * binds. Both are rounded up. Statements without a table or a workspace have no share.
 */
export function createLimit(size: number): Limit {
  const [tableMax, workspaceMax] = [Math.ceil(size * tableShare), Math.ceil(size * workspaceShare)]
  const [tables, workspaces] = [new Map<string, number>(), new Map<string, number>()]
  let total = 0
  const fits = (
    amounts: ReadonlyMap<string, number>,
    name: string | undefined,
    more: number,
    max: number,
  ): boolean => name === undefined || (amounts.get(name) ?? 0) + more <= max
  const hasTableRoom = ({ table }: QueryContext, amount: number): boolean =>
    fits(tables, table, amount, tableMax)
  const hasWorkspaceRoom = ({ workspaceId }: QueryContext, amount: number): boolean =>
    fits(workspaces, workspaceId, amount, workspaceMax)
  return {
    hasRoom: (context, amount, isShared) =>
      total + amount <= size &&
      hasTableRoom(context, amount) &&
      (!isShared || hasWorkspaceRoom(context, amount)),
    hasTableRoom,
    hasWorkspaceRoom,
    countOfWorkspace: ({ workspaceId }) =>
      workspaceId === undefined ? 0 : (workspaces.get(workspaceId) ?? 0),
    add: ({ table, workspaceId }, amount) => {
      total += amount
      change(tables, table, amount)
      change(workspaces, workspaceId, amount)
    },
    total: () => total,
  }
}

/** Adds to the amount of a name. Names with the amount 0 are not kept. */
export function change(amounts: Map<string, number>, name: string | undefined, by: number): void {
  if (name === undefined) return
  const changed = (amounts.get(name) ?? 0) + by
  if (changed === 0) amounts.delete(name)
  else amounts.set(name, changed)
}
