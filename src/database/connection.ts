import type { Socket } from 'node:net'
import type { Pool, PoolConnection } from 'mysql2'
import type { Config } from '../config.js'
import { AuditError, toErrorText } from '../errors.js'
import type { Account } from './account.js'
import { findSessionIssue, renderSession } from './dialects.js'
import { findRejected } from './errors.js'
import type { Heartbeat } from './freshness.js'
import { readServer, readServerKind } from './server-kind.js'
import type { ServerKind } from './server-kind.js'
import { execute, startDeadline } from './execute.js'
import type { OnStatement, RunStatement } from './statement.js'

type FileName = 'urlFile' | 'tlsCaFile' | 'serverPublicKeyFile'

/** Where the database is and how much of it may be used. */
export interface DatabaseConfig extends Omit<Config['database'], 'user' | 'password' | FileName> {
  readonly account: Account
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

/** Calls a listener with the number of bytes, whenever some have arrived. */
export function watchBytes(connection: PoolConnection, listener: (bytes: number) => void): void {
  // The socket, or the one of TLS, which the driver does not declare. The driver's own listener runs first.
  const { stream } = connection as PoolConnection & { readonly stream: Socket }
  stream.on('data', ({ length }: Buffer) => {
    listener(length)
  })
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
    const before = await readServerKind(run)
    version = before.version
    await run(renderSession(before, queryTimeoutMs))
    const { kind, session } = await readServer(run)
    const issue = findSessionIssue(session, queryTimeoutMs)
    if (issue !== undefined) throw toSetUpError(issue, version)
    return kind
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
  const { kind, session } = await readServer(runOn(connection, queryTimeoutMs))
  const issue = findSessionIssue(session, queryTimeoutMs)
  if (issue === undefined) return kind
  throw new SessionError('the session has changed', { cause: toSetUpError(issue, kind.version) })
}

/** No statement runs at such a server, so that a start fails. */
function toSetUpError(issue: string, version: string): AuditError {
  return new AuditError([
    `the server (${version}): a session is not what Vitrine sets it up to be: ${issue}; to fix it: connect Vitrine as docs/deploy.md, "Clusters and proxies", says for the engine or the proxy`,
  ])
}

/** Runs statements on one connection, with `execute`. */
export function runOn(connection: PoolConnection, queryTimeoutMs: number): RunStatement {
  return (statement) => execute(connection, statement, queryTimeoutMs)
}
