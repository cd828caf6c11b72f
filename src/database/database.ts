import { Problem } from '../errors.js'
import type { Instant } from '../values/instant.js'
import { SessionError } from './connection.js'
import type { DatabaseConfig } from './connection.js'
import { databaseUnavailable, isSchemaError, toDatabaseError } from './errors.js'
import type { HostChange } from './health.js'
import { createHealthMonitor } from './health-check.js'
import { createHost, dropDownHosts, sortByFreshness } from './hosts.js'
import type { Host } from './hosts.js'
import { Scheduler } from './scheduler.js'
import type { SchedulerConfig } from './scheduler.js'
import type { Row, RunQuery, RunStatement, Statement } from './statement.js'

/** Read-only access to the database. */
export interface Database {
  readonly runQuery: RunStatement
  /** The same at the freshest healthy host. */
  readonly runFreshQuery: RunStatement
  /** The same over the sessions of the health checks, so that requests and checks do not delay each other. */
  readonly runCheckQuery: RunQuery
  /**
   * Runs a task on a session of its own at each host, with the name of the host. The session is closed afterwards, so
   * that the task may change its variables.
   *
   * @returns the results of the hosts that answer. @throws Problem when no host answers.
   */
  readonly forEachHost: <Result>(task: HostTask<Result>) => Promise<readonly Result[]>
  /** Starts the health checks of the hosts; resolves after the first ones. */
  readonly watchHosts: (onChange: OnHostChange) => Promise<void>
  /** Whether any host answers, as the health checks found; true before they start. */
  readonly isAnswering: () => boolean
  /**
   * The instant before which nothing is missing from a result of a host that lags too much; undefined for the result of
   * any other host.
   */
  readonly findDataTime: (result: object) => Instant | undefined
  /**
   * An instant before which no transaction began whose changes a result lacks; undefined where the heartbeat of its host
   * does not say.
   */
  readonly findOldestOpen: (result: object) => Instant | undefined
  /** From now on statements run on new sessions, which log in with the account as it is then. */
  readonly renewSessions: () => void
  readonly close: () => Promise<void>
  readonly measure: () => DatabaseMeasure
}

/** A task for the host of a name, `host:port`. */
type HostTask<Result> = (run: RunQuery, host: string) => Promise<Result>

/** Receives the name of a host and a change in its health. */
export type OnHostChange = (host: string, change: HostChange) => void

/** Numbers for the metrics. */
export interface DatabaseMeasure {
  readonly active: number
  readonly waiting: number
  /** The bytes of results that are being read, or whose answers were not sent. */
  readonly resultBytes: number
  readonly resultBytesMax: number
  readonly hosts: readonly HostMeasure[]
}

/** Numbers of one host. */
export interface HostMeasure {
  /** `host:port`. */
  readonly name: string
  /** Whether it answers its health checks; undefined before they start. */
  readonly healthy: boolean | undefined
  /** Undefined where it cannot be read, Infinity where replication has stopped. */
  readonly lagSeconds: number | undefined
  /**
   * Whether it proves how fresh its data are; undefined before that is checked, and for the only host of a mapping
   * without a heartbeat that hides its state, because it can be a server without peers.
   */
  readonly isFreshnessKnown: boolean | undefined
  /** Whether its oldest open transaction is known; undefined where the mapping file does not name it. */
  readonly isOldestOpenKnown: boolean | undefined
  readonly active: number
}

/**
 * The most bytes of all results at once. A page takes three times as many while its answer is made, and a process with the
 * options of the image has 150 MiB beside what it needs at rest. One result can be larger: a page of 100 records with three
 * TEXT columns has 19 MB.
 */
const resultBytesMax = 16_777_216
const oneResultBytesMax = 20_971_520

