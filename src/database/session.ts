import type { PoolConnection } from 'mysql2'
import { watchBytes } from './connection.js'
import { execute } from './execute.js'
import { startAge } from './session-age.js'
import type { SessionAge, SessionEnd } from './session-age.js'
import type { Meter, RowReader, Statement } from './statement.js'

/** A connection that is set up, and runs one statement at a time. */
export class Session {
  readonly connection: PoolConnection
  readonly age: SessionAge
  verifiedAt = performance.now()
  isUsed = false
  /** Whether it is closed after the statement that it runs. */
  isRetired = false
  /** Ends the statement that it runs, before the connection reports anything. */
  fail: (error: unknown) => void = () => {}
  #meter: Meter | undefined
  #reader: RowReader<unknown> | undefined
  #received = 0
  #isPaused = false

  /** It is idle, and new. */
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
