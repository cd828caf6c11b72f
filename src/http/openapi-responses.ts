import { problems } from '../errors.js'
import type { Problem } from '../errors.js'
import type { DocumentedResource } from '../resources/resource.js'
import type { Json } from './openapi-components.js'
import { listProblems, toProblemExample } from './openapi-examples.js'
import type { DocumentedRoute } from './openapi-examples.js'
import { buildProblemHeaders, buildNotModifiedHeaders } from './openapi-headers.js'

/** A status of a route, or all statuses that are not listed. */
type Status = 304 | 400 | 401 | 403 | 404 | 429 | 500 | 503 | 'default'

const statuses = [304, 400, 401, 403, 404, 429, 500, 503, 'default'] as const

/** How the shared responses are called; generators make names of types from these. */
const names: Readonly<Record<Status, string>> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
  default: 'OtherProblem',
}

/** References to the responses of a route, without its success. */
export function referResponses(route: DocumentedRoute): Json {
  return Object.fromEntries(
    listStatuses(route).map((status) => [
      status,
      { $ref: `#/components/responses/${nameResponse(route, status)}` },
    ]),
  )
}

/** `components.responses`: what differs between routes stands there once for each. */
export function buildResponses(collections: readonly DocumentedResource[], publicUrl: string): Json {
  const routes: readonly DocumentedRoute[] = [
    ...collections.flatMap((collection) => [
      { kind: 'list' as const, collection },
      { kind: 'record' as const, collection },
    ]),
    { kind: 'document', collection: undefined },
  ]
  return Object.fromEntries(
    routes.flatMap((route) =>
      listStatuses(route).map((status) => [
        nameResponse(route, status),
        buildResponse(route, status, publicUrl),
      ]),
    ),
  )
}

function listStatuses(route: DocumentedRoute): readonly Status[] {
  const own = listProblems(route).map(toStatus)
  return statuses.filter((status) => status === 304 || own.includes(status))
}

/** The statuses of requests that are not for another method, and not broken HTTP, are listed; all others are one. */
function toStatus({ code }: Problem): Status {
  const { status } = problems[code]
  return statuses.find((one) => one === status) ?? 'default'
}

/** Responses that are equal for several routes have the same name. */
function nameResponse({ kind, collection }: DocumentedRoute, status: Status): string {
  const name = names[status]
  if (status === 'default') return name
  if (collection === undefined) return `Document${name}`
  if (status === 403 || status === 404) return `${collection.typeName}${name}`
  if (kind === 'list' && status === 304) return `${collection.typeName}Page${name}`
  return kind === 'list' && status === 400 ? `Page${name}` : name
}

function buildResponse(route: DocumentedRoute, status: Status, publicUrl: string): Json {
  // A key is counted before anything of its request can be wrong but the key itself.
  const isCounted = route.collection !== undefined && status !== 401 && status !== 'default'
  if (status === 304) return buildNotModified(route, publicUrl)
  const own = listProblems(route).filter((problem) => toStatus(problem) === status)
  return {
    description: own.map(({ code }) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
    headers: buildProblemHeaders(own, isCounted),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          own.map((problem) => [
            problem.code,
            { summary: problems[problem.code].title, value: toProblemExample(problem, publicUrl) },
          ]),
        ),
      },
    },
  }
}

function buildNotModified(route: DocumentedRoute, publicUrl: string): Json {
  return {
    description: 'Nothing changed: the entity tag is still that of `If-None-Match`. Without a body.',
    headers: buildNotModifiedHeaders(route, publicUrl),
  }
}
