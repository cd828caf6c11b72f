import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireScope } from '../keys/validate-key.js'
import { parseListQuery } from '../query/list-query.js'
import type { LiveResource } from '../resources/resource.js'
import type { Authenticate } from './authenticate.js'
import { compileSerializer, sendCacheable } from './send.js'
import type { Answer } from './send.js'
import { createCaller } from './caller.js'
import { joinRecords } from './join-records.js'
import type { LimitRate } from './limits.js'
import { confirmRecords, toMeta, toPage } from './page.js'
import type { OnInvalidRow, PageMeta } from './page.js'
import { toPaths } from './paths.js'
import { findStart, readPage } from './read-page.js'
import type { PageDatabase } from './read-page.js'
import { readSearch } from './request-checks.js'
import { measureDatabase } from './request-context.js'

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

/** The list route of a resource. Each line is a stage; a stage that throws ends the request. */
export function createListRoute(live: LiveResource, input: ListRouteInput) {
  const { authenticate, limitRate, database, onInvalidRow } = input
  const { publicUrl, syncOverlapSeconds: overlapSeconds } = input.settings
  const toJson = compileSerializer(live.schema)
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
    const resource = live.requireResolved()
    const wanted = { table: resource.table, workspaceId, query, caller: createCaller(request, reply) }
    const read = await measureDatabase(request, () => readPage(database, wanted))
    const page = toPage({ resource, limit: query.limit, rows: read.rows })
    const clock = await measureDatabase(request, () => confirmRecords(page, { live, resource, onInvalidRow }))
    const startedAt = findStart(read, clock, performance.now())
    const crawl = { filters: query.filters, startedAt, oldestOpen: read.oldestOpen }
    const meta = toMeta({ page, resource, workspaceId, crawl, overlapSeconds })
    request.context.rows = page.data.length
    setNextLink(reply, meta, address, query.limit)
    const answer = toAnswer(await joinRecords(page.data, toJson), meta)
    return sendCacheable(request, reply, answer)
  }
}

/** The next page as a Link header of RFC 8288. */
function setNextLink(reply: FastifyReply, { cursor }: PageMeta, address: string, limit: number): void {
  if (cursor !== null) reply.header('link', `<${address}?cursor=${cursor}&limit=${limit}>; rel="next"`)
}

/**
 * The entity tag covers neither `nextUpdatedSince` nor the cursor, whose instants change while the records stay the same,
 * but the first character of the cursor, a quote or the n of null, so that it tells whether more records follow. `cursor`
 * is the first member of `meta`. The epoch is in front of the hash. The body is encoded here, because a text would be encoded for the tag, for its length and
 * for the socket.
 */
function toAnswer(data: string, meta: PageMeta): Answer {
  const text = JSON.stringify(meta)
  const body = Buffer.from(`{"data":[${data}],"meta":${text}}`)
  const tagged = body.subarray(0, body.length - `${text}}`.length + '{"cursor":"'.length)
  return { body, tagged, tagPrefix: `${meta.epoch}-` }
}
