import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import mysql from 'mysql2'
import type { FieldPacket, Pool, PoolConnection, PoolOptions } from 'mysql2'
import type { Config } from '../config.js'
import { AuditError, toErrorText } from '../errors.js'
import type { DatabaseHost } from '../values/addresses.js'
import { findSessionIssue, renderSession, renderSessionCheck } from './dialects.js'
import { findRejected } from './errors.js'
import type { Heartbeat } from './freshness.js'
import { createAuthPlugins } from './login.js'
import { readServerKind } from './server-kind.js'
import type { ServerKind } from './server-kind.js'
import type { BoundValue, OnStatement, Row, RunQuery, Statement } from './statement.js'

/** Where the database is and how much of it may be used. */
export interface DatabaseConfig extends Omit<Config['database'], 'tlsCaFile' | 'serverPublicKeyFile'> {
  /** PEM text of the trusted authorities; undefined for those of the system. */
  readonly tlsCa: string | undefined
  /** PEM text of the key for passwords; undefined for the one that the server sends. */
  readonly serverPublicKey?: string | undefined
  /** Whose age is the lag, on any engine. */
  readonly heartbeat?: Heartbeat | undefined
  readonly onStatement?: OnStatement | undefined
}

/** No session could be opened; the statement has not run. */
export class SessionError extends Error {}

/** A pool of connections to one host; nothing connects yet. */
export function createPool(config: DatabaseConfig, { host, port }: DatabaseHost): Pool {
  return mysql.createPool({
    host,
    port,
    user: config.user,
    password: config.password,
    database: config.name,
    // The queue limits the number of connections.
    connectionLimit: 0,
    connectTimeout: config.queryTimeoutMs,
    charset: 'utf8mb4',
    // Dates and large numbers stay text, because JavaScript's own types would cut them.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    // Each keeps memory at the server too; a collection has fewer forms of lists than this.
    maxPreparedStatements: 256,
    flags: ['-LOCAL_FILES'],
    enableKeepAlive: true,
    // COM_QUIT ends a session; the server would log a connection that is only closed.
    gracefulEnd: true,
    ...(config.serverPublicKey === undefined
      ? {}
      : { authPlugins: createAuthPlugins(config.serverPublicKey) }),
    ...(config.tls === 'off' ? {} : { ssl: toTlsOptions(config) }),
    ...(config.tls === 'verify-identity' && isIP(host) !== 0
      ? { stream: () => connectToAddress(host, port) }
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

/**
 * A socket whose TLS certificate must be for the IP address. The driver gives TLS no name for an address, and Node then
 * takes the name that the socket resolved, or else `localhost`: a certificate for the address would be rejected, and
 * one for `localhost` accepted. Source: `onConnectSecure` of Node's `tls`.
 */
function connectToAddress(host: string, port: number): Socket {
  const socket = connect({ host, port, noDelay: true, keepAlive: true })
  return Object.assign(socket, { _host: host })
}

/** Calls a listener with the number of bytes, whenever some have arrived. */
export function watchBytes(connection: PoolConnection, listener: (bytes: number) => void): void {
  // The socket, or the one of TLS, which the driver does not declare. The driver's own listener runs first.
  const { stream } = connection as PoolConnection & { readonly stream: Socket }
  stream.on('data', ({ length }: Buffer) => {
    listener(length)
  })
}

/** Closes a pool. A session that is still being opened makes the driver fail, which is ignored. */
export async function endPool(pool: Pool): Promise<void> {
  await pool
    .promise()
    .end()
    .catch(() => undefined)
}

/** Opens a connection, sets its session up and verifies it. @returns also its server. @throws SessionError */
export async function openConnection(
  pool: Pool,
  queryTimeoutMs: number,
): Promise<{ readonly connection: PoolConnection; readonly server: ServerKind }> {
  const connection = await takeConnection(pool, queryTimeoutMs)
  try {
    return { connection, server: await setUpSession(connection, queryTimeoutMs) }
  } catch (cause) {
    connection.destroy()
    throw new SessionError('the session could not be set up', { cause })
  }
}

async function takeConnection(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, (error) => {
      reject(new SessionError('no connection in time', { cause: error }))
    })
    pool.getConnection((error, connection) => {
      const isInTime = deadline.end()
      if (error !== null) reject(new SessionError('no connection', { cause: error }))
      else if (isInTime) resolve(connection)
      else connection.destroy()
    })
  })
}

async function setUpSession(connection: PoolConnection, queryTimeoutMs: number): Promise<ServerKind> {
  const run = runOn(connection, queryTimeoutMs)
  let version = 'an unknown version'
  try {
    const server = await readServerKind(run)
    version = server.version
    await setVariables(connection, renderSession(server, queryTimeoutMs).sql, queryTimeoutMs)
    await requireVariables(run, server, queryTimeoutMs)
    return server
  } catch (error) {
    const sql = findRejected(error)
    throw sql === undefined ? error : toSetUpError(`${toErrorText(error)}: ${sql}`, version)
  }
}

/**
 * Verifies that a session is still what it was set up to be: a proxy can run its statements on another connection.
 *
 * @returns the server of the session now. @throws SessionError, or the driver's error.
 */
export async function verifySession(connection: PoolConnection, queryTimeoutMs: number): Promise<ServerKind> {
  const run = runOn(connection, queryTimeoutMs)
  const server = await readServerKind(run)
  try {
    await requireVariables(run, server, queryTimeoutMs)
  } catch (cause) {
    throw cause instanceof AuditError ? new SessionError('the session has changed', { cause }) : cause
  }
  return server
}

/** @throws AuditError */
async function requireVariables(
  run: RunQuery,
  { dialect, version }: ServerKind,
  queryTimeoutMs: number,
): Promise<void> {
  const [variables] = await run(renderSessionCheck(dialect))
  const issue = findSessionIssue(variables ?? {}, queryTimeoutMs)
  if (issue !== undefined) throw toSetUpError(issue, version)
}

/** No statement runs at such a server, so that a start fails. */
function toSetUpError(issue: string, version: string): AuditError {
  return new AuditError([
    `the server (${version}): a session is not what Vitrine sets it up to be: ${issue}; to fix it: connect Vitrine as docs/deploy.md, "Clusters and proxies", says for the engine or the proxy`,
  ])
}

/** As a text statement, not a prepared one: proxies that track session variables read them from the text. */
async function setVariables(connection: PoolConnection, sql: string, queryTimeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, reject)
    connection.query(sql, (error) => {
      if (!deadline.end()) return
      if (error === null) resolve()
      else reject(error)
    })
  })
}

