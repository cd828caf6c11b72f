import type { PoolConnection } from 'mysql2'
import { watchBytes } from './connection.js'
import { isTooManyConnections } from './errors.js'
import { execute } from './execute.js'
import type { Meter, RowReader, Statement } from './statement.js'

/** A session that is retired is closed after the statement that it runs. */
export type SessionState = 'idle' | 'busy' | 'retired' | 'closed'

/** A connection that is set up, and runs one statement at a time. */
export class Session {
  readonly connection: PoolConnection
  readonly age: SessionAge
  verifiedAt = performance.now()
  state: SessionState = 'busy'
  isUsed = false
  /** Ends the statement that it runs, before the connection reports anything. */
  fail: (error: unknown) => void = () => {}
  #meter: Meter | undefined
  #reader: RowReader<unknown> | undefined
  #received = 0
  #isPaused = false

  /** It was opened for a statement. */
  constructor(connection: PoolConnection, maxAgeMs: number, end: Omit<SessionEnd, 'isUsed'>) {
    this.connection = connection
    this.age = startAge(maxAgeMs, { ...end, isUsed: () => this.isUsed })
    watchBytes(connection, (bytes) => {
      this.#received += bytes
      this.#count()
    })
  }

  /**
   * The result of a statement. No more of it is read while the meter forbids that.
   *
   * @throws as `execute`, or what the meter throws.
   */
  async run<Result>(
    statement: Statement<Result>,
    meter: Meter | undefined,
    queryTimeoutMs: number,
  ): Promise<Result> {
    const reader = statement.createReader?.()
    this.#meter = meter
    this.#reader = reader
    this.#received = 0
    try {
      return await execute(this.connection, statement, queryTimeoutMs, reader, this.#begin)
    } finally {
      this.#meter = undefined
      this.#reader = undefined
      this.fail = () => {}
      this.#setPaused(false)
    }
  }

  readonly #begin = (fail: (error: unknown) => void): void => {
    this.fail = fail
  }

  readonly #count = (): void => {
    try {
      const bytes = Math.max(this.#received, this.#reader?.byteLength?.() ?? 0)
      if (this.#meter !== undefined) this.#setPaused(!this.#meter.count(bytes, this.#count))
    } catch (error) {
      this.fail(error)
    }
  }

  #setPaused(shallPause: boolean): void {
    if (shallPause === this.#isPaused) return
    this.#isPaused = shallPause
    if (shallPause) this.connection.pause()
    else this.connection.resume()
  }
}

/** What happens to a session at its maximum age. */
interface SessionEnd {
  /** Whether the session was used since it was opened. */
  readonly isUsed: () => boolean
  /** Opens another session that takes its place. @throws when none can be opened. */
  readonly replace: () => Promise<void>
  /** Closes the session, after the statement that it runs. */
  readonly retire: () => void
}

/** The age of one session. */
interface SessionAge {
  /** The session is closed, or about to be. */
  readonly end: () => void
}

/** Sessions that were opened together end over this part of the maximum age, not all at once. */
const spread = 0.2
/** A session that could not be replaced is tried again after this part of the maximum age. */
const retryAfter = 0.1

/**
 * Ends a session at its maximum age, so that the name of the host is resolved again. A session that was used is
 * replaced first, so that no request is delayed or fails; one that was not used is only closed. If no other session can
 * be opened, the session stays for as long again, and longer while the server has no connection left.
 */
export function startAge(maxAgeMs: number, { isUsed, replace, retire }: SessionEnd): SessionAge {
  const startedAt = performance.now()
  let isEnded = false
  const canStay = (error: unknown): boolean =>
    isTooManyConnections(error) || performance.now() - startedAt < 2 * maxAgeMs

  const expire = async (): Promise<void> => {
    try {
      if (isUsed()) await replace()
    } catch (error) {
      if (isEnded) return
      if (canStay(error)) {
        timer = startTimer(maxAgeMs * retryAfter)
        return
      }
    }
    if (!isEnded) retire()
  }
  const startTimer = (ms: number): NodeJS.Timeout => setTimeout(() => void expire(), ms).unref()
  let timer = startTimer(maxAgeMs * (1 - spread * Math.random()))

  return {
    end: () => {
      isEnded = true
      clearTimeout(timer)
    },
  }
}
