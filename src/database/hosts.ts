import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseHost } from '../values/addresses.js'
import type { Instant } from '../values/instant.js'
import { createAddressServers } from './verified-session.js'
import type { DatabaseConfig } from './connection.js'
import { createHealthCheck } from './health-check.js'
import type { HealthCheck } from './health-check.js'
import { compareStates, createHostHealth, findBestState } from './health.js'
import type { HealthState, HostHealth } from './health.js'
import { createPool, endPool } from './pool.js'
import { createSessionPool } from './session-pool.js'
import type { SessionPool } from './session-pool.js'
import type { QueryContext } from './statement.js'

/** One server of the database. */
export interface Host {
  /** `host:port`. */
  readonly name: string
  readonly sessions: SessionPool
  /** The statements in flight. */
  readonly active: Limit
  readonly health: HostHealth
  /** The start of the oldest open transaction, for the pages that are read from now on; undefined where it is not known. */
  readonly findOldestOpen: () => Instant | undefined
  readonly healthCheck: HealthCheck
  /** New statements get new sessions. */
  readonly renewSessions: () => void
  readonly close: () => Promise<void>
}

/** The longest time that closing takes: a session ends after its statement, which may hang. */
const closeMs = 1000

/** A host; nothing connects yet. */
export function createHost(config: DatabaseConfig, address: DatabaseHost): Host {
  const pool = createPool(config, address)
  const servers = createAddressServers(config)
  const healthCheck = createHealthCheck(config, address, servers)
  const health = createHostHealth(config.lagMaxSeconds)
  const sessions = createSessionPool(pool, {
    ...config,
    maxAgeMs: config.connectionMaxAgeMs,
    requireFresh: servers.requireFresh,
  })
  return {
    name: `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`,
    sessions,
    active: createLimit(config.poolSize),
    health,
    // A server that the health check has not read can be behind it.
    findOldestOpen: () => (servers.areSeveral() ? undefined : health.oldestOpen.find()),
    healthCheck,
    renewSessions: () => {
      sessions.renew()
      healthCheck.renewSessions()
    },
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
}

/** Where every host lags, hosts whose data end within this time count as equally fresh. */
const freshnessGrainSeconds = 5

interface HostChoice {
  /** Where the search begins, so that idle hosts take turns. */
  readonly turn: number
  /** Hosts that are not chosen, such as those where the statement failed. */
  readonly tried: ReadonlySet<Host> | undefined
  readonly freshest: boolean
}

/**
 * The least busy, or the freshest, of the hosts in the best health state; undefined where none of them has room.
 */
export function chooseHost(
  hosts: readonly Host[],
  { turn, tried, freshest }: HostChoice,
  hasRoom: (host: Host) => boolean,
): Host | undefined {
  const [only] = hosts
  if (hosts.length === 1)
    return only !== undefined && tried?.has(only) !== true && hasRoom(only) ? only : undefined
  const toStaleness = ({ health }: Host): number => (freshest ? health.lag.staleness() : 0)
  const inTurn = [...hosts.slice(turn), ...hosts.slice(0, turn)]
  return listEligible(inTurn.filter((host) => tried?.has(host) !== true))
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
function findBestHealth(hosts: readonly Host[]): HealthState | undefined {
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

/** Whether a host was not tried yet. One that is down counts only where every host is. */
export function hasOtherHost(hosts: readonly Host[], tried: ReadonlySet<Host>): boolean {
  const others = hosts.filter((host) => !tried.has(host))
  return others.length > 0 && (findBestHealth(others) !== 'down' || findBestHealth(hosts) === 'down')
}

/**
 * Closes all connections to hosts that are down while another host is not. The statements in flight there fail, and
 * run at another host.
 */
export function dropDownHosts(hosts: readonly Host[]): void {
  if (findBestHealth(hosts) === 'down') return
  for (const { health, sessions } of hosts) if (health.state() === 'down') sessions.drop()
}

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
