import type { DatabaseConfig } from './connection.js'
import {
  isConnectionLost,
  isForeign,
  isServerLost,
  isTooManyConnections,
  needsSecondForm,
  overloaded,
} from './errors.js'
import { execute, startDeadline } from './execute.js'
import { openSession, runOnce } from './open-session.js'
import type { Session } from './open-session.js'
import type { Caller, RunQuery, Statement } from './statement.js'

/** No session could be opened; the statement has not run. */
export class SessionError extends Error {}

/** The longest time that the end of a session takes. */
const closeMs = 1000

/** Receives the result of a statement, or the error of the driver, or a SessionError. */
export type OnResult<Result> = (error: Error | undefined, result?: Result) => void

/** Read-only sessions at one address. Each is in one of these lists. Their callers bound how many are used at once. */
export class Sessions {
  readonly #config: DatabaseConfig
  readonly #opening = new Set<Promise<Session>>()
  /** Those that are set up and run nothing; the last one is taken first. */
  readonly #idle: Session[] = []
  readonly #busy = new Set<Session>()
  /** Statements for which the server has no further connection; they get the next session that is given back. */
  readonly #waiting: (() => void)[] = []
  #isClosed = false

  /** Nothing connects yet. */
  constructor(config: DatabaseConfig) {
    this.#config = config
  }

  /** Runs a statement on a session that is free, or on a new one, for which its caller may not wait. */
  run<Result>(statement: Statement<Result>, onResult: OnResult<Result>, caller?: Caller): void {
    const session = this.#take()
    if (session !== undefined) this.#runOn(session, statement, onResult)
    else
      this.#open().then((opened) => {
        if (caller?.hasEnded() === true) {
          this.#giveBack(opened)
          onResult(overloaded())
        } else this.#runOn(opened, statement, onResult)
      }, onResult)
  }

  /** Runs a task on one session, which is closed afterwards, so that the task may change its variables. */
  async runTask<Result>(task: (run: RunQuery) => Promise<Result>): Promise<Result> {
    const session = this.#take() ?? (await this.#open())
    try {
      return await task((statement) => runOnce(session.connection, statement, this.#config.queryTimeoutMs))
    } finally {
      this.#destroy(session)
    }
  }

  /** Ends the sessions that run nothing; the others end with their statements. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ended = this.#idle.splice(0).map(
      ({ connection }) =>
        new Promise<void>((resolve) => {
          // A server that hangs does not hold up the end.
          setTimeout(resolve, closeMs).unref()
          connection.end(() => {
            resolve()
          })
        }),
    )
    await Promise.all(ended)
  }

  #runOn<Result>(
    session: Session,
    statement: Statement<Result>,
    onResult: OnResult<Result>,
    isSecond = false,
  ): void {
    const sentAt = performance.now()
    execute(session.connection, statement, this.#config.queryTimeoutMs, (error, result) => {
      this.#observe(sentAt, error)
      if (error !== undefined && isConnectionLost(error)) this.#destroy(session)
      else this.#giveBack(session)
      const { secondForm: sql } = statement
      if (error !== undefined && sql !== undefined && needsSecondForm(error))
        this.run({ ...statement, sql, secondForm: undefined }, onResult)
      // A new session, because those that are idle can have lost the same server.
      else if (error !== undefined && !isSecond && isServerLost(error))
        this.#open().then((other) => {
          this.#runOn(other, statement, onResult, true)
        }, onResult)
      else onResult(error, result)
    })
  }

  #observe(sentAt: number, error: Error | undefined): void {
    const { observe } = this.#config
    const seconds = (performance.now() - sentAt) / 1000
    observe?.({ kind: 'statement', seconds, hasFailed: error !== undefined })
    if (isForeign(error)) observe?.({ kind: 'foreign rows', reason: error.message })
  }

  #take(): Session | undefined {
    const session = this.#idle.pop()
    if (session !== undefined) this.#busy.add(session)
    return session
  }

  /** Opens a session, or waits for one where the server refuses a further one. @throws SessionError */
  async #open(): Promise<Session> {
    const opening = openSession(this.#config)
    this.#opening.add(opening)
    try {
      const session = await opening
      this.#opening.delete(opening)
      this.#busy.add(session)
      // A statement that runs receives its error itself.
      session.connection.on('error', () => {
        const at = this.#idle.indexOf(session)
        if (at === -1) return
        this.#idle.splice(at, 1)
        this.#destroy(session)
      })
      return session
    } catch (cause) {
      this.#opening.delete(opening)
      const others = this.#opening.size + this.#idle.length + this.#busy.size
      if (others > 0 && isTooManyConnections(cause)) return this.#wait(cause)
      throw new SessionError('no session', { cause })
    }
  }

  /** Waits for another session of this process to be given back. */
  #wait(cause: unknown): Promise<Session> {
    return new Promise((resolve, reject) => {
      const retry = (): void => {
        endDeadline()
        resolve(this.#take() ?? this.#open())
      }
      const endDeadline = startDeadline(this.#config.queryTimeoutMs, () => {
        this.#waiting.splice(this.#waiting.indexOf(retry), 1)
        reject(new SessionError('no session in time', { cause }))
      })
      this.#waiting.push(retry)
    })
  }

  #giveBack(session: Session): void {
    this.#busy.delete(session)
    // Older ones are replaced, so that the name of the host is resolved again.
    if (this.#isClosed || performance.now() - session.openedAt > this.#config.connectionMaxAgeMs)
      session.connection.end()
    else this.#idle.push(session)
    this.#waiting.shift()?.()
  }

  #destroy(session: Session): void {
    this.#busy.delete(session)
    session.connection.destroy()
    this.#waiting.shift()?.()
  }
}
