import type { RetryEvent } from '../client/index.js'
import { toDuration } from './progress.js'

/** Reports on stderr that a pull waits: for a late response, or before a retry. */
export interface Waiting {
  /** A request begins. */
  readonly start: () => void
  /** The response is here, or no longer expected. */
  readonly stop: () => void
  /** An attempt failed, and the next one begins after a delay. */
  readonly retry: (event: Pick<RetryEvent, 'attempt' | 'delayMs' | 'error'>) => void
  /** A sync failed, and another one follows. */
  readonly fail: (error: Error) => void
  /** A request succeeded. */
  readonly succeed: () => void
}

interface WaitingInput {
  readonly collection: string
  /** Time limit of one attempt. */
  readonly timeoutMs: number
  /** Retries of a request. */
  readonly retries: number
  /** Whether syncs follow each other for ever: an outage is then one line when it begins, and one when it ends. */
  readonly isWatch: boolean
  /** Milliseconds; only differences count. */
  readonly clock?: () => number
}

interface Output {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
}

/** The first notice, so that a command never looks idle for 2 seconds. */
const firstNoticeMs = 1500
const noticeEveryMs = 10_000

/** Creates the notices of one pull. Each is a line of its own, on a terminal too, so that it remains visible. */
export function createWaiting(output: Output, input: WaitingInput): Waiting {
  const { collection, timeoutMs, retries, isWatch, clock = () => performance.now() } = input
  let timer: NodeJS.Timeout | undefined
  let which = 'first'
  const print = (text: string): void => {
    // On a terminal, the line can contain the bar of the progress.
    output.write(`${output.isTTY === true ? '\r\x1b[2K' : ''}${collection}: ${text}\n`)
  }
  const outage = createOutage(print, clock)
  const set = (run: () => void, ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
    timer.unref()
  }
  const waitUntil = (ms: number, waitedMs: number): void => {
    set(() => {
      if (outage.isOpen()) return
      print(`waiting for the ${which} response for ${toSeconds(ms)}, time limit ${toSeconds(timeoutMs)}`)
      waitUntil(ms < noticeEveryMs ? noticeEveryMs : ms + noticeEveryMs, ms)
    }, ms - waitedMs)
  }
  const start = (): void => {
    waitUntil(firstNoticeMs, 0)
  }
  return {
    start,
    stop: () => {
      clearTimeout(timer)
      which = 'next'
    },
    retry: ({ attempt, delayMs, error }) => {
      if (isWatch) outage.fail(error)
      else print(`${error.message}; retry ${String(attempt)} of ${String(retries)} in ${toSeconds(delayMs)}`)
      set(start, delayMs)
    },
    fail: outage.fail,
    succeed: outage.end,
  }
}

/** Attempts that fail one after the other: a line when it begins, and one with their count when it ends. */
function createOutage(print: (text: string) => void, clock: () => number) {
  let failures = 0
  let startedAt = 0
  return {
    isOpen: () => failures > 0,
    fail: (error: Error): void => {
      failures += 1
      if (failures > 1) return
      startedAt = clock()
      print(`${error.message}; trying again until it works`)
    },
    end: (): void => {
      if (failures === 0) return
      const attempts =
        failures === 1 ? '1 failed attempt' : `${failures.toLocaleString('en')} failed attempts`
      print(`works again after ${attempts} in ${toDuration((clock() - startedAt) / 1000)}`)
      failures = 0
    },
  }
}

function toSeconds(ms: number): string {
  return `${String(Math.max(1, Math.round(ms / 1000)))} s`
}
