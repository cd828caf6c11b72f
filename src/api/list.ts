import type { FastifyReply, FastifyRequest } from 'fastify'
import { ResultError } from '../database/errors.js'
import { readProof } from '../database/heartbeat.js'
import type { QueryContext, RunStatement } from '../database/statement.js'
import { RowFault } from '../errors.js'
import { Problem } from '../problems.js'
import { requireScope } from '../keys/key.js'
import { continueCrawl, encodeCursor, toNextUpdatedSince } from '../collections/cursor.js'
import { parseListQuery } from '../collections/list-query.js'
import type { ListQuery } from '../collections/list-query.js'
import { choosePath } from '../collections/parents.js'
import type { AccessPath } from '../collections/parents.js'
import { toRecords } from '../collections/records.js'
import type { Records } from '../collections/records.js'
import { renderEmptyPage, renderPage, withResult } from '../collections/statements.js'
import type { BoundCollection, DocumentedCollection } from '../collections/collection.js'
import type { Section } from '../mapping/section.js'
import { beginDatabase, createCaller, endDatabase } from './request-context.js'
import type { Observe } from './observation.js'
import type { Stages } from './authenticate.js'
import type { Parts } from './parts.js'
import { toPaths } from './paths.js'
import { readSearch } from './request-checks.js'
import { isUnsent, joinHeader, sendCacheable } from './send.js'
import type { Answer } from './send.js'

/** What the routes of lists and of single records are made of. */
export interface RouteInput extends Parts, Stages {
  readonly section: Section<BoundCollection, DocumentedCollection>
}

/** The list route of a collection. Each line is a stage; a stage that throws ends the request. */
export function createListRoute({ section, binding, database, observe, ...input }: RouteInput) {
  const { authenticate, limitRate, mapping } = input
  const { publicUrl, syncOverlapSeconds: overlapSeconds } = input.config
  const { name, scope, statuses, invalidRows } = section.about
  const address = `${publicUrl}${toPaths(name).list}`
  const { clock } = binding
  const { epoch = 0 } = mapping
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal = await authenticate(request)
    limitRate(request, reply)
    requireScope(principal, scope)
    const { workspaceId } = principal
    const asked = { collection: name, workspaceId, statuses }
    const query = parseListQuery(readSearch(request), asked)
    const beganAtMs = beginDatabase(request)
    const caller = createCaller(request, reply)
    const records = await section.read((collection, isCompared) => {
      const context = { caller, workspaceId, table: collection.table.name }
      return readPage(database.runQuery, { collection, workspaceId, query, context, isCompared })
    })
    reportInvalid(records, invalidRows, observe)
    endDatabase(request)
    if (records.proof !== undefined) clock.noteProof(records.proof)
    const crawl = continueCrawl(query.filters, query.crawl, records.proof, clock.readFloor(beganAtMs))
    const meta: PageMeta = {
      cursor: records.last === undefined ? null : encodeCursor(crawl, records.last, asked),
      nextUpdatedSince: toNextUpdatedSince(crawl, overlapSeconds),
      epoch,
    }
    request.context.rows = records.count
    setNextLink(reply, meta, address, query.limit)
    const bytes = sendCacheable(request, reply, toAnswer(records, meta))
    if (isUnsent(reply)) database.holdBytes(bytes, workspaceId, caller.onEnd)
    return reply
  }
}

/** `meta` of a page, in the order of its members. */
interface PageMeta {
  /** The cursor of the next page; null on the last one. */
  readonly cursor: string | null
  /** The `updatedSince` of the next sync. */
  readonly nextUpdatedSince: string
  /** Of the mapping. */
  readonly epoch: number
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

interface ReadInput {
  readonly collection: BoundCollection
  readonly workspaceId: string
  readonly query: ListQuery
  readonly context: QueryContext
  /** See `Section.read`. */
  readonly isCompared?: boolean
}

/**
 * Reads the records of a page. The statement of the first page reads the clock, which is not later than the rows that it sees;
 * with a heartbeat, the statement of each page reads it in the snapshot of its rows, and that of an empty page in a second one.
 */
export function readPage(runQuery: RunStatement, input: ReadInput): Promise<Records> {
  const { table } = input.collection
  const { lookedUp } = table
  return lookedUp === undefined
    ? readRows(runQuery, input)
    : choosePath({ ...input, table, lookedUp, runQuery }).then((path) => readRows(runQuery, input, path))
}

async function readRows(runQuery: RunStatement, input: ReadInput, path?: AccessPath): Promise<Records> {
  const { collection, workspaceId, query, context, isCompared = false } = input
  const { table } = collection
  const page = { table, workspaceId, query, path }
  const statement = renderPage(page)
  const { limit, crawl } = query
  const behind = crawl?.position
  const shown = withResult(statement, toRecords, { collection, limit, behind, workspaceId, isCompared })
  const records = await runQuery(shown, context)
  // No row says in which order the position was behind all.
  if (records.rows === 0 && crawl !== undefined && !isCompared)
    throw new ResultError('types', 'no row follows a position')
  if (records.rows > 0 || table.heartbeat === undefined) return records
  // An empty result has no row that could have the heartbeat.
  const [row] = await runQuery(renderEmptyPage(page), context)
  return row === undefined ? readRows(runQuery, input, path) : { ...records, proof: readProof(row) }
}

/**
 * Reports rows that an answer leaves out.
 *
 * @throws Problem `internal_error` for one if the mapping has `invalidRows: fail`.
 */
export function reportInvalid(
  { invalid }: Records,
  invalidRows: BoundCollection['invalidRows'],
  observe: Observe,
): void {
  for (const row of invalid) observe({ kind: 'invalid row', ...row })
  const [first] = invalid
  if (first === undefined || invalidRows === 'skip') return
  const detail = 'A stored record cannot be shown. The operator can read why in the log.'
  throw new Problem('internal_error', detail, { cause: new RowFault(first.reason, first.code) })
}
