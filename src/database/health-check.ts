import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseHost } from '../values/addresses.js'
import type { AddressServers } from './verified-session.js'
import type { DatabaseConfig } from './connection.js'
import { isTooManyConnections } from './errors.js'
import type { HealthCheckResult, HostChange, HostHealth } from './health.js'
import { createPauseLag } from './server-states.js'
import { createPool, endPool } from './pool.js'
import { readFreshness } from './read-freshness.js'
import { readServerKind } from './server-kind.js'
import { createSessionPool } from './session-pool.js'
import type { Row, Statement } from './statement.js'

/** Checks one host over sessions of its own, so that requests do not delay a check. */
export interface HealthCheck {
  /** Reads the clock and the replication state of the host. @throws when it does not answer. */
  readonly check: () => Promise<HealthCheckResult>
  /** Runs a statement over the same sessions. @throws as `SessionPool` does. */
  readonly run: (statement: Statement) => Promise<readonly Row[]>
  readonly renewSessions: () => void
  readonly close: () => Promise<void>
}

/**
 * The time limit of a health check. It is much longer than `overdueMs`, because a server counts connections that are
 * closed before they are set up, and blocks a client with too many of them (`max_connect_errors`).
 */
const checkTimeoutMs = 4000
/** A rejected statement is sent again after this time; each rejection can be a line in the log of the server. */
const rejectedMs = 600_000

/** The health check of one host; nothing connects yet. */
export function createHealthCheck(
  config: DatabaseConfig,
  address: DatabaseHost,
  servers: AddressServers,
): HealthCheck {
  const pool = createPool({ ...config, queryTimeoutMs: checkTimeoutMs }, address)
  const poolConfig = { queryTimeoutMs: checkTimeoutMs, maxAgeMs: config.connectionMaxAgeMs }
  const sessions = createSessionPool(pool, poolConfig)
  // A health check stays at one server, although other sessions can be at others.
  const checkSessions = createSessionPool(pool, poolConfig)
  let closed: Promise<void> | undefined
  let rejectedUntil = 0
  const addPause = createPauseLag()
  return {
    check: async () => {
      const now = performance.now()
      // A new session, because a privilege that was granted meanwhile is not effective in an old one.
      if (rejectedUntil !== 0 && now > rejectedUntil) await checkSessions.runTask(() => Promise.resolve())
      const isRejected = now < rejectedUntil
      const freshness = await checkSessions.runTask(
        async (run) => {
          const server = await readServerKind(run)
          await servers.requireFresh(run, server)
          const read = await readFreshness(run, { ...server, heartbeat: config.heartbeat, isRejected })
          servers.noteCheck(server, read)
          return read
        },
        // The next connection can lead to another server.
        ({ issue }) => issue === undefined || !servers.areSeveral(),
      )
      if (!isRejected) rejectedUntil = freshness.hidesState ? now + rejectedMs : 0
      return { ...addPause(freshness), areSeveral: servers.areSeveral() }
    },
    run: (statement) => sessions.run(statement),
    renewSessions: () => {
      sessions.renew()
      checkSessions.renew()
    },
    close: () => (closed ??= endPool(pool)),
  }
}

/** Checks the health of every host periodically. */
export interface HealthMonitor<Host extends MonitoredHost> {
  /** Resolves when each host was checked, and confirmed where that is needed, or its check is overdue. */
  readonly start: (events: MonitorEvents<Host>) => Promise<void>
  readonly isRunning: () => boolean
  readonly stop: () => void
}

interface MonitoredHost {
  readonly health: HostHealth
  readonly healthCheck: Pick<HealthCheck, 'check'>
}

interface MonitorEvents<Host> {
  readonly onChange: (host: Host, change: HostChange) => void
  /** Called every `roundMs`. */
  readonly onRound: () => void
}

/** How often the monitor starts checks that are due and finds checks that are overdue, in milliseconds. */
const roundMs = 50
/** The pause between the checks of a host whose health is confirmed. */
const pauseMs = 1000
/** The pause between the checks of any other host. */
const recheckMs = 200
/**
 * How long a start waits for hosts that answer to be confirmed. Group Replication takes 15 seconds: a member that was frozen
 * was ONLINE in its own view for 3 seconds.
 */
