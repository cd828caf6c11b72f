import { problems } from '../errors.js'
import type { ProblemCode } from '../errors.js'
import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import type { DocumentedResource } from '../resources/resource.js'

/** The statuses of problems that a GET of a route can have. Others are for other methods or invalid HTTP. */
const problemStatuses = [400, 401, 403, 404, 429, 500, 503] as const
const codes = Object.keys(problems) as readonly ProblemCode[]

const requestIdHeader = {
  'X-Request-Id': header('string', 'The id of this request, for questions about it.'),
}
const rateHeaders = {
  'RateLimit-Limit': header('integer', 'Requests a minute that the key may send, if there is a limit.'),
  'RateLimit-Remaining': header('integer', 'Requests that remain.'),
  'RateLimit-Reset': header('integer', 'Seconds until the limit is reset.'),
}

/** Response headers of every success. */
export const successHeaders: Json = {
  ETag: header('string', 'A weak entity tag of the records; send it as `If-None-Match`.'),
  ...requestIdHeader,
  ...rateHeaders,
}

/** The headers of a problem besides the request id, by its status. */
const problemHeaders: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('string', 'The required scheme, as in RFC 6750.') },
  403: { 'WWW-Authenticate': header('string', 'The required scope, as in RFC 6750.') },
  429: { 'Retry-After': header('integer', 'Seconds to wait.'), ...rateHeaders },
  503: { 'Retry-After': header('integer', 'Seconds to wait.') },
}

/** References to the shared responses of these statuses, and to that of all other statuses. */
export function refer(...statuses: readonly number[]): Json {
  const refs = [...statuses, 'default' as const].map((status) => [
    status,
    { $ref: `#/components/responses/${toResponseName(status)}` },
  ])
  return Object.fromEntries(refs) as Json
}

function toResponseName(status: number | 'default'): string {
  return status === 'default' ? 'OtherProblem' : `Status${status}`
}

/** One response for each status of a route, with its codes from the table of problems. */
export function buildResponses(publicUrl: string): Json {
  const notModified = {
    description: 'Nothing changed: the entity tag is still that of `If-None-Match`.',
    headers: successHeaders,
  }
  const isOther = (code: ProblemCode): boolean =>
    !problemStatuses.some((status) => status === problems[code].status)
  return {
    [toResponseName(304)]: notModified,
    ...Object.fromEntries(
      problemStatuses.map((status) => {
        const own = codes.filter((code) => problems[code].status === status)
        return [toResponseName(status), buildProblemResponse(own, publicUrl, problemHeaders[status])]
      }),
    ),
    [toResponseName('default')]: buildProblemResponse(codes.filter(isOther), publicUrl),
  }
}

function buildProblemResponse(own: readonly ProblemCode[], publicUrl: string, headers: Json = {}): Json {
  return {
    description: own.map((code) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
    headers: { ...requestIdHeader, ...headers },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(own.map((code) => [code, buildExample(code, publicUrl)])) as Json,
      },
    },
  }
}

/** For codes of parameters: the parameter of the example. */
const exampleParameters: Readonly<Partial<Record<ProblemCode, string>>> = {
  invalid_parameter: 'limit',
  unknown_parameter: 'page',
  invalid_cursor: 'cursor',
  cursor_mismatch: 'status',
}

function buildExample(code: ProblemCode, publicUrl: string): Json {
  const { title, status, meaning } = problems[code]
  const parameter = exampleParameters[code]
  return {
    summary: title,
    value: {
      type: `${publicUrl}/docs/errors#${code}`,
      title,
      status,
      detail: meaning.replaceAll('`', ''),
      code,
      requestId: '5f0c7f0e-6b0f-4d39-9a53-0c1f6f0f2b1a',
      ...(parameter === undefined ? {} : { parameter }),
    },
  }
}

function header(type: 'string' | 'integer', description: string): Json {
  return { description, schema: { type } }
}

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** `meta` of a list. */
export const metaSchema: Json = toJson(
  Type.Object({
    cursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Send it as `cursor` for the next page. Null on the last page, and only there.',
      examples: [null],
    }),
    nextUpdatedSince: Type.String({
      format: 'date-time',
      description: 'Store it at the end of the crawl, and send it as `updatedSince` in the next one.',
      examples: ['2026-03-01T09:28:00.000Z'],
    }),
  }),
)

/** The schema of every answer that is not a success. */
export const problemSchema: Json = {
  type: 'object',
  description: 'An RFC 9457 problem. Branch on `code`; show `detail` to a developer.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The address of the documentation of this problem.',
    },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string', description: 'What was wrong, and what is allowed.' },
    code: { type: 'string', enum: Object.keys(problems) },
    requestId: { type: 'string' },
    parameter: { type: 'string', description: 'The invalid query parameter.' },
  },
}

/**
 * The schema of a resource with the statuses of the mapping, without the ids of TypeBox. `additionalProperties: false` is
 * a safeguard of the serializer, and not part of the contract: a client that validated it would reject the answers of a
 * release with a new field.
 */
export function toSchema({ schema, statuses }: DocumentedResource): Json {
  const { $id: _, additionalProperties: __, ...plain } = toJson(schema)
  if (statuses === undefined) return plain
  const properties = plain['properties'] as Readonly<Record<string, Json>>
  return {
    ...plain,
    properties: {
      ...properties,
      status: { ...properties['status'], enum: statuses, examples: statuses.slice(0, 1) },
    },
  }
}

/** A record of the examples of all fields. */
export function toExample(collection: DocumentedResource): Json {
  const properties = toSchema(collection)['properties'] as Readonly<
    Record<string, { examples: readonly unknown[] }>
  >
  return Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]))
}

function toJson(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}
