import type { RetryEvent } from '../client/index.js'
import { toPrintable } from '../client/printable.js'
import type { AnyRecord } from './copy.js'

interface ProgressInput {
  /** Of a request. */
  readonly retries: number
  /** Whether syncs follow each other for ever: an outage is then one line when it begins, and one when it ends. */
  readonly isWatch: boolean
  /** Milliseconds; only differences count. */
  readonly clock?: () => number
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** What a pull shows beside its result. */
export type Progress = ReturnType<typeof createProgress>

/**
 * Creates the progress of a process, whose syncs follow each other: one line, which is written again each second, and a line
 * for each failed attempt. Without a terminal each version is a line of a log, every ten seconds.
 */
export function createProgress(
  output: Output,
  { retries, isWatch, clock = () => performance.now() }: ProgressInput,
) {
  const isTerminal = output.isTTY === true
  const clear = isTerminal ? '\r\x1b[2K' : ''
  let sync = { collection: '', records: 0, reached: '', startedAt: 0 }
  const outage = { failures: 0, startedAt: 0 }
  let timer: NodeJS.Timeout | undefined
  const print = (text: string): void => {
    output.write(`${clear}${sync.collection}: ${text}\n`)
  }
  const show = (): void => {
    const line = renderLine(sync, (clock() - sync.startedAt) / 1000)
    const shown = isTerminal ? `${clear}${line.slice(0, (output.columns ?? 80) - 1)}` : `${line}\n`
    if (isTerminal || outage.failures === 0) output.write(shown)
  }
  /** A sync failed, and another one follows. */
  const fail = (error: Error): void => {
    if (outage.failures === 0) outage.startedAt = clock()
    outage.failures += 1
    if (outage.failures === 1) print(`${error.message}; trying again until it works`)
  }
  return {
    print,
    fail,
    /** A sync begins. */
    start: (collection: string): void => {
      sync = { collection, records: 0, reached: '', startedAt: clock() }
      timer = setInterval(show, isTerminal ? 1000 : 10_000)
    },
    page: (records: readonly AnyRecord[]): void => {
      sync.records += records.length
      sync.reached = records.at(-1)?.updatedAt ?? sync.reached
    },
    /** An attempt failed, and the next one begins after a delay. */
    retry: ({ attempt, delayMs, error }: Pick<RetryEvent, 'attempt' | 'delayMs' | 'error'>): void => {
      const retry = `retry ${String(attempt)} of ${String(retries)}`
      if (isWatch) fail(error)
      else print(`${error.message}; ${retry} in ${toDuration(Math.max(1, delayMs / 1000))}`)
    },
    /** A request succeeded. */
    succeed: (): void => {
      const { failures, startedAt } = outage
      const duration = toDuration((clock() - startedAt) / 1000)
      if (failures > 0) print(`works again in ${duration}; attempts that failed: ${String(failures)}`)
      outage.failures = 0
    },
    /** The sync ended. */
    end: (): void => {
      clearInterval(timer)
      output.write(clear)
    },
  }
}

interface Sync {
  readonly collection: string
  readonly records: number
  /** The `updatedAt` of the last record; empty before the first. */
  readonly reached: string
}

function renderLine({ collection, records, reached }: Sync, seconds: number): string {
  const rate = `, ${Math.round(records / Math.max(0.001, seconds)).toLocaleString('en')}/s`
  const until = `, changes up to ${toPrintable(reached.slice(0, 16)).replace('T', ' ')}`
  const read = `${records.toLocaleString('en')} records${records === 0 ? '' : rate}`
  return `${collection}: ${read}, ${toDuration(seconds)}${reached === '' ? '' : until}`
}

function toDuration(seconds: number): string {
  const total = Math.round(seconds)
  return total < 60 ? `${String(total)} s` : `${String(Math.floor(total / 60))} min ${String(total % 60)} s`
}
