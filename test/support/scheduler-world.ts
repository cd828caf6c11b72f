import { databaseUnavailable } from '../../src/database/errors.js'
import type { Host } from '../../src/database/hosts.js'
import { Scheduler } from '../../src/database/scheduler.js'
import type { Caller, Meter, QueryContext, Row, Statement } from '../../src/database/statement.js'
import { createTestHost } from './hosts.js'
import type { TestHost } from './hosts.js'

/** The limits of a world. */
export interface WorldLimits {
  readonly hosts?: readonly number[]
  readonly queueLimit?: number
  readonly timeoutMs?: number
  readonly bytesMax?: number
  readonly oneResultBytesMax?: number
}

/** A statement at a server that answers when the test says so. */
export interface Run {
  readonly host: Host
  readonly statement: Statement<unknown>
  /** In the order of all events. */
  readonly sentAt: number
  /** The bytes that were read. */
  readonly read: () => number
  readonly isPaused: () => boolean
  /** So many more bytes arrive. */
  readonly arrive: (bytes: number) => void
  readonly answer: (rows?: readonly Row[]) => void
  readonly fail: (error: unknown) => void
}

/** A caller of a test. */
export interface TestCaller extends Caller {
  /** The answer was sent, or the caller leaves. */
  readonly end: () => void
  readonly wasDropped: () => boolean
}

/** A caller who waits. */
export function createTestCaller(): TestCaller {
  const tasks: (() => void)[] = []
  let [hasEnded, wasDropped] = [false, false]
  const end = (): void => {
    if (hasEnded) return
    hasEnded = true
    for (const task of tasks) task()
  }
  return {
    hasEnded: () => hasEnded,
    onEnd: (task) => tasks.push(task),
    end,
    drop: () => {
      wasDropped = true
      end()
    },
    wasDropped: () => wasDropped,
  }
}

/** A scheduler before hosts without servers. */
export function createWorld(limits: WorldLimits = {}) {
  const { hosts: sizes = [2], queueLimit = 100, timeoutMs = 1000, bytesMax = 1_000_000 } = limits
  const { oneResultBytesMax = bytesMax } = limits
  const runs: Run[] = []
  let events = 0
  const sent: Run[] = []
  const onSent: ((run: Run) => void)[] = []
  const hosts: readonly TestHost[] = sizes.map((slots, at) =>
    createTestHost(`h${at}`, slots, () => {
      for (const run of [...runs]) if (run.host.name === `h${at}`) run.fail(databaseUnavailable('dropped'))
    }),
  )
  const run = (host: Host, statement: Statement<unknown>, meter: Meter): Promise<readonly Row[]> =>
    new Promise((resolve, reject) => {
      let [read, isPaused] = [0, false]
      const remove = (): void => {
        const at = runs.indexOf(own)
        if (at !== -1) runs.splice(at, 1)
      }
      const count = (): void => {
        try {
          isPaused = !meter.count(read, count)
        } catch (error) {
          own.fail(error)
        }
      }
      const own: Run = {
        host,
        statement,
        sentAt: (events += 1),
        read: () => read,
        isPaused: () => isPaused,
        arrive: (bytes) => {
          read += bytes
          count()
        },
        answer: (rows = []) => {
          remove()
          resolve(rows)
        },
        fail: (error) => {
          remove()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      }
      runs.push(own)
      sent.push(own)
      for (const listener of onSent) listener(own)
    })
  const scheduler = new Scheduler({
    hosts,
    run,
    queueLimit,
    queryTimeoutMs: timeoutMs,
    resultBytesMax: bytesMax,
    oneResultBytesMax,
  })
  return {
    hosts,
    scheduler,
    /** The statements in flight. */
    runs,
    /** All statements that were ever sent. */
    sent,
    onSent: (listener: (run: Run) => void) => onSent.push(listener),
    nextEvent: () => (events += 1),
    /** Sends a statement of a name. Its promise can be rejected before it is awaited. */
    ask: (name: string, context: QueryContext & { readonly batch?: string } = {}) => {
      const { batch, ...rest } = context
      const answer = scheduler.run(toStatement(name, batch), rest)
      answer.catch(() => undefined)
      return answer
    },
    find: (name: string) => runs.find(({ statement }) => statement.values.includes(name)),
    names: () => runs.map(({ statement }) => statement.values.join()),
  }
}

/** A statement of a name; of a batch where one is given. */
export function toStatement(name: string, batch?: string): Statement {
  const statement = { sql: 'select ?', values: [name] }
  return batch === undefined ? statement : { ...statement, batch: { key: batch, merge: mergeStatements } }
}

function mergeStatements(statements: readonly Statement<unknown>[]): Statement<unknown> {
  return { ...statements[0]!, values: statements.flatMap(({ values }) => values) }
}
