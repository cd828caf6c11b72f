import type { FastifyReply, FastifyRequest } from 'fastify'
import { findComplete, findSettled } from '../database/heartbeat.js'
import type { Caller, RowReader, RunStatement } from '../database/statement.js'
import { Problem, RowFault } from '../errors.js'
import { requireScope } from '../keys/key.js'
import { encodeCursor } from '../collections/cursor.js'
import type { CrawlState } from '../collections/cursor.js'
import { parseListQuery } from '../collections/list-query.js'
import type { ListQuery } from '../collections/list-query.js'
import { planPage } from '../collections/page.js'
import { chooseAccessPath } from '../collections/parents.js'
import { createPageReader } from '../collections/records.js'
import type { InvalidRow, Records } from '../collections/records.js'
import type { LiveCollection, BoundCollection } from '../collections/collection.js'
import { findEarlier, subtractMs, toInstantText } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import type { Authenticate } from './authenticate.js'
import { createCaller, measureDatabase } from './request-context.js'
import type { LimitRate } from './rate-limits.js'
import { toPaths } from './paths.js'
import { readSearch } from './request-checks.js'
import { joinHeader, sendCacheable } from './send.js'
import type { Answer } from './send.js'

/** What the routes of lists and of single records have in common. */
export interface RouteInput {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
  readonly onInvalidRow: OnInvalidRow
}

/** The settings of lists; see `Config`. */
export interface ListSettings {
  readonly publicUrl: string
  readonly syncOverlapSeconds: number
}

interface ListRouteInput extends RouteInput {
  readonly database: PageDatabase
  readonly settings: ListSettings
}

/** The list route of a collection. Each line is a stage; a stage that throws ends the request. */
export function createListRoute(live: LiveCollection, input: ListRouteInput) {
  const { authenticate, limitRate, database, onInvalidRow } = input
  const { publicUrl, syncOverlapSeconds: overlapSeconds } = input.settings
  const address = `${publicUrl}${toPaths(live.name).list}`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal = await authenticate(request)
    limitRate(request, reply)
    requireScope(principal, live.scope)
    const { workspaceId } = principal
    const query = parseListQuery(readSearch(request), {
      collection: live.name,
      workspaceId,
      statuses: live.statuses,
    })
    const collection = live.requireResolved()
    const wanted = { collection, workspaceId, query, caller: createCaller(request, reply) }
    const read = await measureDatabase(request, () => readPage(database, wanted))
    const { records } = read
    const clock = await measureDatabase(request, () =>
      confirmRecords(records, { live, collection, onInvalidRow }),
    )
    const startedAt = findStart(read, clock, performance.now())
    const crawl = { filters: query.filters, startedAt, oldestOpen: read.oldestOpen }
    const meta = toMeta({ page: records, collection, workspaceId, crawl, overlapSeconds })
    request.context.rows = records.count
    setNextLink(reply, meta, address, query.limit)
    return sendCacheable(request, reply, toAnswer(records, meta))
  }
}

/** The next page as a Link header of RFC 8288. */
function setNextLink(reply: FastifyReply, { cursor }: PageMeta, address: string, limit: number): void {
  if (cursor === null) return
  const next = `<${address}?cursor=${cursor}&limit=${limit}>; rel="next"`
  reply.header('link', joinHeader(reply.getHeader('link'), next))
}

/**
 * The entity tag covers neither `nextUpdatedSince` nor the cursor, whose instants change while the records stay the same,
 * but the first character of the cursor, a quote or the n of null, so that it tells whether more records follow. `cursor`
 * is the first member of `meta`. The epoch is in front of the hash.
 */
function toAnswer({ json }: Records, meta: PageMeta): Answer {
  const text = `${JSON.stringify(meta)}}`
  return {
    body: `{"data":[${json}],"meta":${text}`,
    changing: text.length - '{"cursor":"'.length,
    tagPrefix: `${meta.epoch}-`,
  }
}

/** How the rows of a page are read. */
export interface PageDatabase {
  readonly runQuery: RunStatement
  /** The most requests that wait. */
  readonly queueLimit: number
}

interface ReadInput {
  readonly collection: BoundCollection
  readonly workspaceId: string
  readonly query: ListQuery
  readonly caller: Caller
}

/** A page as it was read. */
interface ReadPage {
  readonly records: Records
  /** When the crawl began, no later than its data are complete; undefined for a first page without rows or heartbeat. */
  readonly startedAt: Instant | undefined
  /** Of the crawl until now; undefined if it is not known for one of its pages. */
  readonly oldestOpen: Instant | undefined
  /** When the reading began, by `performance.now`. */
  readonly beganAtMs: number
}

/**
 * Reads the records of a page, and when its crawl began by the clock of the database: the statement of the first page reads
 * it, and the clock of a statement is not later than the rows that it sees. Without a row there is no clock: then `findStart`
 * takes the one of the comparison with the schema, which follows each page without records.
 *
 * With a heartbeat, each page proves by itself up to when its rows are complete, and the crawl counts as begun at the earliest
 * of these instants. So no row is lost at any lag, at whatever server each page is read. Late commits and differences of
 * clocks are what the overlap is for.
 */
