import type { Pool } from 'mysql2'
import { SessionError, runOn } from './connection.js'
import { isConnectionLost, isMissingIndex, isOverloaded } from './errors.js'
import { Session } from './session.js'
import type { SessionState } from './session.js'
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

/**
 * Idle sessions are kept here and not in the driver's pool, which only opens connections: it would hand one out a tick
 * later, and does not know which are set up. The caller limits how many statements run at once; while a session is
 * replaced there is one session more.
 */
export function createSessionPool(pool: Pool, config: SessionPoolConfig): SessionPool {
  const { queryTimeoutMs, onStatement } = config
  const inFlight = createInFlight()
  const stock = new Stock(pool, config, inFlight)

  const run = async <Result>(statement: Statement<Result>, meter?: Meter): Promise<Result> => {
    const session = await stock.take()
    const sentAt = performance.now()
    const end = (isFailed: boolean): void => onStatement?.((performance.now() - sentAt) / 1000, isFailed)
    try {
      const result = await session.run(statement, meter, queryTimeoutMs)
      end(false)
      stock.change(session, 'release')
      return result
    } catch (error) {
      end(true)
      // The rest of a result that the meter rejects is not read.
      stock.change(session, isConnectionLost(error) || isOverloaded(error) ? 'break' : 'release')
      if (statement.withoutIndexHint === undefined || !isMissingIndex(error)) throw error
      return run({ ...statement, sql: statement.withoutIndexHint, withoutIndexHint: undefined }, meter)
    }
  }

  const execTask: SessionPool['runTask'] = async (task, isKept = () => false) => {
    const session = await stock.take()
    try {
      const result = await task(runOn(session.connection, queryTimeoutMs))
      stock.change(session, isKept(result) ? 'release' : 'break')
      return result
    } catch (error) {
      stock.change(session, 'break')
      throw error
    }
  }

  return {
    run,
    runTask: (task, isKept) => inFlight.add(execTask(task, isKept)),
    renew: () => {
      stock.renew()
    },
    drop: () => {
      const dropped = new SessionError('the connections of the host were dropped', {
        cause: new Error('The health check of the host failed'),
      })
      stock.closeAll(dropped)
      inFlight.abort(dropped)
    },
  }
}

interface InFlight {
  /** @param undo what is done with a result that comes after the end. */
  readonly add: <Result>(result: Promise<Result>, undo?: (result: Result) => void) => Promise<Result>
  readonly abort: (error: Error) => void
}

/** What is done beside statements, which can be ended before the connections report anything. */
function createInFlight(): InFlight {
  const aborts = new Set<(error: Error) => void>()
  return {
    add: (result, undo) =>
      new Promise((resolve, reject) => {
        aborts.add(reject)
        result
          .then((value) => {
            if (aborts.has(reject)) resolve(value)
            else undo?.(value)
          }, reject)
          .finally(() => aborts.delete(reject))
      }),
    abort: (error) => {
      for (const abort of aborts) abort(error)
      aborts.clear()
    },
  }
}

/** A session is taken or released, gives way to a newer one, or cannot be used any more; or its connection has ended. */
type SessionEvent = 'take' | 'release' | 'retire' | 'break' | 'end'

/** What a session becomes by each event. */
const transitions: Readonly<Record<SessionEvent, Readonly<Record<SessionState, SessionState>>>> = {
  take: { idle: 'busy', busy: 'busy', retired: 'retired', closed: 'closed' },
  release: { idle: 'idle', busy: 'idle', retired: 'closed', closed: 'closed' },
  retire: { idle: 'closed', busy: 'retired', retired: 'retired', closed: 'closed' },
  break: { idle: 'closed', busy: 'closed', retired: 'closed', closed: 'closed' },
  end: { idle: 'closed', busy: 'closed', retired: 'closed', closed: 'closed' },
}

/** Opens sessions, keeps the idle ones, verifies them, and replaces those that reach the maximum age. */
class Stock {
  readonly #all = new Set<Session>()
  /** The session used last is taken first, so that those that are not needed become old unused, and are closed. */
  readonly #idle: Session[] = []
  readonly #opener
  readonly #config: SessionPoolConfig
  readonly #inFlight: InFlight

  constructor(pool: Pool, config: SessionPoolConfig, inFlight: InFlight) {
    this.#opener = createOpener(pool, config)
    this.#config = config
    this.#inFlight = inFlight
  }

  take(): Session | Promise<Session> {
    const session = this.#idle.at(-1)
    if (session !== undefined) {
      this.change(session, 'take')
      session.isUsed = true
    }
    const { verifyAfterMs = verifyAfterDefaultMs } = this.#config
    if (session !== undefined && performance.now() - session.verifiedAt < verifyAfterMs) return session
    const taken = session === undefined ? this.#open() : this.#verify(session)
    return this.#inFlight.add(taken, (late) => {
      this.change(late, 'release')
    })
  }

  change(session: Session, event: SessionEvent): void {
    const { state } = session
    session.state = transitions[event][state]
    if (state === 'idle') takeOut(this.#idle, session)
    if (session.state === 'idle') this.#idle.push(session)
    if (session.state !== 'closed') return
    session.age.end()
    this.#all.delete(session)
    if (event === 'break') session.connection.destroy()
    // A connection that ends by itself fails its statement, which the driver leaves out where it is closed here.
    else if (event !== 'end' && state !== 'closed') session.connection.end()
  }

  closeAll(error: Error): void {
    for (const session of this.#all) {
      this.change(session, 'break')
      session.fail(error)
    }
  }

  renew(): void {
    this.#opener.renew()
    for (const session of this.#all) this.change(session, 'retire')
  }

  async #open(): Promise<Session> {
    const session: Session = new Session(await this.#opener.open(), this.#config.maxAgeMs, {
      replace: async () => {
        this.change(await this.#open(), 'release')
      },
      retire: () => {
        this.change(session, 'retire')
      },
    })
    for (const event of ['end', 'error'])
      session.connection.on(event, () => {
        this.change(session, 'end')
      })
    this.#all.add(session)
    return session
  }

  /** @returns another session where this one cannot be used any more. */
  async #verify(session: Session): Promise<Session> {
    let isVerified = false
    try {
      isVerified = await isStillVerified(session.connection, this.#config)
    } finally {
      if (!isVerified) this.change(session, 'break')
    }
    session.verifiedAt = performance.now()
    return isVerified ? session : this.#open()
  }
}