const confirmMaxMs = 20_000
/** A host whose check takes longer is down. Its answer can still bring it back. */
const overdueMs = 1000

/** A host and its health check in progress. */
interface Progress<Host> {
  readonly host: Host
  begunAt: number | undefined
  endedAt: number
  /** When the first check began after the last answer. */
  askedAt: number
  /** The checks that failed since. */
  failures: number
}

/** A monitor that was not started. Its timer does not keep the process alive. */
export function createHealthMonitor<Host extends MonitoredHost>(
  hosts: readonly Host[],
  queryTimeoutMs: number,
): HealthMonitor<Host> {
  const all = hosts.map((host): Progress<Host> => ({
    host,
    begunAt: undefined,
    endedAt: 0,
    askedAt: 0,
    failures: 0,
  }))
  let timer: NodeJS.Timeout | undefined
  return {
    start: async ({ onChange, onRound }) => {
      let lastAt = 0
      const round = (): void => {
        const now = performance.now()
        // After a late round this process was busy, and answers of the hosts may not have been read yet.
        const isOnTime = now - lastAt < roundMs * 3
        lastAt = now
        for (const progress of all) {
          advance(progress, { now, isOnTime, onChange })
          if (isOnTime) findSilence(progress, now, queryTimeoutMs)
        }
        onRound()
      }
      const checks = all.map((progress) => checkHost(progress, onChange))
      timer = setInterval(round, roundMs)
      timer.unref()
      await Promise.race([Promise.all(checks), delay(overdueMs * 1.5, undefined, { ref: false })])
      const end = performance.now() + confirmMaxMs
      const isWaiting = (): boolean =>
        timer !== undefined &&
        performance.now() < end &&
        all.some(({ host }) => host.health.lag.isUnconfirmed())
      while (isWaiting()) await delay(roundMs)
    },
    isRunning: () => timer !== undefined,
    stop: () => {
      clearInterval(timer)
      timer = undefined
    },
  }
}

interface Round<Host> extends Pick<MonitorEvents<Host>, 'onChange'> {
  readonly now: number
  readonly isOnTime: boolean
}

/** Starts the check of a host that is due, or finds that it is overdue. */
function advance<Host extends MonitoredHost>(
  progress: Progress<Host>,
  { now, isOnTime, onChange }: Round<Host>,
): void {
  const { host, begunAt, endedAt } = progress
  if (begunAt === undefined) {
    const pause = host.health.isConfirmed() ? pauseMs : recheckMs
    if (now - endedAt >= pause) void checkHost(progress, onChange)
  } else if (isOnTime && now - begunAt > overdueMs) {
    const cause = new Error(`It did not answer within ${overdueMs} ms`)
    for (const change of host.health.noteFailure(cause)) onChange(host, change)
  }
}

/** A host that is slow answers; one failed check can be that of a connection which was closed. */
function findSilence<Host extends MonitoredHost>(
  { host, askedAt, failures }: Progress<Host>,
  now: number,
  queryTimeoutMs: number,
): void {
  const isSilent = host.health.answeredAt() < askedAt
  if (isSilent && (failures > 1 || now - askedAt > queryTimeoutMs)) host.health.noteSilence()
}

/** Never throws: an error is noted in the health of the host. */
async function checkHost<Host extends MonitoredHost>(
  progress: Progress<Host>,
  onChange: MonitorEvents<Host>['onChange'],
): Promise<void> {
  const { host } = progress
  progress.begunAt = performance.now()
  if (host.health.answeredAt() >= progress.askedAt) {
    progress.askedAt = progress.begunAt
    progress.failures = 0
  }
  const changes = await findChanges(progress)
  progress.begunAt = undefined
  progress.endedAt = performance.now()
  for (const change of changes) onChange(host, change)
}

async function findChanges(progress: Progress<MonitoredHost>): Promise<readonly HostChange[]> {
  const { health, healthCheck } = progress.host
  const errorsBefore = health.countErrors()
  try {
    return health.noteCheck(await healthCheck.check(), errorsBefore)
  } catch (error) {
    progress.failures += 1
    // A host without a free connection for the check may still answer over those that are open.
    return isTooManyConnections(error) ? [] : health.noteFailure(error)
  }
}
