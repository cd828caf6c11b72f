import { toPrintable } from '../client/printable.js'
import type { Page } from '../client/index.js'
import type { AnyRecord } from './copy.js'

/** Shows the progress of a sync. */
export interface Progress {
  readonly page: (page: Page<AnyRecord>) => void
  /** Ends the line on a terminal. */
  readonly end: () => void
}

interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

const barWidth = 24
const pagesPerLine = 50

/**
 * A bar on a terminal, and one line for each 50 pages elsewhere. The number of records to come is unknown. They are in the
 * order of their last change, so the bar shows the share of that period that is read.
 *
 * @param since where the sync starts; null for the first record.
 */
export function createProgress(output: Output, collection: string, since: string | null): Progress {
  let records = 0
  let pages = 0
  let start = since
  return {
    page: (page) => {
      records += page.data.length
      pages += 1
      start ??= page.data[0]?.updatedAt ?? page.nextUpdatedSince
      const reached = findReached(page, start)
      const counted = `${records.toLocaleString('en')} records, changes up to ${toMinute(reached)}`
      if (output.isTTY === true) {
        const line = `${collection} ${renderBar(computeShare(start, reached, page.nextUpdatedSince))} ${counted}`
        output.write(`\r\x1b[2K${line.slice(0, (output.columns ?? 80) - 1)}`)
      } else if (pages % pagesPerLine === 0) output.write(`${collection}: ${counted}\n`)
    },
    end: () => {
      if (output.isTTY === true && pages > 0) output.write('\n')
    },
  }
}

/** The share of a period that is read, from 0 to 1. */
export function computeShare(start: string, reached: string, end: string): number {
  const [from, at, to] = [Date.parse(start), Date.parse(reached), Date.parse(end)]
  return to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : 1
}

/** The last page always reaches the end of the period, also without records. */
function findReached({ data, cursor, nextUpdatedSince }: Page<AnyRecord>, start: string): string {
  const last = data.at(-1)?.updatedAt ?? start
  return cursor === null && last < nextUpdatedSince ? nextUpdatedSince : last
}

function renderBar(share: number): string {
  const filled = Math.round(share * barWidth)
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${String(Math.floor(share * 100)).padStart(3)}%`
}

function toMinute(timestamp: string): string {
  return toPrintable(timestamp.slice(0, 16)).replace('T', ' ')
}
