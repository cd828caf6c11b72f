import type { RetryEvent } from '../client/index.js'
import { toPrintable } from '../client/text.js'
import type { AnyRecord } from './copy.js'

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** What a pull shows beside its result. */
export type Progress = ReturnType<typeof createProgress>

/**
 * Creates the progress of a process, whose syncs follow each other: one line, which is written again each second, and a line
 * for each failed attempt. Without a terminal the line is one of a log, every ten seconds.
 *
 * @param retries of a request.
 */
export function createProgress(output: Output, retries: number) {
  const isTerminal = output.isTTY === true
  const clear = isTerminal ? '\r\x1b[2K' : ''
  let sync = { collection: '', records: 0, reached: '', startedAt: 0 }
  let timer: NodeJS.Timeout | undefined
  const print = (text: string): void => {
    output.write(`${clear}${sync.collection}: ${text}\n`)
  }
  const show = (): void => {
    const line = renderLine(sync)
    output.write(isTerminal ? `${clear}${line.slice(0, (output.columns ?? 80) - 1)}` : `${line}\n`)
  }
  return {
    print,
    /** A sync begins. */
    start: (collection: string): void => {
      sync = { collection, records: 0, reached: '', startedAt: Date.now() }
      timer = setInterval(show, isTerminal ? 1000 : 10_000)
    },
    page: (records: readonly AnyRecord[]): void => {
      sync.records += records.length
      sync.reached = records.at(-1)?.updatedAt ?? sync.reached
    },
    /** An attempt failed, and the next one begins after a delay. */
    retry: ({ attempt, delayMs, error }: Pick<RetryEvent, 'attempt' | 'delayMs' | 'error'>): void => {
      const seconds = Math.max(1, Math.round(delayMs / 1000))
      print(`${error.message}; retry ${String(attempt)} of ${String(retries)} in ${String(seconds)} s`)
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
  readonly startedAt: number
}

function renderLine({ collection, records, reached, startedAt }: Sync): string {
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  const until = reached === '' ? '' : `, changes up to ${toPrintable(reached.slice(0, 16)).replace('T', ' ')}`
  return `${collection}: ${records.toLocaleString('en')} records, ${String(seconds)} s${until}`
}
