import { databaseUnavailable, overloaded } from '../database/errors.js'
import { Problem } from '../errors.js'
import { createInvalidKey, requireScope } from '../keys/key.js'
import { encodeCursor } from '../collections/cursor.js'
import { parseListQuery } from '../collections/list-query.js'
import { parseQueryString } from '../collections/query-string.js'
import type { DocumentedCollection } from '../collections/collection.js'
import { parseApiTime } from '../values/instant.js'
import { createNotFound } from './item-route.js'
import { createRateLimited } from './rate-limits.js'
import { toParserProblem, toProblemBody, toStatusProblem } from './problems.js'
import { readKey } from './authenticate.js'
import { createMethodNotAllowed, createUriTooLong } from './request-checks.js'

/** A route of the document: a list, a single record, or the document itself, which has no collection. */
export interface DocumentedRoute {
  readonly kind: 'list' | 'record' | 'document'
  readonly collection: DocumentedCollection | undefined
}

/** The state of the rate limit in examples, which the headers of the same answer show. */
export const exampleRate = { limit: 1200, remaining: 1199, resetSeconds: 42 } as const

/** The request id of every example. */
export const exampleRequestId = '5f0c7f0e-6b0f-4d39-9a53-0c1f6f0f2b1a'

/** When the crawl of the example pages began, and what their `meta` says of it with the default overlap. */
const exampleStart = '2026-03-01T10:00:00Z'
/** `meta.nextUpdatedSince` of the example pages. */
export const exampleNextSince = '2026-03-01T09:58:00.000Z'

/** The event of the example registration; an invoice does not show its own. */
export const exampleEvent = '01JNC8PZX1F4H6J8K0M2N4P6Q8'

const exampleWorkspace = 'W1'

/** A record of the examples of all fields. */
export function toExample({ schema, statuses }: DocumentedCollection): Readonly<Record<string, unknown>> {
  const properties = schema.properties as Readonly<Record<string, { readonly examples: readonly unknown[] }>>
  const example = Object.fromEntries(
    Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]),
  )
  return statuses === undefined ? example : { ...example, status: statuses[0] }
}

/** The cursor that the service would issue after the example record. */
export function createExampleCursor(collection: DocumentedCollection): string {
  const startedAt = parseApiTime(exampleStart)
  if (startedAt === undefined) throw new Error('The example is not an instant')
  const { id, updatedAt } = toExample(collection)
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
  const position = { updatedAt: String(updatedAt).replace('T', ' ').replace('Z', ''), id: String(id) }
  return encodeCursor(
    { filters, startedAt, position },
    { collection: collection.name, workspaceId: exampleWorkspace },
  )
}

/**
 * The problems of each code that a route can answer, thrown by the same code that answers requests, so that `detail`
 * and headers are those of real answers.
 */
export function listProblems({ kind, collection }: DocumentedRoute): readonly Problem[] {
  const shared = [
    kind === 'record' ? toStatusProblem(400) : toParserProblem('HPE_INVALID_HEADER_TOKEN'),
    toStatusProblem(500),
    overloaded(),
    createMethodNotAllowed({ method: 'POST' }),
    toParserProblem('ERR_HTTP_REQUEST_TIMEOUT'),
    createUriTooLong(),
    toParserProblem('HPE_HEADER_OVERFLOW'),
  ]
  if (kind === 'document' || collection === undefined)
    return [catchProblem(() => parseQueryString('page=2', [])), ...shared]
  return [
    ...(kind === 'list'
      ? listQueryProblems(collection)
      : [catchProblem(() => parseQueryString('page=2', []))]),
    catchProblem(() => readKey({ headers: {}, raw: {} })),
    createInvalidKey(),
    catchProblem(() => {
      requireScope({ scopes: [] }, collection.scope)
    }),
    ...(kind === 'record' ? [createNotFound(collection.name)] : []),
    createRateLimited(exampleRate.limit, exampleRate.resetSeconds),
    databaseUnavailable(undefined),
    ...shared,
  ]
}

function listQueryProblems(collection: DocumentedCollection): readonly Problem[] {
  const rules = { collection: collection.name, workspaceId: exampleWorkspace, statuses: collection.statuses }
  const cursor = createExampleCursor(collection)
  return ['limit=1000', 'page=2', 'cursor=abc', `cursor=${cursor}&eventId=other`].map((search) =>
    catchProblem(() => parseListQuery(search, rules)),
  )
}

function catchProblem(run: () => unknown): Problem {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('The example of a problem is none')
}

/** The body of a problem's example. */
export function toProblemExample(problem: Problem, publicUrl: string): object {
  return toProblemBody(problem, exampleRequestId, publicUrl)
}
