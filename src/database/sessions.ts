import mysql from 'mysql2'
import type { Pool, PoolConnection, PoolOptions } from 'mysql2'
import { connect, isIP } from 'node:net'
import type { Config } from '../config.js'
import { AuditError, toErrorText } from '../errors.js'
import { findSessionIssue, renderSession } from './dialects.js'
import { findRejected, isConnectionLost, isMissingIndex } from './errors.js'
import { execute, startDeadline } from './execute.js'
import { readServer, readServerKind } from './server-kind.js'
import type { OnStatement, RunQuery, Statement } from './statement.js'

type FileName = 'urlFile' | 'tlsCaFile' | 'serverPublicKeyFile'

/** Where the database is and how much of it may be used. */
export interface DatabaseConfig extends Omit<Config['database'], FileName> {
  /** PEM text of the trusted authorities; undefined for those of the system. */
  readonly tlsCa: string | undefined
  /** PEM text of the key for passwords; undefined for the one that the server sends. */
  readonly serverPublicKey?: string | undefined
  readonly onStatement?: OnStatement | undefined
}

/** No session could be opened; the statement has not run. */
export class SessionError extends Error {}

/** A task that runs statements on one session. */
export type SessionTask<Result> = (run: RunQuery) => Promise<Result>

/** Read-only sessions of one address, in the driver's pool. Each method throws SessionError where none could be opened. */
export interface Sessions {
  /** @throws the driver's error */
  readonly run: <Result>(statement: Statement<Result>) => Promise<Result>
  /** Runs a task on one session, which is closed afterwards, so that the task may change its variables. */
  readonly runTask: <Result>(task: SessionTask<Result>) => Promise<Result>
  readonly close: () => Promise<void>
}

/** Sessions beyond the slots of requests: for the comparison with the schema, the audit and the health check. */
const sessionsForChecks = 3
/** The longest time that closing takes: a session ends after its statement, which may hang. */
const closeMs = 1000

/** The sessions of an address; nothing connects yet. */
export function createSessions(config: DatabaseConfig): Sessions {
  const { queryTimeoutMs, connectionMaxAgeMs, onStatement } = config
  const pool = createPool(config)
  /** Sessions that are set up; the last one is taken first. The driver's pool would hand one out a tick later. */
  const idle: PoolConnection[] = []
  const openedAt = new WeakMap<PoolConnection, number>()
  let opening = 0

  const open = async (): Promise<PoolConnection> => {
    opening += 1
    try {
      const connection = await takeConnection(pool, queryTimeoutMs)
      if (!openedAt.has(connection)) await begin(connection)
      return connection
    } finally {
      opening -= 1
    }
  }

  const begin = async (connection: PoolConnection): Promise<void> => {
    try {
      await setUp(connection, queryTimeoutMs)
    } catch (cause) {
      connection.destroy()
      throw new SessionError('the session could not be set up', { cause })
    }
    openedAt.set(connection, performance.now())
    const forget = (): void => {
      const at = idle.indexOf(connection)
      if (at !== -1) idle.splice(at, 1)
    }
    connection.on('end', forget).on('error', forget)
  }

  const giveBack = (connection: PoolConnection): void => {
    // Older ones are replaced, so that the name of the host is resolved again.
    if (performance.now() - (openedAt.get(connection) ?? 0) > connectionMaxAgeMs) connection.end()
    // One that waits for the limit of the pool gets it there.
    else if (opening > 0) connection.release()
    else idle.push(connection)
  }

  const run = async <Result>(statement: Statement<Result>): Promise<Result> => {
    const connection = idle.pop() ?? (await open())
    const sentAt = performance.now()
    try {
      const result = await execute(connection, statement, queryTimeoutMs, statement.createReader?.())
      onStatement?.((performance.now() - sentAt) / 1000, false)
      giveBack(connection)
      return result
    } catch (error) {
      onStatement?.((performance.now() - sentAt) / 1000, true)
      if (isConnectionLost(error)) connection.destroy()
      else giveBack(connection)
      const { withoutIndexHint: sql } = statement
      if (sql === undefined || !isMissingIndex(error)) throw error
      return run({ ...statement, sql, withoutIndexHint: undefined })
    }
  }

  return {
    run,
    runTask: async (task) => {
      const connection = idle.pop() ?? (await open())
      try {
        return await task((statement) => execute(connection, statement, queryTimeoutMs))
      } finally {
        connection.destroy()
      }
    },
    close: () =>
      new Promise((resolve) => {
        setTimeout(resolve, closeMs).unref()
        pool.end(() => {
          resolve()
        })
      }),
  }
}

