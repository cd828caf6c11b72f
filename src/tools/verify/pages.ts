import { describe, isObject, toObject } from './exchange.js'
import type { Call, Exchange, Json } from './exchange.js'
import type { Verdict } from './verdict.js'

/** A page of a list. */
export interface Page {
  readonly exchange: Exchange
  readonly records: readonly Json[]
  readonly cursor: string | null
  readonly nextUpdatedSince: string
}

/** Pages that follow each other, from the first one on. */
export interface Crawl {
  readonly pages: readonly Page[]
  readonly records: readonly Json[]
  /** Whether the last page was reached. */
  readonly isComplete: boolean
}

/** The parameters of a list. */
export type ListQuery = Readonly<Record<string, string | number>>

/** What asks, and notes what is wrong. */
export interface Asking {
  readonly verdict: Verdict
  /** Asks the service. Without an answer the verdict stops, and there is an exchange of status 0. */
  readonly ask: (call: Call) => Promise<Exchange>
}

/** The page of an answer; undefined if it is none. */
export function readPage(exchange: Exchange): Page | undefined {
  const { data, meta } = toObject(exchange.json)
  if (exchange.status !== 200 || !Array.isArray(data) || !data.every(isObject)) return undefined
  const { cursor, nextUpdatedSince } = toObject(meta)
  const isRead = (typeof cursor === 'string' || cursor === null) && typeof nextUpdatedSince === 'string'
  return isRead ? { exchange, records: data, cursor, nextUpdatedSince } : undefined
}

/** Reads one page. An answer that is none is a finding, and counts as a page without records. */
export async function askPage({ ask, verdict }: Asking, call: Call): Promise<Page> {
  const exchange = await ask(call)
  const page = readPage(exchange)
  if (page !== undefined) return page
  const got = exchange.status === 200 ? '200 with a body that is no page' : describe(exchange)
  verdict.add({ exchange, got, expected: '200 with data, and with cursor and nextUpdatedSince in meta' })
  return { exchange, records: [], cursor: null, nextUpdatedSince: '' }
}

/** So many pages without a record count for no limit: rows that cannot be shown stand there. */
const emptyMax = 20

interface CrawlInput {
  readonly path: string
  readonly query?: ListQuery
  readonly from?: Call['from']
  /** Sizes of the pages, one after the other; the last one again and again. */
  readonly limits: readonly number[]
  readonly pagesMax: number
  /** Whether enough was read. */
  readonly isEnough?: (records: readonly Json[]) => boolean
}

/** Follows the cursor from the first page on. */
export async function crawl(asking: Asking, input: CrawlInput): Promise<Crawl> {
  const { path, query = {}, from = 'key', limits, pagesMax, isEnough = () => false } = input
  const pages: Page[] = []
  const records: Json[] = []
  let [parameters, empty] = [query, 0]
  while (pages.length - Math.min(empty, emptyMax) < pagesMax) {
    const limit = limits[Math.min(pages.length, limits.length - 1)] ?? 25
    const page = await askPage(asking, { path, from, query: { ...parameters, limit } })
    if (page.nextUpdatedSince === '') break
    pages.push(page)
    records.push(...page.records)
    if (page.cursor === null) return { pages, records, isComplete: true }
    if (isEnough(records)) break
    if (page.records.length === 0) empty += 1
    parameters = { cursor: page.cursor }
  }
  return { pages, records, isComplete: false }
}

/**
 * Reads two lists that must have the same records: the first one, the other one, and the first one again. Only if the
 * first one stayed the same, the records did not change meanwhile.
 */
export async function compareLists(asking: Asking, one: Call, other: Call): Promise<void> {
  await asking.verdict.confirm(async () => {
    const before = await askPage(asking, one)
    const between = await askPage(asking, other)
    if (isSame(before, between)) return undefined
    if (!isSame(before, await askPage(asking, one))) return 'unsteady'
    const got = `other records: ${renderRecords(between)}`
    const expected = `${renderRecords(before)}, as with ${before.exchange.url}`
    return { exchange: between.exchange, got, expected }
  })
}

function renderRecords({ records }: Page): string {
  return `${records.length} from ${JSON.stringify(readId(records[0]))} on`
}

/** Whether two pages have the same records. */
export function isSame(one: Page, other: Page): boolean {
  return JSON.stringify(one.records) === JSON.stringify(other.records)
}

/** A text of a record; JSON if it is none, so that a wrong type does not end the run. */
function readText(record: Json | undefined, name: string): string {
  const value = record?.[name] ?? ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The id of a record. */
export const readId = (record: Json | undefined): string => readText(record, 'id')

/** The `updatedAt` of a record, which compares as text. */
export const readUpdatedAt = (record: Json | undefined): string => readText(record, 'updatedAt')

/** The ids of records that a path can have: an empty id has no address. */
export function listIds(records: readonly Json[]): readonly string[] {
  return records.map(readId).filter((id) => id !== '')
}

/** Id and time of a record, for a finding. */
export function toPlace(record: Json | undefined): string {
  return `${JSON.stringify(readId(record))} (${readUpdatedAt(record)})`
}

/** The records that both have, unchanged. What happened between the two, they were there all the time. */
export function keepSteady(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  const texts = new Map(after.map((record) => [readId(record), JSON.stringify(record)]))
  return before.filter((record) => texts.get(readId(record)) === JSON.stringify(record))
}

/** Those of some records that the page which showed the first of them still shows unchanged: no other was there all the time. */
export async function keepShown(
  asking: Asking,
  pages: readonly Page[],
  records: readonly Json[],
): Promise<readonly Json[]> {
  const known = pages.find((page) => page.records.includes(records[0] ?? {}))
  if (known === undefined) return []
  return keepSteady(records, (await askPage(asking, known.exchange.call)).records)
}

/** The first, the last, and others in between. */
export function spread<One>(all: readonly One[], count: number): readonly One[] {
  const step = Math.max(1, (all.length - 1) / (count - 1))
  const places = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => places.has(at))
}
