import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireScope } from '../keys/validate-key.js'
import { parseListQuery } from '../query/list-query.js'
import type { LiveResource } from '../resources/resource.js'
import type { Authenticate } from './authenticate.js'
import { joinHeader, sendCacheable } from './send.js'
import type { Answer } from './send.js'
import { createCaller } from './caller.js'
import type { LimitRate } from './limits.js'
import { confirmRecords, toMeta } from './page.js'
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
    const wanted = { resource, workspaceId, query, caller: createCaller(request, reply) }
    const read = await measureDatabase(request, () => readPage(database, wanted))
    const { records } = read
    const clock = await measureDatabase(request, () =>
      confirmRecords(records, { live, resource, onInvalidRow }),
    )
    const startedAt = findStart(read, clock, performance.now())
    const crawl = { filters: query.filters, startedAt, oldestOpen: read.oldestOpen }
    const meta = toMeta({ page: records, resource, workspaceId, crawl, overlapSeconds })
    request.context.rows = records.count
    setNextLink(reply, meta, address, query.limit)
    return sendCacheable(request, reply, toAnswer(records.json, meta))
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
function toAnswer(records: Buffer, meta: PageMeta): Answer {
  const text = `${JSON.stringify(meta)}}`
  const body = Buffer.concat([dataName, records, Buffer.from(`],"meta":${text}`)])
  const tagged = body.subarray(0, body.length - text.length + '{"cursor":"'.length)
  return { body, tagged, tagPrefix: `${meta.epoch}-` }
}

const dataName = Buffer.from('{"data":[')
