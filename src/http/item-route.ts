import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RunQuery } from '../database/statement.js'
import { Problem } from '../errors.js'
import { requireScope } from '../keys/validate-key.js'
import { planRecord } from '../query/record.js'
import { readItem } from '../query/read-item.js'
import { parseQueryString } from '../query/query-string.js'
import type { LiveResource } from '../resources/resource.js'
import { createCaller } from './caller.js'
import { compileSerializer, sendCacheable } from './send.js'
import type { RouteInput } from './list-route.js'
import { confirmRecords, toRecords } from './page.js'
import { readSearch } from './request-checks.js'
import { measureDatabase } from './request-context.js'

interface ItemRouteInput extends RouteInput {
  readonly database: { readonly runQuery: RunQuery }
}

/** The route of a single record. Each line is a stage; a stage that throws ends the request. */
export function createItemRoute(live: LiveResource, input: ItemRouteInput) {
  const { authenticate, limitRate, database, onInvalidRow } = input
  const toJson = compileSerializer(live.schema)
  return async (
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const principal = await authenticate(request)
    limitRate(request, reply)
    requireScope(principal, live.scope)
    parseQueryString(readSearch(request), [])
    const { workspaceId } = principal
    const { id } = request.params
    const resource = live.requireResolved()
    const plan = planRecord(resource.table, workspaceId, id)
    const wanted = plan && {
      collection: live.name,
      workspaceId,
      id,
      plan,
      caller: createCaller(request, reply),
    }
    const rows = wanted && (await measureDatabase(request, () => readItem(database.runQuery, wanted)))
    const records = toRecords(resource, rows === undefined ? [] : [rows])
    await measureDatabase(request, () => confirmRecords(records, { live, resource, onInvalidRow }))
    const [view] = records.data
    request.context.rows = records.data.length
    if (view === undefined) throw createNotFound(live.name)
    return sendCacheable(request, reply, { body: toJson(view) })
  }
}

/** The same for a missing record, an archived one, and one of another workspace. */
export function createNotFound(name: string): Problem {
  return new Problem('not_found', `There is no such record among the ${name} of this workspace.`)
}
