import { chooseHost } from './hosts.js'
import type { Host, HostQueryContext } from './hosts.js'

/** The slots of all hosts: how many statements run at each of them. */
export interface Slots {
  /** Takes a slot of the best host; undefined where that has none for the statement. */
  readonly take: (context: HostQueryContext, tried: ReadonlySet<Host> | undefined) => Host | undefined
  readonly giveBack: (host: Host, context: HostQueryContext) => void
  /** Whether the workspace may take one more slot of any host. */
  readonly hasShare: (context: HostQueryContext) => boolean
  /** Whether no host has a slot for a statement on any of these tables; '' for one of no table. */
  readonly areTaken: (tables: Iterable<string>) => boolean
  /** A request of a workspace has arrived. */
  readonly noteWorkspace: (workspaceId: string | undefined) => void
}

/**
 * The slots of all hosts. While other workspaces are active, a workspace takes at most half of each host, so that the next
 * requests of the others find a slot.
 */
export function createSlots(hosts: readonly Host[]): Slots {
  const activity = createWorkspaceActivity()
  let turn = 0
  return {
    take: (context, tried) => {
      turn = (turn + 1) % hosts.length
      const isShared = activity.isShared(context.workspaceId)
      const host = chooseHost(hosts, { turn, tried, freshest: context.freshest === true }, ({ active }) =>
        active.hasRoom(context, 1, isShared),
      )
      host?.active.add(context, 1)
      return host
    },
    giveBack: (host, context) => {
      host.active.add(context, -1)
    },
    hasShare: ({ workspaceId }) => {
      const isShared = activity.isShared(workspaceId)
      return hosts.some(({ active }) => active.hasRoom({ workspaceId }, 1, isShared))
    },
    areTaken: (tables) => {
      for (const table of tables)
        if (hosts.some(({ active }) => active.hasRoom({ table }, 1, false))) return false
      return true
    },
    noteWorkspace: activity.note,
  }
}

/**
 * How long a workspace counts as active after its last statement, in milliseconds. A workspace that sends a request
 * every few minutes finds a free slot for each, although none of its requests waits in between.
 */
const activeMs = 600_000

/** The two workspaces that were active last, which is enough to decide whether a third one shares the slots. */
function createWorkspaceActivity() {
  let latest: { readonly workspaceId: string; at: number } | undefined
  let before: typeof latest
  return {
    note: (workspaceId: string | undefined): void => {
      if (workspaceId === undefined) return
      const at = performance.now()
      if (latest?.workspaceId === workspaceId) latest.at = at
      else [before, latest] = [latest, { workspaceId, at }]
    },
    /** Whether another workspace was active within `activeMs`. */
    isShared: (workspaceId: string | undefined): boolean => {
      const other = latest?.workspaceId === workspaceId ? before : latest
      return other !== undefined && performance.now() - other.at < activeMs
    },
  }
}
