import type { RetryEvent } from '../client/index.js'
import { toPrintable } from '../client/text.js'
import type { AnyRecord } from './copy.js'

/** What a pull shows beside its result. */
export type Progress = ReturnType<typeof createProgress>

type Failure = Pick<RetryEvent, 'attempt' | 'delayMs' | 'error'>

/**
 * Creates the progress of a process, whose syncs follow each other: a line every ten seconds, and one for each failed attempt.
 * A loop says once that the service does not answer, again each hour, and when it answers again.
 *
 * @param retries of a request.
 */
export function createProgress(
  write: (text: string) => unknown,
  { retries, isLoop }: { readonly retries: number; readonly isLoop: boolean },
) {
  let sync = { collection: '', records: 0, reached: '', startedMs: 0 }
  let timer: NodeJS.Timeout | undefined
  const print = (text: string): void => {
    write(`${sync.collection}: ${text}\n`)
  }
  const outage = createOutage(print)
  const show = (): void => {
    if (outage.has(sync.collection)) return
    const reached = toPrintable(sync.reached.slice(0, 16)).replace('T', ' ')
    const until = reached === '' ? '' : `, changes up to ${reached}`
    print(`${sync.records.toLocaleString('en')} records, ${renderSince(sync.startedMs, 1000)} s${until}`)
  }
  const fail = (error: Failure['error']): void => {
    outage.begin(sync.collection, error.message)
  }
  const succeed = (): void => {
    outage.end(sync.collection)
  }
  return {
    print,
    /** A sync begins. */
    start: (collection: string): void => {
      sync = { collection, records: 0, reached: '', startedMs: performance.now() }
      timer = setInterval(show, 10_000)
    },
    page: (records: readonly AnyRecord[]): void => {
      succeed()
      sync.records += records.length
      sync.reached = records.at(-1)?.updatedAt ?? sync.reached
    },
    /** An attempt failed, and the next one begins after a delay. In a loop, a single one is not worth a line. */
    retry: ({ attempt, delayMs, error }: Failure): void => {
      const seconds = Math.max(1, Math.round(delayMs / 1000))
      if (!isLoop)
        print(`${error.message}; retry ${String(attempt)} of ${String(retries)} in ${String(seconds)} s`)
      else if (attempt > 1) fail(error)
    },
    /** The sync failed, and the loop goes on. */
    fail,
    /** The sync is complete. */
    succeed,
    /** The sync ended. */
    end: (): void => {
      clearInterval(timer)
    },
  }
}

const hourMs = 3_600_000

/** A time without the service, which begins with the first collection that fails and ends with the last one that succeeds. */
function createOutage(print: (text: string) => void) {
  const collections = new Set<string>()
  let [startedMs, saidMs] = [0, 0]
  return {
    has: (collection: string): boolean => collections.has(collection),
    begin: (collection: string, reason: string): void => {
      const now = performance.now()
      if (collections.size === 0) [startedMs, saidMs] = [now, -Infinity]
      collections.add(collection)
      if (now - saidMs < hourMs) return
      const since = now === startedMs ? '' : `, for ${renderSince(startedMs, 60_000)} minutes`
      print(`${reason}; trying until it answers${since}`)
      saidMs = now
    },
    end: (collection: string): void => {
      if (!collections.delete(collection) || collections.size > 0) return
      print(`the service answers again, after ${renderSince(startedMs, 60_000)} minutes`)
    },
  }
}

function renderSince(startedMs: number, unitMs: number): string {
  return String(Math.round((performance.now() - startedMs) / unitMs))
}
