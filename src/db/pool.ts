import mysql from 'mysql2'
import type { Pool, PoolConnection, PoolOptions } from 'mysql2'
import {
  isConnectionLost,
  isMissingIndex,
  toDatabaseProblem,
  toOverloadedProblem,
  toProblem,
} from './driver-errors.js'
import { SessionError, openSession, send } from './session.js'
import { shareWaiting } from './share-waiting.js'
import type { Row, RunQuery, Statement } from './statement.js'
import { createWaitingLine } from './waiting-line.js'

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
  const line = createWaitingLine({
    places: config.poolSize * pools.length,
    limit: config.queueLimit,
    refuse: toOverloadedProblem,
    waitMs: config.queryTimeoutMs,
    giveUp: () => toDatabaseProblem(new Error('No statement ended in time to make room for another')),
  })
  let turn = 0
  return {
    runQuery: shareWaiting(line, (statement) => {
      turn = (turn + 1) % pools.length
      return runOnAnyHost([...pools.slice(turn), ...pools.slice(0, turn)], statement, config.queryTimeoutMs)
    }),
    visitHosts: (task) => visitHosts(pools, task, config.queryTimeoutMs),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.promise().end()))
    },
    measure: () => ({ active: line.active(), waiting: line.waiting() }),
  }
}

/** Asks the hosts in turn until one gives a session: a host that is down costs the caller no answer. */
async function runOnAnyHost(
  pools: readonly Pool[],
  statement: Statement,
  queryTimeoutMs: number,
): Promise<readonly Row[]> {
  let failure: unknown
  for (const pool of pools) {
    try {
      const session = await openSession(pool, queryTimeoutMs)
      return await runOnSession(session, statement, queryTimeoutMs)
    } catch (error) {
      failure = error
      if (!(error instanceof SessionError)) break
    }
  }
  throw failure instanceof SessionError ? toDatabaseProblem(failure.cause) : toProblem(failure)
}

async function visitHosts<Result>(
  pools: readonly Pool[],
  task: (runQuery: RunQuery) => Promise<Result>,
  queryTimeoutMs: number,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let failure: unknown
  for (const pool of pools) {
    try {
      results.push(await runApart(pool, task, queryTimeoutMs))
    } catch (error) {
      failure = error
      if (!(error instanceof SessionError)) throw toProblem(error)
    }
  }
  if (results.length === 0 && failure instanceof SessionError) throw toDatabaseProblem(failure.cause)
  return results
}

async function runApart<Result>(
  pool: Pool,
  task: (runQuery: RunQuery) => Promise<Result>,
  queryTimeoutMs: number,
): Promise<Result> {
  const session = await openSession(pool, queryTimeoutMs)
  try {
    return await task((statement) => send(session, statement, queryTimeoutMs))
  } finally {
    session.destroy()
  }
}

async function runOnSession(
  connection: PoolConnection,
  statement: Statement,
  queryTimeoutMs: number,
): Promise<readonly Row[]> {
  try {
    const rows = await sendWithFallback(connection, statement, queryTimeoutMs)
    connection.release()
    return rows
  } catch (error) {
    if (isConnectionLost(error)) connection.destroy()
    else connection.release()
    throw error
  }
}

async function sendWithFallback(
  connection: PoolConnection,
  statement: Statement,
  queryTimeoutMs: number,
): Promise<readonly Row[]> {
  try {
    return await send(connection, statement, queryTimeoutMs)
  } catch (error) {
    if (statement.fallback === undefined || !isMissingIndex(error)) throw error
    return send(connection, { sql: statement.fallback, values: statement.values }, queryTimeoutMs)
  }
}

function toPoolOptions(config: PoolConfig, { host, port }: PoolConfig['hosts'][number]): PoolOptions {
  return {
    host,
    port,
    user: config.user,
    password: config.password,
    database: config.name,
    connectionLimit: config.poolSize,
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
