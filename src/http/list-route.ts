import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveResource } from '../resources/collection.js'
import { requireScope } from '../keys/validate-key.js'
import { planList } from '../query/list-plan.js'
import { parseListQuery } from '../query/parse-list-query.js'
import type { RouteDeps } from './deps.js'
import { mapConfirmed, toPage, readPage } from './page.js'
import type { Page } from './page.js'
import { compileSerializer } from './cacheable.js'
import { basePath, readSearch } from './request-checks.js'
import { beginDatabase, endDatabase } from './request-context.js'
import { sendCacheable } from './cacheable.js'

/** The route of a list, the same for every collection: each line is a stage, and leaves by throwing. */
export function createListRoute(live: LiveResource, deps: RouteDeps) {
  const toJson = compileSerializer(Type.Array(live.schema))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal = await deps.authenticate(request)
    request.facts.principal = principal
    await deps.limitRate(request, reply)
    requireScope(principal, live.scope)
    const { workspaceId } = principal
    const query = parseListQuery(readSearch(request), {
      collection: live.name,
      workspaceId,
      statuses: live.statuses,
    })
    const collection = live.require()
    const plan = planList(collection.table, workspaceId, query)
    beginDatabase(request.facts)
    const { rows, startedAt } = await readPage({
      workspaceId,
      plan,
      startedAt: query.crawl?.startedAt,
      runQuery: deps.runQuery,
      findDataTime: deps.findDataTime,
      caller: request.raw.socket,
    })
    endDatabase(request.facts)
    const overlapSeconds = deps.syncOverlapSeconds
    const page = await mapConfirmed({
      map: (onInvalidRow) =>
        toPage({ collection, workspaceId, query, rows, startedAt, overlapSeconds, onInvalidRow }),
      isEmpty: ({ data }) => data.length === 0,
      confirm: () => live.confirm(collection),
      onInvalidRow: deps.onInvalidRow,
    })
    request.facts.rows = page.data.length
    setNextLink(reply, page, `${deps.publicUrl}${basePath}/${live.name}`, query.limit)
    return sendCacheable(request, reply, toAnswer(page, toJson))
  }
}

/** A page with a next one says so in the words of RFC 8288 too. */
function setNextLink(reply: FastifyReply, page: Page, address: string, limit: number): void {
  if (page.cursor !== null)
    reply.header('link', `<${address}?cursor=${page.cursor}&limit=${limit}>; rel="next"`)
}

/**
 * The instants in `meta` and in the cursor move on while the records stay, so the entity tag goes no further than the
 * first character of the cursor, which tells a text from null.
 */
function toAnswer(
  page: Page,
  toJson: (data: readonly object[]) => string,
): { body: string; changing: number } {
  const meta = JSON.stringify({ cursor: page.cursor, nextUpdatedSince: page.nextUpdatedSince })
  return {
    body: `{"data":${toJson(page.data)},"meta":${meta}}`,
    changing: `${meta}}`.length - '{"cursor":"'.length,
  }
}
