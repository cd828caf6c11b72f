import { Problem } from '../errors.js'
import type { Instant } from '../values/instant.js'
import { createHostAsker, createLoneAsker } from './ask-hosts.js'
import { createHostPlaces, sortByFreshness } from './choose-host.js'
import type { HostQueryContext } from './choose-host.js'
import type { QueryContext, Row, RunQuery, Statement } from './statement.js'
import { isSchemaError, databaseUnavailable, overloaded, toDatabaseError } from './errors.js'
import { createHost } from './host.js'
import type { Host } from './host.js'
import type { HostChange } from './host-health.js'
import type { DatabaseConfig } from './connection.js'
import { SessionError } from './connection.js'
import { coalesce } from './coalescing.js'
import { visitHosts } from './visit-hosts.js'
import { createWaitingLine } from './waiting-line.js'
import { createHostWatch } from './watch-hosts.js'

/** Read-only access to the database. */
export interface Database {
  readonly runQuery: RunQuery
  /** The same at the freshest of the hosts that are well. */
  readonly runFreshQuery: RunQuery
  /**
   * Runs a statement of a check at the freshest host that is well, over the sessions of the health checks: it neither
   * waits for callers nor takes a session from them.
   */
  readonly runCheckQuery: RunQuery
  /**
   * Runs a task on a session of its own at each host, dropped afterwards, so that the task may change it.
   *
   * @returns what it gave at each host that answers. @throws Problem when none does.
   */
  readonly forEachHost: <Result>(task: (runQuery: RunQuery) => Promise<Result>) => Promise<readonly Result[]>
  /** Begins to look at the hosts, so that those which are down or lag are left out; resolves when it has. */
  readonly watchHosts: (onChange: OnHostChange) => Promise<void>
  /**
   * The instant before which nothing is missing from rows of a host that is further behind than it may be;
   * undefined for the rows of any other.
   */
  readonly findDataTime: (rows: readonly Row[]) => Instant | undefined
  readonly close: () => Promise<void>
  readonly measure: () => DatabaseMeasure
}

/** Told of a host by its name. */
export type OnHostChange = (host: string, change: HostChange) => void

/** How much is under way, and what is known of the hosts. */
export interface DatabaseMeasure {
  readonly active: number
  readonly waiting: number
  readonly hosts: readonly HostMeasure[]
}

/** What is known of a host. */
export interface HostMeasure {
  /** `host:port`. */
  readonly name: string
  /** Whether it answered when it was last looked at; undefined where nobody looks. */
  readonly healthy: boolean | undefined
  /** Undefined where it is not told, Infinity where replication has stopped. */
  readonly lagSeconds: number | undefined
  readonly active: number
}

/** Read-only sessions at one host or several; nothing connects before the first statement. */
export function createDatabase(config: DatabaseConfig): Database {
  let tell: OnHostChange = () => undefined
  const hosts: readonly Host[] = config.hosts.map((address) =>
    createHost(config, address, (host, change) => {
      // Of a lone host that is not worth a word: nobody is chosen by it.
      if (hosts.length > 1 || change.is !== 'not telling its lag') tell(host, change)
    }),
  )
  const { run, findDataTime } = createRun()
  const line = createWaitingLine({
    places: createHostPlaces(hosts),
    limit: config.queueLimit,
    refuse: overloaded,
    waitMs: config.queryTimeoutMs,
    giveUp: () => databaseUnavailable(new Error('No statement ended in time to make room for another')),
  })
  const asker =
    hosts.length === 1
      ? createLoneAsker({ line, run })
      : createHostAsker({ hosts, line, run, queryTimeoutMs: config.queryTimeoutMs })
  const watch = createHostWatch(hosts, () => {
    asker.hurry()
    line.admit()
  })
  return {
    runQuery: coalesce({ hasSlot: line.hasRoom, send: asker.ask }),
    runFreshQuery: coalesce({
      hasSlot: (claim) => line.hasRoom(toFreshest(claim)),
      send: (statement, claim, onSent) => asker.ask(statement, toFreshest(claim), onSent),
    }),
    runCheckQuery: (statement) => runCheck(hosts, statement),
    forEachHost: (task) => visitHosts(hosts, line, task),
    watchHosts: (onChange) => {
      tell = onChange
      return watch.start()
    },
    findDataTime,
    close: async () => {
      watch.stop()
      await Promise.all(hosts.map((host) => host.close()))
    },
    measure: () => ({
      active: hosts.reduce((sum, { claims }) => sum + claims.total(), 0),
      waiting: line.waiting(),
      hosts: hosts.map((host) => measureHost(host, watch.isOn())),
    }),
  }
}

/** Runs statements at a host, and remembers of rows that may be too old from when they are. */
function createRun(): {
  readonly run: (host: Host, statement: Statement) => Promise<readonly Row[]>
  readonly findDataTime: Database['findDataTime']
} {
  const dataTimes = new WeakMap<readonly Row[], Instant>()
  return {
    run: ({ sessions, health }, statement) => {
      const dataTime = health.lag.findDataTime()
      const answer = sessions.run(statement).catch(refuse)
      if (dataTime === undefined) return answer
      return answer.then((rows) => {
        dataTimes.set(rows, dataTime)
        return rows
      })
    },
    findDataTime: (rows) => dataTimes.get(rows),
  }
}

function refuse(error: unknown): never {
  throw error instanceof SessionError ? databaseUnavailable(error.cause) : toDatabaseError(error)
}

async function runCheck(hosts: readonly Host[], statement: Statement): Promise<readonly Row[]> {
  let failure: unknown
  for (const { probe } of sortByFreshness(hosts)) {
    try {
      return await probe.run(statement).catch(refuse)
    } catch (error) {
      failure = error
      // Another host would say the same of a table that changed.
      if (!(error instanceof Problem) || isSchemaError(error)) throw error
    }
  }
  throw failure
}

function toFreshest({ caller, workspaceId, table }: QueryContext): HostQueryContext {
  return { caller, workspaceId, table, freshest: true }
}

function measureHost({ name, claims, health }: Host, isWatched: boolean): HostMeasure {
  return {
    name,
    active: claims.total(),
    healthy: isWatched ? health.isUp() : undefined,
    lagSeconds: health.lag.lagSeconds(),
  }
}
