import type { Pool, PoolConnection } from 'mysql2'
import { isConnectionLost, isMissingIndex } from './driver-errors.js'
import { execute, openSession, send } from './session.js'
import { startAge } from './session-age.js'
import type { SessionAge } from './session-age.js'
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

/** How sessions are used. */
interface SessionsConfig {
  readonly queryTimeoutMs: number
  /** Older sessions are replaced. */
  readonly maxAgeMs: number
  readonly onStatement?: OnStatement | undefined
}

/** A session, and what is to happen when its statement has ended. */
interface AgingSession {
  readonly connection: PoolConnection
  readonly age: SessionAge
  isRetired: boolean
}

/**
 * Sessions are kept here between statements and not in the driver's pool, which only makes them: it would hand one
 * out a tick later and does not know which are set up. How many there are is the caller's to bound; while a session is
 * replaced there is one more.
 */
export function createSessions(pool: Pool, config: SessionsConfig): Sessions {
  const { queryTimeoutMs, onStatement } = config
  const { open, takeIdle, putBack } = createSessionStock(pool, config)

  const runOn = (session: AgingSession, statement: Statement): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      const sentAt = performance.now()
      execute(session.connection, statement, queryTimeoutMs, (error, rows) => {
        onStatement?.((performance.now() - sentAt) / 1000, error !== null)
        if (error !== null && isConnectionLost(error)) destroy(session)
        else putBack(session)
        if (error === null) resolve(rows)
        else if (statement.fallback === undefined || !isMissingIndex(error)) reject(error)
        else resolve(run({ sql: statement.fallback, values: statement.values }))
      })
    })

  const run: RunQuery = (statement) => {
    const session = takeIdle()
    return session === undefined
      ? open().then((opened) => runOn(opened, statement))
      : runOn(session, statement)
  }

  return {
    run,
    visit: async (task) => {
      const session = takeIdle() ?? (await open())
      try {
        return await task((statement) => send(session.connection, statement, queryTimeoutMs))
      } finally {
        destroy(session)
      }
    },
  }
}

/** Opens sessions, keeps those that are idle, and replaces those that are too old. */
function createSessionStock(pool: Pool, { queryTimeoutMs, maxAgeMs }: SessionsConfig) {
  // The one used last is taken first, so that those that a quiet hour leaves idle are closed.
  const idle: AgingSession[] = []

  const forget = (session: AgingSession): boolean => {
    const at = idle.indexOf(session)
    if (at !== -1) idle.splice(at, 1)
    return at !== -1
  }

  const open = async (): Promise<AgingSession> => {
    const connection = await openSession(pool, queryTimeoutMs)
    const age = startAge(maxAgeMs, {
      replace: async () => {
        idle.push(await open())
      },
      retire: () => {
        session.isRetired = true
        if (forget(session)) connection.end()
      },
    })
    const session: AgingSession = { connection, age, isRetired: false }
    const end = (): void => {
      age.end()
      forget(session)
    }
    connection.on('end', end)
    connection.on('error', end)
    return session
  }

  return {
    open,
    takeIdle: (): AgingSession | undefined => {
      const session = idle.pop()
      session?.age.noteUse()
      return session
    },
    putBack: (session: AgingSession): void => {
      if (session.isRetired) session.connection.end()
      else idle.push(session)
    },
  }
}

function destroy({ connection, age }: AgingSession): void {
  age.end()
  connection.destroy()
}
