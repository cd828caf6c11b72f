import type { Pool, PoolConnection } from 'mysql2'
import { findSessionFault, renderSession, renderSessionCheck, toDialect } from './session-sql.js'
import type { BoundValue, Row, Statement } from './statement.js'

/** The client waits this much longer than the server, which ends a statement more cleanly. */
const clientGraceMs = 1000

/** No session could be had; the statement has not run. */
export class SessionError extends Error {}

/** A connection of its own whose session is set up and was seen to be. @throws SessionError */
export async function openSession(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
  const connection = await takeConnection(pool, queryTimeoutMs)
  try {
    await prepareSession(connection, queryTimeoutMs)
    return connection
  } catch (cause) {
    connection.destroy()
    throw new SessionError('the session could not be set up', { cause })
  }
}

async function prepareSession(connection: PoolConnection, queryTimeoutMs: number): Promise<void> {
  const ask = (statement: Statement): Promise<readonly Row[]> => send(connection, statement, queryTimeoutMs)
  const [server] = await ask({ sql: 'select version() as version', values: [] })
  const dialect = toDialect(server?.['version'])
  await set(connection, renderSession(dialect, queryTimeoutMs).sql, queryTimeoutMs)
  const [state] = await ask(renderSessionCheck(dialect))
  const fault = findSessionFault(state ?? {}, queryTimeoutMs)
  if (fault !== undefined) throw new Error(`The session is not as it must be: ${fault}`)
}

/** As text, and not prepared as all else is: a proxy that tracks the session's variables reads them from the text. */
async function set(connection: PoolConnection, sql: string, queryTimeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, reject)
    connection.query(sql, (error) => {
      if (!deadline.end()) return
      if (error === null) resolve()
      else reject(error)
    })
  })
}

async function takeConnection(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    const deadline = startDeadline(queryTimeoutMs, (error) => {
      reject(new SessionError('no connection in time', { cause: error }))
    })
    pool.getConnection((error, connection) => {
      const waited = deadline.end()
      if (error !== null) reject(new SessionError('no connection', { cause: error }))
      else if (waited) resolve(connection)
      else connection.destroy()
    })
  })
}

/** Runs a statement and gives its rows. @throws the driver's error; isConnectionLost tells what it means for the session. */
export async function send(
  connection: PoolConnection,
  statement: Statement,
  queryTimeoutMs: number,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    execute(connection, statement, queryTimeoutMs, (error, rows) => {
      if (error === null) resolve(rows)
      else reject(error)
    })
  })
}

/**
 * Runs a statement as a prepared statement, so that values travel apart from the text under every SQL mode.
 *
 * @param done is called once. After a deadline nobody knows when the answer will come, so nothing else may be asked
 *   over this connection.
 */
export function execute(
  connection: PoolConnection,
  { sql, values }: Statement,
  queryTimeoutMs: number,
  done: (error: Error | null, rows: readonly Row[]) => void,
): void {
  const deadline = startDeadline(queryTimeoutMs, (error) => {
    done(error, [])
  })
  connection.execute(sql, values as BoundValue[], (error, rows) => {
    if (deadline.end()) done(error, rows as readonly Row[])
  })
}

interface Deadline {
  /** Tells whether it had not passed yet. */
  readonly end: () => boolean
}

/** The driver's own time limit begins only when a statement is prepared, and then a lock can hold it up for ever. */
function startDeadline(queryTimeoutMs: number, pass: (error: Error) => void): Deadline {
  let passed = false
  const timer = setTimeout(() => {
    passed = true
    pass(Object.assign(new Error('The database did not answer in time'), { code: 'PROTOCOL_DEADLINE' }))
  }, queryTimeoutMs + clientGraceMs)
  return {
    end: () => {
      clearTimeout(timer)
      return !passed
    },
  }
}
