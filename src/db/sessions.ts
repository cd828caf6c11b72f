import type { Pool, PoolConnection } from 'mysql2'
import { isConnectionLost, isMissingIndex } from './driver-errors.js'
import { execute, openSession, send } from './session.js'
import type { Row, RunQuery, Statement } from './statement.js'

/** Told how long each statement took, from its sending to its last row, and whether it failed. */
export type OnStatement = (seconds: number, failed: boolean) => void

/** The sessions of one host; each of both throws SessionError where none could be had, and nothing has run then. */
export interface Sessions {
  /** @throws the driver's error. */
  readonly run: RunQuery
  /** Runs a task on a session that is dropped afterwards, so that the task may change it. */
  readonly visit: <Result>(task: (runQuery: RunQuery) => Promise<Result>) => Promise<Result>
}

/**
 * Sessions are kept here between statements and not in the driver's pool, which only makes them: it would hand one
 * out a tick later and does not know which are set up. How many there are is the caller's to bound.
 */
export function createSessions(pool: Pool, queryTimeoutMs: number, onStatement?: OnStatement): Sessions {
  // The one used last is taken first, so that a server may close those that a quiet hour leaves idle.
  const idle: PoolConnection[] = []

  const open = async (): Promise<PoolConnection> => {
    const session = await openSession(pool, queryTimeoutMs)
    const forget = (): void => {
      const at = idle.indexOf(session)
      if (at !== -1) idle.splice(at, 1)
    }
    session.on('end', forget)
    session.on('error', forget)
    return session
  }

  const runOn = (session: PoolConnection, statement: Statement): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      const sentAt = performance.now()
      execute(session, statement, queryTimeoutMs, (error, rows) => {
        onStatement?.((performance.now() - sentAt) / 1000, error !== null)
        if (error !== null && isConnectionLost(error)) session.destroy()
        else idle.push(session)
        if (error === null) resolve(rows)
        else if (statement.fallback === undefined || !isMissingIndex(error)) reject(error)
        else resolve(run({ sql: statement.fallback, values: statement.values }))
      })
    })

  const run: RunQuery = (statement) => {
    const session = idle.pop()
    return session === undefined
      ? open().then((opened) => runOn(opened, statement))
      : runOn(session, statement)
  }

  return {
    run,
    visit: async (task) => {
      const session = idle.pop() ?? (await open())
      try {
        return await task((statement) => send(session, statement, queryTimeoutMs))
      } finally {
        session.destroy()
      }
    },
  }
}