/**
 * The longest text that stays prepared, in characters. MySQL 9.7 keeps about 150 bytes for each character of a
 * statement with many parts: 40 MB for a workspace of 500 parent rows, in every session.
 */
const keptLengthMax = 32_768

/** Runs statements on one connection, with `execute`. */
export function runOn(connection: PoolConnection, queryTimeoutMs: number): RunQuery {
  return (statement) => execute(connection, statement, queryTimeoutMs)
}

/**
 * Runs a statement as a prepared statement, so that values are sent apart from the text under every SQL mode.
 *
 * @throws the driver's error; `isConnectionLost` says whether the connection can be used again. After a deadline it
 *   cannot, because the answer can still arrive.
 */
export async function execute(
  connection: PoolConnection,
  { sql, values, withTypes = false }: Statement,
  queryTimeoutMs: number,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, reject)
    connection.execute(sql, values as BoundValue[], (error, found, fields) => {
      if (sql.length > keptLengthMax) connection.unprepare(sql)
      if (!deadline.end()) return
      const rows = found as readonly Row[]
      if (error !== null) reject(error)
      else resolve(withTypes ? rows.map((row) => ({ ...row, types: toTypesText(fields) })) : rows)
    })
  })
}

function toTypesText(fields: readonly FieldPacket[]): string {
  return fields
    .map(({ columnType, columnLength, decimals, flags, characterSet }) =>
      [columnType, columnLength, decimals, flags, characterSet].join(' '),
    )
    .join()
}

/** The client's time limit is this much longer than the server's, which ends a statement more cleanly. */
const clientGraceMs = 1000

/** A running time limit of the client. */
interface Deadline {
  /** Stops the timer. @returns whether the deadline has not passed yet. */
  readonly end: () => boolean
}

/**
 * Starts the time limit of a statement. The driver's own one begins after a statement was prepared, and a lock can delay
 * that without end.
 */
function startDeadline(queryTimeoutMs: number, onPassed: (error: Error) => void): Deadline {
  let isPassed = false
  const timer = setTimeout(() => {
    isPassed = true
    const error = new Error('The database did not answer in time')
    onPassed(Object.assign(error, { code: 'PROTOCOL_DEADLINE' }))
  }, queryTimeoutMs + clientGraceMs)
  return {
    end: () => {
      clearTimeout(timer)
      return !isPassed
    },
  }
}
