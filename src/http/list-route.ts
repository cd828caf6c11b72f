import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireScope } from '../keys/validate-key.js'
import { parseListQuery } from '../query/list-query.js'
import type { LiveResource } from '../resources/resource.js'
import type { Authenticate } from './authenticate.js'
import { compileSerializer, sendCacheable } from './cacheable.js'
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
    const resource = live.require()
    const wanted = { table: resource.table, workspaceId, query, caller: request.raw.socket }
    const read = await measureDatabase(request, () => readPage(database, wanted))
    const page = toPage({ resource, workspaceId, query, read, overlapSeconds: settings.syncOverlapSeconds })
    await confirmRecords(page, { live, resource, onInvalidRow })
    request.context.rows = page.data.length
    setNextLink(reply, page, `${settings.publicUrl}${toPaths(live.name).list}`, query.limit)
    return sendCacheable(request, reply, await toAnswer(page, toJson))
  }
}

/** The next page as a Link header of RFC 8288. */
function setNextLink(reply: FastifyReply, page: Page, address: string, limit: number): void {
  if (page.cursor !== null)
    reply.header('link', `<${address}?cursor=${page.cursor}&limit=${limit}>; rel="next"`)
}

/**
 * The body, and how many bytes at its end are not part of the entity tag: the instants in `meta` and in the cursor change
 * while the records stay the same. The tag covers the first character of the cursor, a quote or the n of null, so that it
 * tells whether more records follow. `meta` is ASCII, and `cursor` is its first member.
 */
async function toAnswer(
  page: Page,
  toJson: (record: object) => string,
): Promise<{ body: string; untaggedBytes: number }> {
  const meta = JSON.stringify({ cursor: page.cursor, nextUpdatedSince: page.nextUpdatedSince })
  return {
    body: `{"data":[${await joinRecords(page.data, toJson)}],"meta":${meta}}`,
    untaggedBytes: `${meta}}`.length - '{"cursor":"'.length,
  }
}

/** Characters of JSON that are made before other requests have a turn. A page of ordinary records has fewer. */
const sliceLength = 262_144

/** A page whose names are very long has megabytes, which would delay every other request if they were made at once. */
async function joinRecords(records: readonly object[], toJson: (record: object) => string): Promise<string> {
  const texts: string[] = []
  let length = 0
  for (const record of records) {
    const text = toJson(record)
    texts.push(text)
    length += text.length
    if (length < sliceLength) continue
    await setImmediate()
    length = 0
  }
  return texts.join(',')
}