async function takeConnection(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, (cause) => {
      reject(new SessionError('no connection in time', { cause }))
    })
    pool.getConnection((error, connection) => {
      const isInTime = deadline.end()
      if (error !== null) reject(new SessionError('no connection', { cause: error }))
      else if (isInTime) resolve(connection)
      else connection.release()
    })
  })
}

/** Sets a session up and reads it back. @throws AuditError, so that a start fails where it is another than was set. */
async function setUp(connection: PoolConnection, queryTimeoutMs: number): Promise<void> {
  const run: RunQuery = (statement) => execute(connection, statement, queryTimeoutMs)
  const before = await readServerKind(run)
  let issue: string | undefined
  try {
    await run(renderSession(before, queryTimeoutMs))
    issue = findSessionIssue((await readServer(run)).session, queryTimeoutMs)
  } catch (error) {
    const sql = findRejected(error)
    if (sql === undefined) throw error
    issue = `${toErrorText(error)}: ${sql}`
  }
  if (issue === undefined) return
  throw new AuditError([
    `the server (${before.version}): a session is not what Vitrine sets it up to be: ${issue}; to fix it: connect Vitrine as docs/deploy.md, "Clusters and proxies", says for the engine or the proxy`,
  ])
}

function createPool(config: DatabaseConfig): Pool {
  const { tls, serverPublicKey, poolSize, hosts } = config
  const [{ host, port } = { host: '', port: 0 }] = hosts
  const limit = poolSize + sessionsForChecks
  return mysql.createPool({
    host,
    port,
    user: config.user,
    password: config.password,
    database: config.name,
    connectionLimit: limit,
    maxIdle: limit,
    idleTimeout: config.connectionMaxAgeMs,
    connectTimeout: config.queryTimeoutMs,
    charset: 'utf8mb4',
    // Dates and large numbers stay text, because JavaScript's own types would cut them.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    maxPreparedStatements: 256,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    gracefulEnd: true,
    ...(serverPublicKey === undefined ? {} : { authPlugins: createAuthPlugins(serverPublicKey) }),
    ...(tls === 'off' ? {} : { ssl: toTlsOptions(config) }),
    // The driver gives TLS no name for an address, and Node would take `localhost`; see `onConnectSecure` of Node's `tls`.
    ...(tls === 'verify-identity' && isIP(host) !== 0
      ? {
          stream: () =>
            Object.assign(connect({ host, port, noDelay: true, keepAlive: true }), { _host: host }),
        }
      : {}),
  })
}

function toTlsOptions({ tls, tlsCa }: DatabaseConfig): NonNullable<Exclude<PoolOptions['ssl'], string>> {
  return {
    rejectUnauthorized: true,
    verifyIdentity: tls === 'verify-identity',
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
  }
}

/** The ways to log in that send a password without TLS, encrypted with the key of the server. @param serverPublicKey PEM */
function createAuthPlugins(serverPublicKey: string): NonNullable<PoolOptions['authPlugins']> {
  const { caching_sha2_password: cachingSha2, sha256_password: sha256 } = mysql.authPlugins
  return {
    caching_sha2_password: cachingSha2({ serverPublicKey }),
    sha256_password: sha256({ serverPublicKey }),
  }
}