/** Read-only sessions at one or several hosts; nothing connects before the first statement. */
export function createDatabase(config: DatabaseConfig): Database {
  const { queryTimeoutMs } = config
  const hosts = config.hosts.map((address) => createHost(config, address))
  const { run, findDataTime, findOldestOpen } = createRun()
  const scheduler = new Scheduler({ ...config, hosts, run, resultBytesMax, oneResultBytesMax })
  const monitor = createHealthMonitor(hosts, queryTimeoutMs)
  return {
    runQuery: (statement, context) => scheduler.run(statement, context),
    runFreshQuery: (statement, context) => scheduler.run(statement, { ...context, freshest: true }),
    runCheckQuery: (statement) => runCheckQuery(hosts, statement),
    forEachHost: (task) => runAtEachHost(hosts, scheduler, task),
    watchHosts: (onChange) =>
      monitor.start({
        onChange: ({ name }, change) => {
          // The lag of the only host has no effect, but a heartbeat shall be there.
          const isExpected = change.is === 'lag unknown' && change.reason === undefined && hosts.length === 1
          if (!isExpected) onChange(name, change)
        },
        onRound: () => {
          dropDownHosts(hosts)
          scheduler.startWaiting()
        },
      }),
    isAnswering: () => hosts.some(({ health }) => health.isAnswering()),
    findDataTime,
    findOldestOpen,
    renewSessions: () => {
      for (const host of hosts) host.renewSessions()
    },
    close: async () => {
      monitor.stop()
      await Promise.all(hosts.map((host) => host.close()))
    },
    measure: () => ({
      active: hosts.reduce((sum, { active }) => sum + active.total(), 0),
      waiting: scheduler.countWaiting(),
      resultBytes: scheduler.countBytes(),
      resultBytesMax,
      hosts: hosts.map((host) =>
        measureHost(host, { isMonitored: monitor.isRunning(), isAlone: hosts.length === 1 }),
      ),
    }),
  }
}

/** Runs statements at a host, and keeps the data time of rows that may be too old. */
function createRun(): {
  readonly run: SchedulerConfig['run']
  readonly findDataTime: Database['findDataTime']
  readonly findOldestOpen: Database['findOldestOpen']
} {
  const [dataTimes, oldestOpens] = [createTimes(), createTimes()]
  return {
    run: async ({ sessions, health, findOldestOpen }, statement, meter) => {
      // Before the statement is sent: a later health check does not describe its rows.
      const [dataTime, oldestOpen] = [health.lag.findDataTime(), findOldestOpen()]
      try {
        const result = await sessions.run(statement, meter)
        health.noteAnswer()
        dataTimes.note(result as object, dataTime)
        oldestOpens.note(result as object, oldestOpen)
        return result
      } catch (error) {
        throw toQueryError(error)
      }
    },
    findDataTime: dataTimes.find,
    findOldestOpen: oldestOpens.find,
  }
}

/** An instant for each result, as long as it is used. */
function createTimes() {
  const times = new WeakMap<object, Instant>()
  return {
    find: (result: object): Instant | undefined => times.get(result),
    note: (result: object, time: Instant | undefined): void => {
      if (time !== undefined) times.set(result, time)
    },
  }
}

function toQueryError(error: unknown): unknown {
  return error instanceof SessionError ? databaseUnavailable(error.cause) : toDatabaseError(error)
}

async function runCheckQuery(hosts: readonly Host[], statement: Statement): Promise<readonly Row[]> {
  let failure: unknown
  for (const { healthCheck } of sortByFreshness(hosts)) {
    try {
      return await healthCheck.run(statement)
    } catch (error) {
      failure = toQueryError(error)
      // A table that changed is the same at every host.
      if (!(failure instanceof Problem) || isSchemaError(failure)) throw failure
    }
  }
  throw failure
}

async function runAtEachHost<Result>(
  hosts: readonly Host[],
  scheduler: Scheduler,
  task: HostTask<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let failure: Problem | undefined
  for (const host of hosts) {
    const { sessions, name } = host
    try {
      results.push(await scheduler.runTask(host, () => sessions.runTask((run) => task(run, name))))
    } catch (error) {
      const problem = toQueryError(error)
      // A host that fails for a while, as a member that leaves its group does, is skipped.
      if (!(problem instanceof Problem)) throw problem
      failure = problem
    }
  }
  if (results.length === 0 && failure !== undefined) throw failure
  return results
}

function measureHost(
  { name, active, health }: Host,
  { isMonitored, isAlone }: { readonly isMonitored: boolean; readonly isAlone: boolean },
): HostMeasure {
  const { lag } = health
  const isExpected = isAlone && lag.isUnknown() && !lag.lacksHeartbeat()
  return {
    name,
    active: active.total(),
    healthy: isMonitored ? health.isUp() : undefined,
    lagSeconds: lag.lagSeconds(),
    isOldestOpenKnown: health.oldestOpen.isKnown(),
    isFreshnessKnown: isMonitored && !isExpected ? !lag.isUnknown() : undefined,
  }
}
