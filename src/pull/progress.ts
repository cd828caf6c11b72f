import type { RetryEvent, ScrubEvent } from '../client/index.js'
import { toPrintable } from '../client/printable.js'
import type { AnyRecord } from './copy.js'

/** What a pull shows beside its result: one line that follows the sync, and a line for each failed attempt. */
export interface Progress {
  /** A sync begins. */
  readonly start: (collection: string) => void
  readonly page: (records: readonly AnyRecord[]) => void
  readonly scrub: (event: ScrubEvent) => void
  /** An attempt failed, and the next one begins after a delay. */
  readonly retry: (event: Pick<RetryEvent, 'attempt' | 'delayMs' | 'error'>) => void
  /** A sync failed, and another one follows. */
  readonly fail: (error: Error) => void
  /** A request succeeded. */
  readonly succeed: () => void
  /** Writes a line of its own. */
  readonly print: (text: string) => void
  /** The sync ended. */
  readonly end: () => void
}

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

/** Between two versions of the line: without a terminal, each is a line of a log. */
const intervalMs = { terminal: 1000, log: 10_000 }

/** Creates the progress of a process, whose syncs follow each other. */
export function createProgress(
  output: Output,
  { retries, isWatch, clock = () => performance.now() }: ProgressInput,
): Progress {
  const isTerminal = output.isTTY === true
  const clear = isTerminal ? '\r\x1b[2K' : ''
  let sync = { collection: '', records: 0, reached: '', startedAt: 0 }
  let timer: NodeJS.Timeout | undefined
  const print = (text: string): void => {
    output.write(`${clear}${sync.collection}: ${text}\n`)
  }
  const outage = createOutage(print, clock)
  const show = (): void => {
    const line = renderLine(sync, clock())
    if (isTerminal)
      output.write(`${clear}${`${sync.collection}: ${line}`.slice(0, (output.columns ?? 80) - 1)}`)
    else if (!outage.isOpen()) print(line)
  }
  return {
    start: (collection) => {
      sync = { collection, records: 0, reached: '', startedAt: clock() }
      timer = setInterval(show, isTerminal ? intervalMs.terminal : intervalMs.log)
    },
    page: (records) => {
      const reached = records.at(-1)?.updatedAt
      sync.records += records.length
      if (reached !== undefined) sync.reached = `changes up to ${toMinute(reached)}`
      if (isTerminal) show()
    },
    scrub: (event) => {
      sync.reached = renderCycle(event)
      if (isTerminal) show()
    },
    retry: ({ attempt, delayMs, error }) => {
      const delay = toDuration(Math.max(1, delayMs / 1000))
      if (isWatch) outage.fail(error)
      else print(`${error.message}; retry ${String(attempt)} of ${String(retries)} in ${delay}`)
    },
    fail: outage.fail,
    succeed: outage.end,
    print,
    end: () => {
      clearInterval(timer)
      output.write(clear)
    },
  }
}

function renderLine(
  { records, reached, startedAt }: { records: number; reached: string; startedAt: number },
  now: number,
) {
  const seconds = Math.max(0.001, (now - startedAt) / 1000)
  const rate = records === 0 ? '' : `${Math.round(records / seconds).toLocaleString('en')}/s`
  const parts = [`${records.toLocaleString('en')} records`, rate, toDuration(seconds), reached]
  return parts.filter((part) => part !== '').join(', ')
}

/** How far the scrub is, in words. */
export function renderCycle({ cycle }: ScrubEvent): string {
  return `${String(Math.floor(cycle * 100))}% of the copy compared in this cycle of the scrub`
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
      const attempts = `${failures.toLocaleString('en')} failed attempt${failures === 1 ? '' : 's'}`
      print(`works again after ${attempts} in ${toDuration((clock() - startedAt) / 1000)}`)
      failures = 0
    },
  }
}

function toDuration(seconds: number): string {
  const total = Math.round(seconds)
  return total < 60 ? `${String(total)} s` : `${String(Math.floor(total / 60))} min ${String(total % 60)} s`
}

function toMinute(timestamp: string): string {
  return toPrintable(timestamp.slice(0, 16)).replace('T', ' ')
}
