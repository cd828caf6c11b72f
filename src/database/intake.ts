import type { PoolConnection } from 'mysql2'
import { watchBytes } from './connection.js'
import { execute } from './execute.js'
import type { Meter, RowReader, Statement } from './statement.js'

/** The bytes that a session receives for one statement at a time, of which no more are read while its meter forbids it. */
export class Intake {
  readonly #connection: PoolConnection
  #meter: Meter | undefined
  #reader: RowReader<unknown> | undefined
  #received = 0
  #isPaused = false
  #fail: (error: unknown) => void = () => {}
  readonly #count = (): void => {
    try {
      const bytes = Math.max(this.#received, this.#reader?.byteLength?.() ?? 0)
      if (this.#meter !== undefined) this.#setPaused(!this.#meter.count(bytes, this.#count))
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Counts nothing yet. */
  constructor(connection: PoolConnection) {
    this.#connection = connection
    watchBytes(connection, (bytes) => {
      this.#received += bytes
      this.#count()
    })
  }

  /** The result of a statement. @throws as `execute`, or what the meter throws. */
  run<Result>(
    statement: Statement<Result>,
    meter: Meter | undefined,
    queryTimeoutMs: number,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const reader = statement.createReader?.()
      this.#meter = meter
      this.#reader = reader
      this.#received = 0
      this.#fail = reject
      const end = (): void => {
        this.#end()
      }
      execute(this.#connection, statement, queryTimeoutMs, reader).finally(end).then(resolve, reject)
    })
  }

  #end(): void {
    this.#meter = undefined
    this.#reader = undefined
    this.#fail = () => {}
    this.#setPaused(false)
  }

  #setPaused(shallPause: boolean): void {
    if (shallPause === this.#isPaused) return
    this.#isPaused = shallPause
    if (shallPause) this.#connection.pause()
    else this.#connection.resume()
  }
}
