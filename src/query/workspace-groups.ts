import { isDisconnected } from '../database/statement.js'
import type { Caller } from '../database/statement.js'
import { findLongest } from '../database/queue.js'

/** One who waits. */
interface Member {
  readonly workspaceId: string
  readonly caller?: Caller | undefined
  readonly reject: (error: unknown) => void
}

/** A bounded number of those who wait, by their workspaces. */
export interface WorkspaceGroups<One extends Member> {
  /** @throws what `refuse` makes, when too many wait already. */
  readonly add: (one: One) => void
  /** Some of one workspace, those who came first to it; empty when nobody waits. */
  readonly take: (countMax: number) => readonly One[]
  readonly count: () => number
}

/**
 * Workspaces take turns. Those whose callers are gone are let go with what `refuse` makes: when their turn comes, or
 * when another needs their room. When the limit is reached, the workspace with the most requests loses its newest to a
 * workspace with fewer.
 */
export function createWorkspaceGroups<One extends Member>(
  limit: number,
  refuse: () => Error,
): WorkspaceGroups<One> {
  const groups = new Map<string, One[]>()
  let count = 0

  const dismissGone = (): void => {
    for (const [workspaceId, members] of groups) {
      const there = keepThere(members, refuse)
      count -= members.length - there.length
      if (there.length === 0) groups.delete(workspaceId)
      else groups.set(workspaceId, there)
    }
  }

  /** The newest of the workspace that has the most, where one more of this workspace would still be fewer. */
  const displace = (workspaceId: string): void => {
    const most = findLongest([...groups.values()])
    if (most.length <= (groups.get(workspaceId)?.length ?? 0) + 1) return
    most.pop()?.reject(refuse())
    count -= 1
  }

  const take = (countMax: number): readonly One[] => {
    for (const [workspaceId, members] of groups) {
      const taken = members.splice(0, countMax)
      count -= taken.length
      // The rest of a workspace goes to the end, so that a busy one does not hold up the others.
      groups.delete(workspaceId)
      if (members.length > 0) groups.set(workspaceId, members)
      const there = keepThere(taken, refuse)
      if (there.length > 0) return there
    }
    return []
  }

  return {
    add: (one) => {
      if (count >= limit) dismissGone()
      if (count >= limit) displace(one.workspaceId)
      if (count >= limit) throw refuse()
      count += 1
      const members = groups.get(one.workspaceId)
      if (members === undefined) groups.set(one.workspaceId, [one])
      else members.push(one)
    },
    take,
    count: () => count,
  }
}

/** Those whose callers are there; the others are rejected. */
function keepThere<One extends Member>(members: readonly One[], refuse: () => Error): One[] {
  return members.filter(({ caller, reject }) => {
    const gone = isDisconnected(caller)
    if (gone) reject(refuse())
    return !gone
  })
}
