import mysql from 'mysql2'
import type { Connection } from 'mysql2'
import { AuditError, toErrorText } from '../errors.js'
import { toConnectionOptions } from './connection.js'
import type { DatabaseConfig } from './connection.js'
import { findSessionIssue, findUnsupported, renderSession, toDialect } from './dialects.js'
import type { Dialect } from './dialects.js'
import { findRejected } from './errors.js'
import { execute, startDeadline } from './execute.js'
import { readServer } from './server.js'
import type { RunQuery, Statement } from './statement.js'

/** A connection that is set up. */
export interface Session {
  readonly connection: Connection
  /** By `performance.now`. */
  readonly openedAt: number
}

/** Opens a session, sets it up and reads it back. @throws AuditError where it is not what was set. */
export async function openSession(config: DatabaseConfig): Promise<Session> {
  const connection = await connect(config)
  const openedAt = performance.now()
  try {
    await setUp(connection, config.queryTimeoutMs)
  } catch (error) {
    connection.destroy()
    throw error
  }
  return { connection, openedAt }
}

async function connect(config: DatabaseConfig): Promise<Connection> {
  const connection = mysql.createConnection(toConnectionOptions(config))
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      endDeadline()
      connection.destroy()
      reject(error)
    }
    // The driver's own limit ends with the handshake, which a server may leave without an answer.
    const endDeadline = startDeadline(config.queryTimeoutMs, fail)
    // It stays, because an error can follow the answer to a statement, and belong to none.
    connection.on('error', fail)
    connection.connect((error) => {
      if (error !== null) fail(error)
      else if (endDeadline()) resolve(connection)
    })
  })
}

async function setUp(connection: Connection, queryTimeoutMs: number): Promise<void> {
  const run: RunQuery = (statement) => runOnce(connection, statement, queryTimeoutMs)
  // Until the session is set up, `max_join_size` of the server can reject a statement of a table, and `init_connect` can have
  // changed the character set of texts.
  const [server] = await run({ sql: 'select cast(version() as binary) as version', values: [] })
  const version = String(server?.['version'])
  const issue = findUnsupported(version) ?? (await findSetUpIssue(run, toDialect(version), queryTimeoutMs))
  if (issue === undefined) return
  throw new AuditError([
    `the server (${version}): ${issue}; to fix it: connect Vitrine as docs/deploy.md, "Clusters and proxies", says for the engine or the proxy`,
  ])
}

async function findSetUpIssue(
  run: RunQuery,
  dialect: Dialect,
  queryTimeoutMs: number,
): Promise<string | undefined> {
  let issue: string | undefined
  try {
    await run(renderSession(dialect, queryTimeoutMs))
    issue = findSessionIssue(dialect, queryTimeoutMs, (await readServer(run)).session)
  } catch (error) {
    const sql = findRejected(error)
    if (sql === undefined) throw error
    issue = `${toErrorText(error)}: ${sql}`
  }
  return issue && `a session is not what Vitrine sets it up to be: ${issue}`
}

/** The result of a statement on a connection. */
export function runOnce<Result>(
  connection: Connection,
  statement: Statement<Result>,
  queryTimeoutMs: number,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    execute<Result>(connection, statement, queryTimeoutMs, (error, result) => {
      if (error === undefined) resolve(result as Result)
      else reject(error)
    })
  })
}
