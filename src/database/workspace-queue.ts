import { createClaimCount } from './claim-count.js'
import { isDisconnected } from './statement.js'
import type { QueryContext } from './statement.js'

/** One request in the queue. */
interface Queued {
  readonly claim: QueryContext
  readonly reject: (error: Error) => void
}

/** A bounded number of requests by workspace, and of each workspace in the order in which they came. */
export interface WorkspaceQueue<One extends Queued> {
  /**
   * Whether one more may be added. When the queue is full, requests whose callers are gone are rejected, then the newest
   * request of the workspace with the most, if the claim's workspace would still have fewer.
   */
  readonly hasRoom: (claim: QueryContext) => boolean
  /** Adds one, behind all others of its workspace or before them. */
  readonly add: (one: One, where: 'first' | 'last') => void
  readonly remove: (one: One) => void
  /** Removes some, and rejects each with an error of its own. */
  readonly dismiss: (out: readonly One[], toError: () => Error) => void
  /** The requests of each workspace; a workspace that was moved back comes after the others. */
  readonly listGroups: () => readonly (readonly One[])[]
  readonly moveBack: (claim: QueryContext) => void
  readonly size: () => number
}

/**
 * An empty queue.
 *
 * @param limit requests of one table take at most four fifths of it.
 * @param refuse makes the error of a request that there is no room for, and of one whose caller is gone.
 */
export function createWorkspaceQueue<One extends Queued>(
  limit: number,
  refuse: () => Error,
): WorkspaceQueue<One> {
  const groups = new Map<string | undefined, One[]>()
  const count = createClaimCount(limit)

  const remove = (one: One): void => {
    const { workspaceId } = one.claim
    const members = groups.get(workspaceId) ?? []
    members.splice(members.indexOf(one), 1)
    if (members.length === 0) groups.delete(workspaceId)
    count.remove(one.claim)
  }

  const dismiss = (out: readonly One[], toError: () => Error): void => {
    for (const one of out) {
      remove(one)
      one.reject(toError())
    }
  }

  const displace = (claim: QueryContext): void => {
    const lists = count.hasTableRoom(claim) ? [...groups.values()] : keepTable([...groups.values()], claim)
    const most = findLongest(lists)
    const own = lists.find(([one]) => one?.claim.workspaceId === claim.workspaceId) ?? []
    if (most.length > own.length + 1) dismiss(most.slice(-1), refuse)
  }

  return {
    hasRoom: (claim) => {
      if (count.hasRoom(claim)) return true
      dismiss(listGone([...groups.values()]), refuse)
      if (!count.hasRoom(claim)) displace(claim)
      return count.hasRoom(claim)
    },
    add: (one, where) => {
      const members = groups.get(one.claim.workspaceId) ?? []
      groups.set(one.claim.workspaceId, members)
      if (where === 'first') members.unshift(one)
      else members.push(one)
      count.add(one.claim)
    },
    remove,
    dismiss,
    listGroups: () => [...groups.values()],
    moveBack: ({ workspaceId }) => {
      const members = groups.get(workspaceId)
      groups.delete(workspaceId)
      if (members !== undefined) groups.set(workspaceId, members)
    },
    size: count.total,
  }
}

function listGone<One extends Queued>(lists: readonly One[][]): readonly One[] {
  return lists.flat().filter(({ claim }) => isDisconnected(claim.caller))
}

/** Of each list, the requests of the claim's table. */
function keepTable<One extends Queued>(lists: readonly One[][], { table }: QueryContext): One[][] {
  return lists.map((members) => members.filter(({ claim }) => claim.table === table))
}

/** The longest of some lists, the first of those that are equally long; empty where there is none. */
export function findLongest<One>(lists: readonly One[][]): One[] {
  return lists.reduce<One[]>((longest, list) => (list.length > longest.length ? list : longest), [])
}
