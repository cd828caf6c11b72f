import type { Pool, PoolConnection } from 'mysql2'
import { SessionError, runOn } from './connection.js'
import { isConnectionLost, isMissingIndex, isOverloaded } from './errors.js'
import { Intake } from './intake.js'
import { startAge } from './session-age.js'
import type { SessionAge } from './session-age.js'
import type { Meter, OnStatement, RunQuery, Statement } from './statement.js'
import { createOpener, isStillVerified, verifyAfterDefaultMs } from './verified-session.js'
import type { VerificationConfig } from './verified-session.js'
import { takeOut } from '../values/short-lived.js'

/** The sessions of one host. Each method throws SessionError where no session could be opened. */
export interface SessionPool {
  /** @throws the driver's error, or what the meter throws. */
  readonly run: <Result>(statement: Statement<Result>, meter?: Meter) => Promise<Result>
  /**
   * Runs a task on one session. It is closed afterwards, so that the task may change its variables, unless `isKept` says of
   * the result that it did not.
   */
  readonly runTask: <Result>(
    task: SessionTask<Result>,
    isKept?: (result: Result) => boolean,
  ) => Promise<Result>
  /** Sessions that are open are not used for another statement. */
  readonly renew: () => void
  /** Closes every session at once. Each statement and task in flight fails as if its connection were lost. */
  readonly drop: () => void
}

/** A task that runs statements on one session. */
export type SessionTask<Result> = (run: RunQuery) => Promise<Result>

interface SessionPoolConfig extends VerificationConfig {
  /** Older sessions are replaced. */
  readonly maxAgeMs: number
  readonly onStatement?: OnStatement | undefined
}

interface Session {
  readonly connection: PoolConnection
  readonly intake: Intake
  readonly age: SessionAge
  verifiedAt: number
  isUsed: boolean
  /** Whether it is closed after the statement that it runs. */
  isRetired: boolean
}

/**
 * Idle sessions are kept here and not in the driver's pool, which only opens connections: it would hand one out a tick
 * later, and does not know which are set up. The caller limits how many statements run at once; while a session is
 * replaced there is one session more.
 */
export function createSessionPool(pool: Pool, config: SessionPoolConfig): SessionPool {
  const { queryTimeoutMs, onStatement } = config
  const { take, putBack, close, closeAll, renew } = createStock(pool, config)
  const inFlight = createInFlight()

  const exec = async <Result>(statement: Statement<Result>, meter: Meter | undefined): Promise<Result> => {
    const session = await take()
    const sentAt = performance.now()
    const end = (error?: unknown): void => {
      onStatement?.((performance.now() - sentAt) / 1000, error !== undefined)
      // The rest of a result that the meter rejects is not read.
      if (error !== undefined && (isConnectionLost(error) || isOverloaded(error))) close(session)
      else putBack(session)
    }
    try {
      const result = await session.intake.run(statement, meter, queryTimeoutMs)
      end()
      return result
    } catch (error) {
      end(error)
      if (statement.withoutIndexHint === undefined || !isMissingIndex(error)) throw error
      return exec({ ...statement, sql: statement.withoutIndexHint, withoutIndexHint: undefined }, meter)
    }
  }

  const execTask: SessionPool['runTask'] = async (task, isKept = () => false) => {
    const session = await take()
    try {
      const result = await task(runOn(session.connection, queryTimeoutMs))
      if (isKept(result)) putBack(session)
      else close(session)
      return result
    } catch (error) {
      close(session)
      throw error
    }
  }

  return {
    run: (statement, meter) => inFlight.add(exec(statement, meter)),
    runTask: (task, isKept) => inFlight.add(execTask(task, isKept)),
    renew,
    drop: () => {
      closeAll()
      inFlight.abort()
    },
  }
}

/**
 * The statements in flight, which can be ended before their connections report anything.
 */
function createInFlight() {
  const aborts: (() => void)[] = []
  return {
    add: <Result>(result: Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          const cause = new Error('The health check of the host failed')
          reject(new SessionError('the connections of the host were dropped', { cause }))
        }
        aborts.push(abort)
        const remove = (): boolean => takeOut(aborts, abort)
        result.then(remove, remove)
        result.then(resolve, reject)
      }),
    abort: () => {
      for (const abort of [...aborts]) abort()
    },
  }
}

/** Opens sessions, keeps the idle ones, verifies them, and replaces those that reach the maximum age. */
function createStock(pool: Pool, config: SessionPoolConfig) {
  const { maxAgeMs, verifyAfterMs = verifyAfterDefaultMs } = config
  const all = new Set<Session>()
  // The session used last is taken first, so that those that are not needed become old unused, and are closed.
  const idle: Session[] = []

  const remove = (session: Session): void => {
    session.age.end()
    takeOut(idle, session)
    all.delete(session)
  }
  const opener = createOpener(pool, config)
  const open = async (): Promise<Session> => {
    const session = startSession(await opener.open(), maxAgeMs, {
      replace: async () => {
        idle.push(await open())
      },
      onRetired: (retired) => {
        retire(retired, idle)
      },
      onEnd: remove,
    })
    all.add(session)
    return session
  }

  const close = (session: Session): void => {
    remove(session)
    session.connection.destroy()
  }

  return {
    take: (): Session | Promise<Session> => {
      const session = idle.pop()
      if (session === undefined) return open()
      session.isUsed = true
      return performance.now() - session.verifiedAt >= verifyAfterMs
        ? verify(session, config, { open, close })
        : session
    },
    putBack: (session: Session): void => {
      if (session.isRetired) session.connection.end()
      else if (all.has(session)) idle.push(session)
    },
    close,
    renew: () => {
      opener.renew()
      for (const session of all) retire(session, idle)
    },
    closeAll: () => {
      all.forEach(close)
    },
  }
}

interface SessionChange {
  readonly open: () => Promise<Session>
  readonly close: (session: Session) => void
}

/** @returns another session where this one cannot be used any more. */
async function verify(
  session: Session,
  config: VerificationConfig,
  { open, close }: SessionChange,
): Promise<Session> {
  let isVerified = false
  try {
    isVerified = await isStillVerified(session.connection, config)
  } finally {
    if (!isVerified) close(session)
  }
  session.verifiedAt = performance.now()
  return isVerified ? session : open()
}

interface SessionEvents {
  /** Opens a session that takes the place of this one. */
  readonly replace: () => Promise<void>
  readonly onRetired: (session: Session) => void
  readonly onEnd: (session: Session) => void
}

function startSession(
  connection: PoolConnection,
  maxAgeMs: number,
  { replace, onRetired, onEnd }: SessionEvents,
): Session {
  const age = startAge(maxAgeMs, {
    isUsed: () => session.isUsed,
    replace,
    retire: () => {
      onRetired(session)
    },
  })
  const verifiedAt = performance.now()
  const session: Session = {
    connection,
    intake: new Intake(connection),
    age,
    verifiedAt,
    isUsed: false,
    isRetired: false,
  }
  for (const event of ['end', 'error'])
    connection.on(event, () => {
      onEnd(session)
    })
  return session
}

/** Closes a session that is idle now, or after its statement. */
function retire(session: Session, idle: Session[]): void {
  session.isRetired = true
  if (takeOut(idle, session)) session.connection.end()
}
