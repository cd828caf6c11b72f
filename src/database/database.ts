import type { DatabaseConfig } from './connection.js'
import { databaseUnavailable, toDatabaseError } from './errors.js'
import { SessionError, Sessions } from './sessions.js'
import type { OnResult } from './sessions.js'
import { Slots } from './slots.js'
import type { QueryContext, Row, RunQuery, Statement } from './statement.js'

/** Read-only access to the database. */
export type Database = ReturnType<typeof createDatabase>

/** The most bytes of answers that were not sent. A page has at most a sixteenth of it. */
export const answerBytesMax = 67_108_864

/** The pause between two health checks, in milliseconds. */
const healthCheckMs = 1000

/** Read-only sessions at one address, which can be that of a proxy; nothing connects before the first statement. */
export function createDatabase(config: DatabaseConfig) {
  const sessions = new Sessions(config)
  const slots = new Slots({
    size: config.poolSize,
    queueLimit: config.queueLimit,
    waitMs: config.queryTimeoutMs,
    bytesMax: answerBytesMax,
  })
  /** Runs a statement beside the slots, so that requests and checks do not delay each other. */
  const runCheckQuery: RunQuery = (statement) =>
    new Promise((resolve, reject) => {
      sessions.run(statement, settle(resolve, reject))
    })
  const health = createHealthCheck(runCheckQuery, config.observe)
  return {
    /** Runs the statements of requests, in the slots. */
    runQuery: <Result = readonly Row[]>(statement: Statement<Result>, context: QueryContext = {}) =>
      new Promise<Result>((resolve, reject) => {
        const onResult = settle(resolve, reject)
        const task = (onEnd: () => void): void => {
          const onEnded: OnResult<Result> = (error, result) => {
            onEnd()
            onResult(error, result)
          }
          sessions.run(statement, onEnded, context.caller)
        }
        slots.run(context, task, reject)
      }),
    runCheckQuery,
    /** Runs a task on a session of its own, which is closed afterwards. */
    runTask: async <Result>(task: (run: RunQuery) => Promise<Result>): Promise<Result> => {
      try {
        return await sessions.runTask(task)
      } catch (error) {
        throw error instanceof Error ? toProblem(error) : error
      }
    },
    /** Starts the health check; resolves after the first one. */
    watch: health.watch,
    /** Whether the database answers, as the last health check found; true before the first one. */
    isAnswering: health.isAnswering,
    close: (): Promise<void> => {
      health.stop()
      return sessions.close()
    },
    measure: () => slots.measure(),
    /** Counts the bytes of an answer until it ends: beyond `answerBytesMax`, pages wait. */
    holdBytes: slots.hold.bind(slots),
  }
}

/** Checks once a second whether the database answers. */
function createHealthCheck(runCheckQuery: RunQuery, observe: DatabaseConfig['observe']) {
  let isAnswering = true
  let isStopped = false
  const check = async (): Promise<void> => {
    const wasAnswering = isAnswering
    let err: unknown
    try {
      await runCheckQuery({ sql: 'select 1', values: [] })
      isAnswering = true
    } catch (error) {
      isAnswering = false
      err = error
    }
    if (isStopped) return
    if (isAnswering !== wasAnswering)
      observe?.(isAnswering ? { kind: 'database reachable' } : { kind: 'database unreachable', err })
    setTimeout(() => void check(), healthCheckMs).unref()
  }
  const stop = (): void => {
    isStopped = true
  }
  return { watch: check, isAnswering: () => isAnswering, stop }
}

/** Settles a promise with the result of a statement. */
function settle<Result>(resolve: (result: Result) => void, reject: (error: Error) => void): OnResult<Result> {
  return (error, result) => {
    if (error === undefined) resolve(result as Result)
    else reject(toProblem(error))
  }
}

function toProblem(error: Error): Error {
  return error instanceof SessionError ? databaseUnavailable(error.cause) : toDatabaseError(error)
}
