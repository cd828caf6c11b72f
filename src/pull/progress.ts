import type { RetryEvent } from '../client/index.js'
import { toPrintable } from '../client/text.js'
import type { AnyRecord } from './copy.js'

/** What a pull shows beside its result. */
export type Progress = ReturnType<typeof createProgress>

/**
 * Creates the progress of a process, whose syncs follow each other: a line every ten seconds, and one for each failed attempt.
 *
 * @param retries of a request.
 */
export function createProgress(write: (text: string) => unknown, retries: number) {
  let sync = { collection: '', records: 0, reached: '', startedAt: 0 }
  let timer: NodeJS.Timeout | undefined
  const print = (text: string): void => {
    write(`${sync.collection}: ${text}\n`)
  }
  const show = (): void => {
    const seconds = Math.round((Date.now() - sync.startedAt) / 1000)
    const reached = toPrintable(sync.reached.slice(0, 16)).replace('T', ' ')
    const until = reached === '' ? '' : `, changes up to ${reached}`
    print(`${sync.records.toLocaleString('en')} records, ${String(seconds)} s${until}`)
  }
  return {
    print,
    /** A sync begins. */
    start: (collection: string): void => {
      sync = { collection, records: 0, reached: '', startedAt: Date.now() }
      timer = setInterval(show, 10_000)
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
    },
  }
}
