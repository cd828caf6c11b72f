import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.js'
import { requireScope } from '../keys/key.js'
import { createReadRecord } from '../collections/record.js'
import { parseQueryString } from '../collections/list-query.js'
import { toStoredIdentifier } from '../values/identifiers.js'
import type { IdentifierKind } from '../values/identifiers.js'
import { beginDatabase, createCaller, endDatabase } from './request-context.js'
import { isUnsent, sendCacheable } from './send.js'
import { reportInvalid } from './list.js'
import type { RouteInput } from './list.js'
import { readSearch } from './request-checks.js'

/** The route of a single record. Each line is a stage; a stage that throws ends the request. */
export function createItemRoute({ section, database, observe, ...input }: RouteInput) {
  const { authenticate, limitRate, config } = input
  const { name, scope, invalidRows } = section.about
  const readRecord = createReadRecord(database.runQuery, config.database.queueLimit)
  return async (
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const principal = await authenticate(request)
    limitRate(request, reply)
    requireScope(principal, scope)
    parseQueryString(readSearch(request), [])
    const { workspaceId } = principal
    const { id } = request.params
    beginDatabase(request)
    const caller = createCaller(request, reply)
    const records = await section.read((collection, isCompared) =>
      readRecord({ collection, workspaceId, id, caller, isCompared }),
    )
    reportInvalid(records, invalidRows, observe)
    endDatabase(request)
    request.context.rows = records.count
    // The same for a missing record, an archived one, and one of another workspace.
    if (records.count === 0) {
      const idMistake = describeId(id, section.require().table.id.identifier)
      throw new Problem(
        'not_found',
        `There is no such record among the ${name} of this workspace.${idMistake}`,
      )
    }
    const bytes = sendCacheable(request, reply, { body: records.json })
    if (isUnsent(reply)) database.holdBytes(bytes, workspaceId, caller.onEnd)
    return reply
  }
}

/** What an id is that no record can have, by how ids are stored; empty where that is not certain. */
function describeId(id: string, kind: IdentifierKind): string {
  if (/^(?:undefined|null|None|\{id\}|:id)$/.test(id)) return ` The id in the path is ${id}.`
  const isInteger = kind === 'signed' || kind === 'unsigned'
  if (isInteger && !/^-?\d+$/.test(id)) return ' Ids are whole numbers here, and the path has another text.'
  if (kind.startsWith('uuid') && toStoredIdentifier(id, kind) === undefined)
    return ' Ids are UUIDs in lower case here, and the path has another text.'
  return ''
}
