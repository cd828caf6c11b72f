import { databaseUnavailable, toDatabaseError } from './errors.js'
import { createSessions, SessionError } from './sessions.js'
import type { DatabaseConfig } from './sessions.js'
import { Slots } from './slots.js'
import type { RunQuery, RunStatement } from './statement.js'

/** Read-only access to the database. */
export interface Database {
  /** Runs the statements of requests, in the slots. */
  readonly runQuery: RunStatement
  /** The same beside the slots, so that requests and checks do not delay each other. */
  readonly runCheckQuery: RunQuery
  /** Runs a task on a session of its own, which is closed afterwards; with the name of the server, `host:port`. */
  readonly forEachHost: <Result>(
    task: (run: RunQuery, host: string) => Promise<Result>,
  ) => Promise<readonly Result[]>
  /** Starts the health check; resolves after the first one. */
  readonly watch: (onChange: (cause: unknown) => void) => Promise<void>
  /** Whether the database answers, as the last health check found; true before the first one. */
  readonly isAnswering: () => boolean
  readonly close: () => Promise<void>
  readonly measure: () => ReturnType<Slots['measure']>
}

/** The most bytes of answers that were not sent. A page has at most a sixteenth of it. */
export const answerBytesMax = 67_108_864

/** The pause between two health checks, in milliseconds. */
const healthCheckMs = 1000

/** Read-only sessions at one address, which can be that of a proxy; nothing connects before the first statement. */
export function createDatabase(config: DatabaseConfig): Database {
  const sessions = createSessions(config)
  const [{ host, port } = { host: '', port: 0 }] = config.hosts
  const slots = new Slots({
    size: config.poolSize,
    queueLimit: config.queueLimit,
    waitMs: config.queryTimeoutMs,
    bytesMax: answerBytesMax,
  })
  let isAnswering = true
  let timer: NodeJS.Timeout | undefined
  const check = async (onChange: (cause: unknown) => void): Promise<void> => {
    const wasAnswering = isAnswering
    let cause: unknown
    try {
      await sessions.run({ sql: 'select 1', values: [] })
      isAnswering = true
    } catch (error) {
      isAnswering = false
      cause = error
    }
    if (isAnswering !== wasAnswering) onChange(cause)
  }
  return {
    runQuery: (statement, context = {}) =>
      slots.run(context, async () => {
        const result = await toProblems(() => sessions.run(statement))
        if (statement.createReader !== undefined) slots.hold(countBytes(result), context)
        return result
      }),
    runCheckQuery: (statement) => toProblems(() => sessions.run(statement)),
    forEachHost: async (task) => [
      await toProblems(() => sessions.runTask((run) => task(run, `${host}:${port}`))),
    ],
    watch: async (onChange) => {
      const repeat = async (): Promise<void> => {
        await check(onChange)
        timer = setTimeout(() => void repeat(), healthCheckMs).unref()
      }
      await repeat()
    },
    isAnswering: () => isAnswering,
    close: async () => {
      clearTimeout(timer)
      await sessions.close()
    },
    measure: () => slots.measure(),
  }
}

/** Of the records of a page. */
function countBytes(result: unknown): number {
  const { json } = result as { readonly json?: { readonly length: number } }
  return json?.length ?? 0
}

async function toProblems<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof SessionError ? databaseUnavailable(error.cause) : toDatabaseError(error)
  }
}