export async function readPage(
  { runQuery }: Pick<PageDatabase, 'runQuery'>,
  { collection, workspaceId, query, caller }: ReadInput,
): Promise<ReadPage> {
  const { table } = collection
  const context = { caller, workspaceId, table: table.name }
  const { crawl, filters } = query
  const beganAtMs = performance.now()
  const path = await chooseAccessPath({ table, workspaceId, filters, runQuery, context })
  const { statement } = planPage(table, workspaceId, query, path)
  const createReader = (): RowReader<Records> => createPageReader(collection, query.limit)
  const records = await runQuery({ ...statement, createReader }, context)
  const { proof } = records
  const complete = proof && findComplete(proof)
  return {
    records,
    startedAt: crawl === undefined ? complete : findEarlier(crawl.startedAt, complete),
    oldestOpen: findOldest(proof?.oldestOpen, crawl),
    beganAtMs,
  }
}

/** The earliest one of the pages until now; undefined where one of them does not know it. */
function findOldest(ofPage: Instant | undefined, crawl: ListQuery['crawl']): Instant | undefined {
  if (crawl === undefined || ofPage === undefined) return ofPage
  return crawl.oldestOpen && findEarlier(ofPage, crawl.oldestOpen)
}

/**
 * When a crawl began.
 *
 * @param clock of the database, read between the page and `nowMs`; undefined for a page with records.
 */
export function findStart(
  { startedAt, beganAtMs }: ReadPage,
  clock: Instant | undefined,
  nowMs: number,
): Instant {
  const start = startedAt ?? (clock && subtractMs(clock, nowMs - beganAtMs))
  if (start === undefined) throw new Error('A page has no clock')
  return start
}

/** `meta` of a page, in the order of its members. */
export interface PageMeta {
  /** The cursor of the next page; null on the last one. */
  readonly cursor: string | null
  /** The `updatedSince` of the next sync. */
  readonly nextUpdatedSince: string
  /** Of the mapping. */
  readonly epoch: number
}

/** Reports a stored row that cannot be represented. */
export type OnInvalidRow = (row: InvalidRow) => void

interface MetaInput {
  readonly page: Pick<Records, 'last'>
  readonly collection: BoundCollection
  readonly workspaceId: string
  readonly crawl: Omit<CrawlState, 'position'>
  readonly overlapSeconds: number
}

/** What a page says of the next one and of the next sync. */
export function toMeta(input: MetaInput): PageMeta {
  const { page, collection, workspaceId, crawl, overlapSeconds } = input
  const state = page.last && { ...crawl, position: page.last }
  return {
    cursor: state === undefined ? null : encodeCursor(state, { collection: collection.name, workspaceId }),
    nextUpdatedSince: toNextUpdatedSince(crawl, overlapSeconds),
    epoch: collection.epoch,
  }
}

/** Cut to the millisecond: an earlier instant loses no row. */
function toNextUpdatedSince({ startedAt, oldestOpen }: MetaInput['crawl'], overlapSeconds: number): string {
  const next =
    oldestOpen === undefined
      ? { ...startedAt, seconds: startedAt.seconds - overlapSeconds }
      : findSettled(startedAt, oldestOpen)
  const text = toInstantText(next)
  if (text === undefined) throw new Error('The clock of the database is out of range')
  return `${text.slice(0, 23)}Z`
}

interface ConfirmInput {
  readonly live: Pick<LiveCollection, 'confirm'>
  /** The collection that the statement was made for. */
  readonly collection: BoundCollection
  readonly onInvalidRow: OnInvalidRow
}

/**
 * Confirms the schema before an answer leaves out a row or has none: a column whose type has changed can look like invalid
 * rows, or like no rows. Then reports the invalid rows.
 *
 * @returns the clock of the database after the rows were read; undefined where there was nothing to confirm.
 * @throws Problem `database_unavailable` after a change of the schema, `internal_error` for an invalid row if the mapping
 *   has `invalidRows: fail`.
 */
export async function confirmRecords(
  { count, invalid, types }: Pick<Records, 'count' | 'invalid' | 'types'>,
  input: ConfirmInput,
): Promise<Instant | undefined> {
  if (count > 0 && invalid.length === 0) return undefined
  const { live, collection, onInvalidRow } = input
  const clock = await live.confirm({
    used: collection,
    withIndexes: invalid.some(({ isRepeated }) => isRepeated),
    types: invalid.length === 0 ? types : undefined,
  })
  for (const row of invalid) onInvalidRow(row)
  const [first] = invalid
  if (first === undefined || collection.invalidRows === 'skip') return clock
  const detail = 'A stored record cannot be shown. The operator can read why in the log.'
  throw new Problem('internal_error', detail, { cause: new RowFault(first.reason, first.code) })
}
