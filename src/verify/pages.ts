import type { Caller } from './caller.js'
import { describe, isObject, toObject } from './exchange.js'
import type { Call, Exchange, Json } from './exchange.js'

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
  if (exchange.status !== 200 || !Array.isArray(data) || !data.every(isObject) || !isObject(meta))
    return undefined
  const { cursor, nextUpdatedSince } = meta
  if ((typeof cursor !== 'string' && cursor !== null) || typeof nextUpdatedSince !== 'string')
    return undefined
  return { exchange, records: data, cursor, nextUpdatedSince }
}

/** Reads one page. @throws NoPageError, SkipError */
export async function askPage(caller: Caller, call: Call): Promise<Page> {
  const exchange = await caller.ask(call)
  const page = readPage(exchange)
  if (page === undefined) throw new NoPageError(exchange)
  return page
}

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
  let parameters: ListQuery = query
  for (let at = 0; at < pagesMax; at += 1) {
    const limit = limits[Math.min(at, limits.length - 1)] ?? 25
    const page = await askPage(caller, { path, from, query: { ...parameters, limit } })
    pages.push(page)
    records.push(...page.records)
    if (page.cursor === null) return { pages, records, isComplete: true }
    if (isEnough(records)) break
    parameters = { cursor: page.cursor }
  }
  return { pages, records, isComplete: false }
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

/** Records as JSON by id. */
export function toTexts(records: readonly Json[]): ReadonlyMap<string, string> {
  return new Map(records.map((record) => [readId(record), JSON.stringify(record)]))
}

/** The records that both have, unchanged. What happened between the two, they were there all the time. */
export function keepSteady(before: readonly Json[], after: readonly Json[]): readonly Json[] {
  const texts = toTexts(after)
  return before.filter((record) => texts.get(readId(record)) === JSON.stringify(record))
}

/** Ids for a finding. */
export function listIds(records: readonly Json[]): string {
  const ids = records.slice(0, 5).map((record) => JSON.stringify(readId(record)))
  return `${ids.join(', ')}${records.length > 5 ? ` and ${records.length - 5} more` : ''}`
}

/** The first, the last, and others in between. */
export function spread<One>(all: readonly One[], count: number): readonly One[] {
  const step = Math.max(1, (all.length - 1) / (count - 1))
  const places = new Set(Array.from({ length: count }, (_, at) => Math.round(at * step)))
  return all.filter((_, at) => places.has(at))
}
