import type { QueryContext } from './statement.js'
import type { Host } from './host.js'
import { ranks } from './host-health.js'
import type { Places } from './places.js'
import { createWorkspaceActivity } from './workspace-activity.js'

/** A claim that says which host it wants. */
export interface HostQueryContext extends QueryContext {
  /** Whether it is the freshest of those that are well, rather than the one with the least to do. */
  readonly freshest?: boolean | undefined
  /** Those that it must not be, such as the ones that were asked before. */
  readonly not?: ReadonlySet<Host> | undefined
}

/** Where all that may answer lag, those count as equally fresh that differ by less than looks at them do. */
const freshnessGrainSeconds = 5

/**
 * The places at hosts: whoever comes gets one at the best host that there is, and waits while that has none. A workspace
 * takes at most half of each host while other workspaces are active; so some places are free for their next requests.
 */
export function createHostPlaces(hosts: readonly Host[]): Places<Host, HostQueryContext> {
  const activity = createWorkspaceActivity()
  let turn = 0
  const find = (claim: HostQueryContext): Host | undefined => {
    const isShared = activity.isShared(claim.workspaceId)
    return findHost(hosts, claim, { turn, hasRoom: ({ claims }) => claims.hasRoom(claim, isShared) })
  }
  return {
    hasRoom: (claim) => find(claim) !== undefined,
    take: (claim) => {
      activity.note(claim.workspaceId)
      turn = (turn + 1) % hosts.length
      const host = find(claim)
      host?.claims.add(claim)
      return host
    },
    giveBack: (host, claim) => {
      host.claims.remove(claim)
    },
    isFull: () => hosts.every(({ claims }) => !claims.hasRoom()),
    countHeld: (claim) => hosts.reduce((sum, { claims }) => sum + claims.countAlike(claim), 0),
  }
}

function findHost(
  hosts: readonly Host[],
  { freshest = false, not }: HostQueryContext,
  { turn, hasRoom }: { readonly turn: number; readonly hasRoom: (host: Host) => boolean },
): Host | undefined {
  const [only] = hosts
  if (only !== undefined && hosts.length === 1) return hasRoom(only) ? only : undefined
  const inTurn = [...hosts.slice(turn), ...hosts.slice(0, turn)]
  const free = listEligible(inTurn.filter((host) => not?.has(host) !== true)).filter(hasRoom)
  const toStaleness = ({ health }: Host): number => (freshest ? health.lag.staleness() : 0)
  // The sort keeps the order of equals, so that idle hosts take turns.
  return free.sort(
    (one, other) =>
      compare(toStaleness(one), toStaleness(other)) || one.claims.total() - other.claims.total(),
  )[0]
}

/** Never none: where every host lags the freshest serve, and where none seems to be there each is tried. */
function listEligible(hosts: readonly Host[]): Host[] {
  const rank = findBestRank(hosts)
  const best = hosts.filter(({ health }) => health.rank() === rank)
  if (rank !== ranks.lagging) return best
  const newest = Math.max(...best.map(({ health }) => health.lag.completeUntil()))
  return best.filter(({ health }) => health.lag.completeUntil() >= newest - freshnessGrainSeconds)
}

/** The rank of the best of some hosts; worse than any where there is none. */
export function findBestRank(hosts: readonly Host[]): number {
  return Math.min(...hosts.map(({ health }) => health.rank()))
}

/** Hosts in the order in which a statement that wants the latest data tries them. */
export function sortByFreshness(hosts: readonly Host[]): readonly Host[] {
  return [...hosts].sort(
    ({ health: one }, { health: other }) =>
      one.rank() - other.rank() || compare(one.lag.staleness(), other.lag.staleness()),
  )
}

/** Infinity equals itself, which its difference does not tell. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}
