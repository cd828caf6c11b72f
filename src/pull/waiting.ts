import type { RetryEvent } from '../client/index.js'

/** Reports on stderr that a pull waits: for a late response, or before a retry. */
export interface Waiting {
  /** A request begins. */
  readonly start: () => void
  /** The response is here, or no longer expected. */
  readonly stop: () => void
  /** An attempt failed, and the next one begins after a delay. */
  readonly retry: (event: Pick<RetryEvent, 'attempt' | 'delayMs' | 'error'>) => void
}

interface WaitingInput {
  readonly collection: string
  /** Time limit of one attempt. */
  readonly timeoutMs: number
  /** Retries of a request. */
  readonly retries: number
}

interface Output {
  readonly isTTY?: boolean
  readonly write: (text: string) => unknown
}

/** The first notice, so that a command never looks idle for 2 seconds. */
const firstNoticeMs = 1500
const noticeEveryMs = 10_000

/** Creates the notices of one pull. Each is a line of its own, on a terminal too, so that it remains visible. */
export function createWaiting(output: Output, { collection, timeoutMs, retries }: WaitingInput): Waiting {
  let timer: NodeJS.Timeout | undefined
  let which = 'first'
  const print = (text: string): void => {
    // On a terminal, the line can contain the bar of the progress.
    output.write(`${output.isTTY === true ? '\r\x1b[2K' : ''}${collection}: ${text}\n`)
  }
  const set = (run: () => void, ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(run, ms)
    timer.unref()
  }
  const waitUntil = (ms: number, waitedMs: number): void => {
    set(() => {
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
      print(`${error.message}; retry ${String(attempt)} of ${String(retries)} in ${toSeconds(delayMs)}`)
      set(start, delayMs)
    },
  }
}

function toSeconds(ms: number): string {
  return `${String(Math.max(1, Math.round(ms / 1000)))} s`
}
