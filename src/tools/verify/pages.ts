import type { Caller } from './caller.js'
import { describe, isObject, toObject } from './exchange.js'
import type { Call, Exchange, Json } from './exchange.js'
import { confirm } from './verdict.js'
import type { Attempt } from './verdict.js'

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

/** An answer that is no page of a list. */
export class NoPageError extends Error {
  override readonly name = 'NoPageError'
  readonly exchange: Exchange

  constructor(exchange: Exchange) {
    super(`${exchange.call.path} answered ${describe(exchange)}`)
    this.exchange = exchange
  }
}

/** The parameters of a list. */
export type ListQuery = Readonly<Record<string, string | number>>

/** The page of an answer; undefined if it is none. */
export function readPage(exchange: Exchange): Page | undefined {
  const { data, meta } = toObject(exchange.json)
  if (exchange.status !== 200 || !Array.isArray(data) || !data.every(isObject)) return undefined
  const { cursor, nextUpdatedSince } = toObject(meta)
  const isRead = (typeof cursor === 'string' || cursor === null) && typeof nextUpdatedSince === 'string'
  return isRead ? { exchange, records: data, cursor, nextUpdatedSince } : undefined
}

/** Reads one page. @throws NoPageError, SkipError */
export async function askPage(caller: Caller, call: Call): Promise<Page> {
  const exchange = await caller.ask(call)
  const page = readPage(exchange)
  if (page === undefined) throw new NoPageError(exchange)
  return page
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

/** Follows the cursor from the first page on. @throws NoPageError, SkipError */
export async function crawl(caller: Caller, input: CrawlInput): Promise<Crawl> {
  const { path, query = {}, from = 'key', limits, pagesMax, isEnough = () => false } = input
  const pages: Page[] = []
  const records: Json[] = []
  let [parameters, empty] = [query, 0]
  while (pages.length - Math.min(empty, emptyMax) < pagesMax) {
    const limit = limits[Math.min(pages.length, limits.length - 1)] ?? 25
    const page = await askPage(caller, { path, from, query: { ...parameters, limit } })
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
export function compareLists(caller: Caller, one: Call, other: Call): Promise<Attempt> {
  return confirm(async () => {
    const before = await askPage(caller, one)
    const between = await askPage(caller, other)
    if (isSame(before, between)) return undefined
    if (!isSame(before, await askPage(caller, one))) return 'unsteady'
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

/** The id of a record; JSON if it is no text, so that a wrong type does not end the run. */
export function readId(record: Json | undefined): string {
  return toText(record?.['id'])
}

/** The `updatedAt` of a record, which compares as text. */
export function readUpdatedAt(record: Json | undefined): string {
  return toText(record?.['updatedAt'])
}

function toText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

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
  caller: Caller,
  pages: readonly Page[],
  records: readonly Json[],
): Promise<readonly Json[]> {
  const known = pages.find((page) => page.records.includes(records[0] ?? {}))
  if (known === undefined) return []
  return keepSteady(records, (await askPage(caller, known.exchange.call)).records)
}

/** The first, the last, and others in between. */
export function spread<One>(all: readonly One[], count: number): readonly One[] {
  const step = Math.max(1, (all.length - 1) / (count - 1))
  const places = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => places.has(at))
}
