import { findSettled } from '../database/heartbeat.js'
import type { Proof } from '../database/heartbeat.js'
import { findEarlier, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { CrawlState, Filters } from './cursor.js'

/** What a crawl knows of its beginning. */
type Crawl = Omit<CrawlState, 'position'>

/**
 * A crawl after one more page. It began at the earliest instant up to which one of its pages is complete, so that no row is lost
 * at any lag, at whatever server each page is read. Late commits and differences of clocks are what the overlap is for.
 *
 * @param before the crawl until this page; undefined for the first one.
 * @param proof of the page; undefined where its statement selects no clock, or found no row.
 * @param clock of the database when the page was asked for, or before; for a first page without a proof.
 */
export function continueCrawl(
  filters: Filters,
  before: Crawl | undefined,
  proof: Proof | undefined,
  clock: Instant | undefined,
): Crawl {
  if (before !== undefined && isUnproved(before)) return before
  if (proof !== undefined && proof.complete === undefined) return { filters, startedAt: toUnproved(filters) }
  const complete = proof?.complete
  const startedAt = before === undefined ? (complete ?? clock) : findEarlier(before.startedAt, complete)
  if (startedAt === undefined) throw new Error('A page has no clock')
  return { filters, startedAt, oldestOpen: findOldest(before, proof) }
}

/** The earliest one of the pages until now; undefined where one of them does not know it. */
function findOldest(before: Crawl | undefined, proof: Proof | undefined): Instant | undefined {
  const ofPage = proof?.oldestOpen
  if (before === undefined || ofPage === undefined) return ofPage
  return before.oldestOpen && findEarlier(ofPage, before.oldestOpen)
}

/** A crawl whose heartbeat could not be used counts as begun where its rows begin: then the next sync repeats it. */
function toUnproved({ updatedSince }: Filters): Instant {
  const start = { seconds: 0, micros: 0 }
  return updatedSince === undefined || updatedSince.seconds < 0 ? start : updatedSince
}

function isUnproved({ filters, startedAt }: Crawl): boolean {
  const { seconds, micros } = toUnproved(filters)
  return startedAt.seconds === seconds && startedAt.micros === micros
}

/** The `updatedSince` of the next sync, cut to the millisecond: an earlier instant loses no row. */
export function toNextUpdatedSince(crawl: Crawl, overlapSeconds: number): string {
  const text = toInstantText(findNext(crawl, overlapSeconds))
  if (text === undefined) throw new Error('The clock of the database is out of range')
  return `${text.slice(0, 23)}Z`
}

function findNext(crawl: Crawl, overlapSeconds: number): Instant {
  const { startedAt, oldestOpen } = crawl
  if (isUnproved(crawl)) return startedAt
  if (oldestOpen !== undefined) return findSettled(startedAt, oldestOpen)
  return { ...startedAt, seconds: startedAt.seconds - overlapSeconds }
}
