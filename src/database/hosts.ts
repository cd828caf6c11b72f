import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseHost } from '../values/addresses.js'
import { createAddressServers } from './address-servers.js'
import { createBulkhead } from './bulkhead.js'
import type { Bulkhead } from './bulkhead.js'
import type { DatabaseConfig } from './connection.js'
import { createHealthCheck } from './health-check.js'
import type { HealthCheck } from './health-check.js'
import { compareStates, createHostHealth, findBestState } from './health.js'
import type { HealthState, HostHealth } from './health.js'
import { createPool, endPool } from './pool.js'
import type { Slots } from './queue.js'
import { createSessionPool } from './session-pool.js'
import type { SessionPool } from './session-pool.js'
import type { QueryContext } from './statement.js'

/** One server of the database. */
export interface Host {
  /** `host:port`. */
  readonly name: string
  readonly sessions: SessionPool
  /** The statements in flight. */
  readonly active: Bulkhead
  readonly health: HostHealth
  readonly healthCheck: HealthCheck
  readonly close: () => Promise<void>
}

/** The longest time that closing takes: a session ends after its statement, which may hang. */
const closeMs = 1000

/** A host; nothing connects yet. */
export function createHost(config: DatabaseConfig, address: DatabaseHost): Host {
  const pool = createPool(config, address)
  const servers = createAddressServers(config)
  const healthCheck = createHealthCheck(config, address, servers)
  return {
    name: `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`,
    sessions: createSessionPool(pool, {
      ...config,
      maxAgeMs: config.connectionMaxAgeMs,
      requireFresh: servers.requireFresh,
    }),
    active: createBulkhead(config.poolSize),
    health: createHostHealth(config.lagMaxSeconds),
    healthCheck,
    close: async () => {
      const closed = Promise.all([endPool(pool), healthCheck.close()])
      await Promise.race([closed, delay(closeMs, undefined, { ref: false })])
    },
  }
}

/** A query context with the choice of the host. */
export interface HostQueryContext extends QueryContext {
  /** Whether the freshest host is chosen rather than the least busy one. */
  readonly freshest?: boolean | undefined
  /** Hosts that are not chosen, such as those where the statement failed. */
  readonly not?: ReadonlySet<Host> | undefined
}

/** Where every host lags, hosts whose data end within this time count as equally fresh. */
const freshnessGrainSeconds = 5

/**
 * The slots of all hosts. A statement gets a slot of the best host, and stays in the queue while that one has none.
 * While other workspaces are active, a workspace takes at most half of each host, so that the next requests of the
 * others find a slot.
 */
export function createHostSlots(hosts: readonly Host[]): Slots<Host, HostQueryContext> {
  const activity = createWorkspaceActivity()
  let turn = 0
  const find = (context: HostQueryContext): Host | undefined => {
    const isShared = activity.isShared(context.workspaceId)
    // The choice would cost more than all else in the queue, where many statements are queued.
    const [only] = hosts
    if (only !== undefined && hosts.length === 1)
      return only.active.hasRoom(context, isShared) ? only : undefined
    const inTurn = [...hosts.slice(turn), ...hosts.slice(0, turn)]
    return chooseHost(inTurn, context, ({ active }) => active.hasRoom(context, isShared))
  }
  return {
    take: (context) => {
      activity.note(context.workspaceId)
      turn = (turn + 1) % hosts.length
      const host = find(context)
      host?.active.add(context)
      return host
    },
    giveBack: (host, context) => {
      host.active.remove(context)
    },
    isFull: () => hosts.every(({ active }) => !active.hasRoom()),
    countHeld: (context) => hosts.reduce((sum, { active }) => sum + active.countOfWorkspace(context), 0),
  }
}

/** The sort keeps the order of equal hosts, so that idle hosts take turns. */
function chooseHost(
  hosts: readonly Host[],
  { freshest = false, not }: HostQueryContext,
  hasRoom: (host: Host) => boolean,
): Host | undefined {
  const toStaleness = ({ health }: Host): number => (freshest ? health.lag.staleness() : 0)
  const allowed = hosts.filter((host) => not?.has(host) !== true)
  return listEligible(allowed)
    .filter(hasRoom)
    .sort(
      (one, other) =>
        compare(toStaleness(one), toStaleness(other)) || one.active.total() - other.active.total(),
    )[0]
}

/** The hosts in the best health state: if every host lags, the freshest ones; if every host is down, all of them. */
function listEligible(hosts: readonly Host[]): readonly Host[] {
  const best = findBestHealth(hosts)
  const eligible = hosts.filter(({ health }) => health.state() === best)
  if (best !== 'lagging') return eligible
  const newest = Math.max(...eligible.map(({ health }) => health.lag.completeUntil()))
  return eligible.filter(({ health }) => health.lag.completeUntil() >= newest - freshnessGrainSeconds)
}

/** The best health state of some hosts; undefined where there is none. */
export function findBestHealth(hosts: readonly Host[]): HealthState | undefined {
  return findBestState(hosts.map(({ health }) => health.state()))
}

/** Hosts in the order in which a statement that needs the latest data tries them. */
export function sortByFreshness(hosts: readonly Host[]): readonly Host[] {
  return [...hosts].sort(
    ({ health: one }, { health: other }) =>
      compareStates(one.state(), other.state()) || compare(one.lag.staleness(), other.lag.staleness()),
  )
}

/** The difference of two infinities is NaN. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one - other
}

/**
 * How long a workspace counts as active after its last statement, in milliseconds. A workspace that sends a request
 * every few minutes finds a free slot for each, although none of its requests is in the queue in between.
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
