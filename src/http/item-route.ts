import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveResource } from '../resources/collection.js'
import { toOverloadedProblem } from '../database/driver-errors.js'
import { Problem } from '../errors.js'
import { requireScope } from '../keys/validate-key.js'
import { planItem } from '../query/item-sql.js'
import { createItemReader } from '../query/join-items.js'
import { parseQueryString } from '../query/query-string.js'
import type { RouteDeps } from './deps.js'
import { mapConfirmed, toViewOrNone } from './page.js'
import { readSearch } from './request-checks.js'
import { beginDatabase, endDatabase } from './request-context.js'
import { compileSerializer } from './cacheable.js'
import { sendCacheable } from './cacheable.js'

/** The route of one record, the same for every collection: each line is a stage, and leaves by throwing. */
export function createItemRoute(live: LiveResource, deps: RouteDeps) {
  const toJson = compileSerializer(live.schema)
  const readItem = createItemReader({
    runQuery: deps.runQuery,
    bindQuery: deps.tracing?.bindQuery,
    waitingMax: deps.queueLimit,
    refuse: toOverloadedProblem,
  })
  return async (
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const principal = await deps.authenticate(request)
    request.facts.principal = principal
    await deps.limitRate(request, reply)
    requireScope(principal, live.scope)
    parseQueryString(readSearch(request), [])
    const { workspaceId } = principal
    const { id } = request.params
    const collection = live.require()
    const plan = planItem(collection.table, workspaceId, id)
    beginDatabase(request.facts)
    const row =
      plan === undefined ? undefined : await readItem({ workspaceId, id, plan, caller: request.raw.socket })
    endDatabase(request.facts)
    const view = await mapConfirmed({
      map: (onInvalidRow) => (row === undefined ? undefined : toViewOrNone(collection, row, onInvalidRow)),
      isEmpty: (shown) => shown === undefined,
      confirm: () => live.confirm(collection),
      onInvalidRow: deps.onInvalidRow,
    })
    request.facts.rows = view === undefined ? 0 : 1
    if (view === undefined) throw createNotFound(live.name)
    return sendCacheable(request, reply, { body: toJson(view), changing: 0 })
  }
}

/** The same for a record that never was, is archived, or is another workspace's. */
function createNotFound(name: string): Problem {
  return new Problem('not_found', `There is no such record among the ${name} of this workspace.`)
}
