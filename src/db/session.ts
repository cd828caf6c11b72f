import type { Pool, PoolConnection } from 'mysql2'
import { findSessionFault, renderSession, renderSessionCheck, toDialect } from './session-sql.js'
import type { Row, Statement } from './statement.js'

/** The client waits this much longer than the server, which ends a statement more cleanly. */
const clientGraceMs = 1000

/** No session could be had; the statement has not run. */
export class SessionError extends Error {}

const prepared = new WeakSet<object>()

/** A connection whose session is set up and was seen to be; the driver's pool may hand out a new one any time. */
export async function openSession(pool: Pool, queryTimeoutMs: number): Promise<PoolConnection> {
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
  const dialect = toDialect(server?.['version'])
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

/** Runs a statement as a prepared statement, so that values travel apart from the text under every SQL mode. */
export async function send(
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
