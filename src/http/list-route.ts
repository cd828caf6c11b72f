import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireScope } from '../keys/validate-key.js'
import { parseListQuery } from '../query/list-query.js'
import type { LiveResource } from '../resources/resource.js'
import type { Authenticate } from './authenticate.js'
import { compileSerializer, sendCacheable } from './cacheable.js'
import { createGreatPages, joinInSlices } from './great-pages.js'
import type { LimitRate } from './limits.js'
import { confirmRecords, toPage } from './page.js'
import type { OnInvalidRow, Page } from './page.js'
import { toPaths } from './paths.js'
import { readPage } from './read-page.js'
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
  const { authenticate, limitRate, database, settings, onInvalidRow } = input
  const toJson = compileSerializer(live.schema)
  const enter = createGreatPages()
  const address = `${settings.publicUrl}${toPaths(live.name).list}`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal = await authenticate(request)
    await limitRate(request, reply)
    requireScope(principal, live.scope)
    const { workspaceId } = principal
    const query = parseListQuery(readSearch(request), {
      collection: live.name,
      workspaceId,
      statuses: live.statuses,
    })
    const resource = live.requireResolved()
    const turn = await enter(workspaceId)
    let answer = { body: '', untaggedLength: 0 }
    try {
      const wanted = { table: resource.table, workspaceId, query, socket: request.raw.socket }
      const read = await measureDatabase(request, () => readPage(database, wanted))
      const page = toPage({ resource, workspaceId, query, read, overlapSeconds: settings.syncOverlapSeconds })
      await confirmRecords(page, { live, resource, onInvalidRow })
      request.context.rows = page.data.length
      setNextLink(reply, page, address, query.limit)
      answer = await toAnswer(page, toJson, turn.isGreat)
    } finally {
      turn.end(answer.body.length)
    }
    return sendCacheable(request, reply, answer)
  }
}

/** The next page as a Link header of RFC 8288. */
function setNextLink(reply: FastifyReply, page: Page, address: string, limit: number): void {
  if (page.cursor !== null)
    reply.header('link', `<${address}?cursor=${page.cursor}&limit=${limit}>; rel="next"`)
}

/**
 * The body, and how much of its end is not part of the entity tag: the instants in `meta` and in the cursor change
 * while the records stay the same. The tag covers the first character of the cursor, a quote or the n of null, so that it
 * tells whether more records follow. `cursor` is the first member of `meta`.
 */
async function toAnswer(
  page: Page,
  toJson: (record: object) => string,
  isGreat: boolean,
): Promise<{ body: string; untaggedLength: number }> {
  const meta = JSON.stringify({ cursor: page.cursor, nextUpdatedSince: page.nextUpdatedSince })
  return {
    body: `{"data":[${isGreat ? await joinInSlices(page.data, toJson) : page.data.map(toJson).join(',')}],"meta":${meta}}`,
    untaggedLength: `${meta}}`.length - '{"cursor":"'.length,
  }
}
