import mysql from 'mysql2'
import type { Pool, PoolConnection, PoolOptions } from 'mysql2'
import {
  isConnectionLost,
  isMissingIndex,
  toDatabaseProblem,
  toOverloadedProblem,
  toProblem,
} from './driver-errors.js'
import { findSessionFault, renderSession, renderSessionCheck } from './session-sql.js'
import type { Dialect } from './session-sql.js'
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
  readonly close: () => Promise<void>
  readonly measure: () => { readonly active: number; readonly waiting: number }
}

/** The client waits this much longer than the server, which ends a statement more cleanly. */
const clientGraceMs = 1000

/** Pools of read-only sessions, one for each host; nothing connects before the first statement. */
export function createDatabase(config: PoolConfig): Database {
  const pools = config.hosts.map((host) => mysql.createPool(toPoolOptions(config, host)))
  const line = createWaitingLine(config.poolSize * pools.length, config.queueLimit, toOverloadedProblem)
  let turn = 0
  return {
    runQuery: (statement) =>
      line.run(async () => {
        turn = (turn + 1) % pools.length
        return runOnAnyHost([...pools.slice(turn), ...pools.slice(0, turn)], statement, config.queryTimeoutMs)
      }),
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

/** No session could be had; the statement has not run. */
class SessionError extends Error {}

const prepared = new WeakSet<object>()

/** A connection whose session is set up and was seen to be; the driver's pool may hand out a new one any time. */
async function openSession(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
  const connection = await takeConnection(pool, queryTimeoutMs)
  if (prepared.has(connection)) return connection
  try {
    await prepareSession(connection, queryTimeoutMs)
    prepared.add(connection)
    return connection
  } catch (cause) {
    connection.destroy()
    throw new SessionError('the session could not be set up', { cause })
  }
}

async function prepareSession(connection: PoolConnection, queryTimeoutMs: number): Promise<void> {
  const ask = (statement: Statement): Promise<readonly Row[]> => send(connection, statement, queryTimeoutMs)
  const [server] = await ask({ sql: 'select version() as version', values: [] })
  const dialect: Dialect = /mariadb/i.test(String(server?.['version'])) ? 'mariadb' : 'mysql'
  await ask(renderSession(dialect, queryTimeoutMs))
  const [state] = await ask(renderSessionCheck(dialect))
  const fault = findSessionFault(state ?? {}, queryTimeoutMs)
  if (fault !== undefined) throw new Error(`The session is not as it must be: ${fault}`)
}

async function takeConnection(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
  return withDeadline<PoolConnection>(queryTimeoutMs, {
    start: (done) => {
      pool.getConnection((error, connection) => {
        if (error !== null) done(new SessionError('no connection', { cause: error }))
        else if (!done(null, connection)) connection.release()
      })
    },
    giveUp: (error) => new SessionError('no connection in time', { cause: error }),
  })
}

interface Deadlined<Result> {
  /** Calls back once; what that returns tells whether anyone still waited. */
  readonly start: (done: (error: Error | null, result?: Result) => boolean) => void
  readonly giveUp: (error: Error) => Error
}

/** The driver's own time limit begins only when a statement is prepared, and then a lock can hold it up for ever. */
async function withDeadline<Result>(
  queryTimeoutMs: number,
  { start, giveUp }: Deadlined<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let open = true
    const timer = setTimeout(() => {
      open = false
      reject(
        giveUp(
          Object.assign(new Error('The database did not answer in time'), { code: 'PROTOCOL_DEADLINE' }),
        ),
      )
    }, queryTimeoutMs + clientGraceMs)
    start((error, result) => {
      const waited = open
      open = false
      clearTimeout(timer)
      if (error === null) resolve(result as Result)
      else reject(error)
      return waited
    })
  })
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

/** As a prepared statement, so that values travel apart from the text under every SQL mode. */
async function send(
  connection: PoolConnection,
  statement: Statement,
  queryTimeoutMs: number,
): Promise<readonly Row[]> {
  return withDeadline<readonly Row[]>(queryTimeoutMs, {
    start: (done) => {
      connection.execute({ sql: statement.sql, values: [...statement.values] }, (error, rows) => {
        done(error, rows as readonly Row[])
      })
    },
    // Nobody knows when the answer will come, so nothing else may be asked over this connection.
    giveUp: (error) => error,
  })
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
