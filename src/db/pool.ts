import mysql from 'mysql2'
import type { PoolOptions } from 'mysql2'
import { toDatabaseProblem, toOverloadedProblem, toProblem } from './driver-errors.js'
import { SessionError } from './session.js'
import { createSessions } from './sessions.js'
import type { OnStatement, Sessions } from './sessions.js'
import { shareWaiting } from './share-waiting.js'
import type { Row, RunQuery, Statement } from './statement.js'
import { createWaitingLine } from './waiting-line.js'
import type { WaitingLine } from './waiting-line.js'

/** Where the database is and how much of it may be used. */
export interface PoolConfig {
  readonly user: string
  readonly password: string
  readonly name: string
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly tls: 'off' | 'verify-ca' | 'verify-identity'
  /** PEM text of the authorities to trust, instead of the system's. */
  readonly tlsCa: string | undefined
  readonly poolSize: number
  readonly queryTimeoutMs: number
  readonly queueLimit: number
  readonly onStatement?: OnStatement | undefined
}

/** Read-only access to the database. */
export interface Database {
  readonly runQuery: RunQuery
  /**
   * Runs a task on a session of its own at each host, dropped afterwards, so that the task may change it.
   *
   * @returns what it gave at each host that answers. @throws Problem when none does.
   */
  readonly visitHosts: <Result>(task: (runQuery: RunQuery) => Promise<Result>) => Promise<readonly Result[]>
  readonly close: () => Promise<void>
  readonly measure: () => { readonly active: number; readonly waiting: number }
}

/** Pools of read-only sessions, one for each host; nothing connects before the first statement. */
export function createDatabase(config: PoolConfig): Database {
  const pools = config.hosts.map((host) => mysql.createPool(toPoolOptions(config, host)))
  const line = createLine(config, config.poolSize * pools.length, config.queueLimit)
  const hosts = pools.map((pool) => {
    const sessions = createSessions(pool, config.queryTimeoutMs, config.onStatement)
    return pools.length === 1
      ? sessions
      : boundSessions(sessions, createLine(config, config.poolSize, Infinity))
  })
  let turn = 0
  return {
    runQuery: shareWaiting(line, (statement) => {
      turn = (turn + 1) % hosts.length
      return runOnAnyHost(turn === 0 ? hosts : [...hosts.slice(turn), ...hosts.slice(0, turn)], statement)
    }),
    visitHosts: (task) => line.run(() => visitHosts(hosts, task)),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.promise().end()))
    },
    measure: () => ({ active: line.active(), waiting: line.waiting() }),
  }
}

function createLine(config: PoolConfig, places: number, limit: number): WaitingLine {
  return createWaitingLine({
    places,
    limit,
    refuse: toOverloadedProblem,
    waitMs: config.queryTimeoutMs,
    giveUp: () => toDatabaseProblem(new Error('No statement ended in time to make room for another')),
  })
}

/** Holds the sessions of one of several hosts to its share: the line before all of them does not know who has how many. */
function boundSessions({ run, visit }: Sessions, line: WaitingLine): Sessions {
  return { run: (statement) => line.run(() => run(statement)), visit: (task) => line.run(() => visit(task)) }
}

/** Asks the hosts in turn until one gives a session: a host that is down costs the caller no answer. */
async function runOnAnyHost(hosts: readonly Sessions[], statement: Statement): Promise<readonly Row[]> {
  let failure: unknown
  for (const { run } of hosts) {
    try {
      return await run(statement)
    } catch (error) {
      failure = error
      if (!(error instanceof SessionError)) break
    }
  }
  throw failure instanceof SessionError ? toDatabaseProblem(failure.cause) : toProblem(failure)
}

async function visitHosts<Result>(
  hosts: readonly Sessions[],
  task: (runQuery: RunQuery) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let failure: unknown
  for (const { visit } of hosts) {
    try {
      results.push(await visit(task))
    } catch (error) {
      failure = error
      if (!(error instanceof SessionError)) throw toProblem(error)
    }
  }
  if (results.length === 0 && failure instanceof SessionError) throw toDatabaseProblem(failure.cause)
  return results
}

function toPoolOptions(config: PoolConfig, { host, port }: PoolConfig['hosts'][number]): PoolOptions {
  return {
    host,
    port,
    user: config.user,
    password: config.password,
    database: config.name,
    // The lines before it are the limit.
    connectionLimit: 0,
    connectTimeout: config.queryTimeoutMs,
    charset: 'utf8mb4',
    // Dates stay text and big numbers text: JavaScript's own types would cut them.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    ...(config.tls === 'off' ? {} : { ssl: toTlsOptions(config) }),
  }
}

function toTlsOptions({ tls, tlsCa }: PoolConfig): NonNullable<Exclude<PoolOptions['ssl'], string>> {
  return {
    rejectUnauthorized: true,
    verifyIdentity: tls === 'verify-identity',
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
  }
}
