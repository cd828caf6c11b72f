import { toPrintable } from '../client/printable.js'
import type { Page, ScrubEvent } from '../client/index.js'
import type { AnyRecord } from './copy.js'

/** Shows the progress of a sync. */
export interface Progress {
  readonly page: (page: Pick<Page<AnyRecord>, 'data'>) => void
  /** On a terminal only: the result has it too. */
  readonly scrub: (event: ScrubEvent) => void
  /** Ends the line on a terminal. */
  readonly end: () => void
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

interface ProgressInput {
  readonly collection: string
  /** About how many records will be read, where that is known: a full sync reads as many as the copy has. */
  readonly expected: number | undefined
  /** Milliseconds; only differences count. */
  readonly clock?: () => number
}

const pagesPerLine = 50

/** One line on a terminal, and a line for each 50 pages elsewhere: records, their rate, the time, and the rest. */
export function createProgress(
  output: Output,
  { collection, expected, clock = () => performance.now() }: ProgressInput,
): Progress {
  const start = clock()
  let records = 0
  let pages = 0
  let reached = ''
  let isShown = false
  const show = (line: string): void => {
    output.write(`\r\x1b[2K${line.slice(0, (output.columns ?? 80) - 1)}`)
    isShown = true
  }
  return {
    page: ({ data }) => {
      records += data.length
      pages += 1
      reached = data.at(-1)?.updatedAt ?? reached
      const seconds = Math.max(0.001, (clock() - start) / 1000)
      const rest = expected === undefined ? [] : [renderRest(expected, records, seconds)]
      const until = reached === '' ? [] : [`changes up to ${toMinute(reached)}`]
      const rate = `${Math.round(records / seconds).toLocaleString('en')}/s`
      const parts = [`${records.toLocaleString('en')} records`, rate, toDuration(seconds), ...rest, ...until]
      const line = `${collection}: ${parts.join(', ')}`
      if (output.isTTY === true) show(line)
      else if (pages % pagesPerLine === 0) output.write(`${line}\n`)
    },
    scrub: (event) => {
      if (output.isTTY === true) show(`${collection}: ${renderCycle(event)}`)
    },
    end: () => {
      if (isShown) output.write('\n')
    },
  }
}

/** How far the scrub is, in words. */
export function renderCycle({ cycle }: ScrubEvent): string {
  return `${String(Math.floor(cycle * 100))}% of the copy compared in this cycle of the scrub`
}

function renderRest(expected: number, records: number, seconds: number): string {
  const left = Math.max(0, expected - records)
  const time = records === 0 ? '' : `, ${toDuration((left * seconds) / records)} left`
  return `of about ${expected.toLocaleString('en')}${time}`
}

/** A number of seconds as text. */
export function toDuration(seconds: number): string {
  const total = Math.round(seconds)
  return total < 60 ? `${String(total)} s` : `${String(Math.floor(total / 60))} min ${String(total % 60)} s`
}

function toMinute(timestamp: string): string {
  return toPrintable(timestamp.slice(0, 16)).replace('T', ' ')
}
