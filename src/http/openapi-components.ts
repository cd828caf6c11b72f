import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import { problems } from '../errors.js'
import { pageSize } from '../query/list-query.js'
import type { DocumentedResource } from '../resources/resource.js'
import { exampleNextSince, exampleRequestId } from './openapi-examples.js'
import { acceptableId } from './request-context.js'

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
      examples: [exampleNextSince],
    }),
  }),
)

/** The schema of a page of records. */
export function toPageSchema({ name, typeName }: DocumentedResource): Json {
  return {
    type: 'object',
    description: `A page of ${name}, oldest change first.`,
    required: ['data', 'meta'],
    properties: {
      data: {
        type: 'array',
        maxItems: pageSize.max,
        description: 'The records of the page: at most `limit`, and possibly fewer while more follow.',
        items: { $ref: `#/components/schemas/${typeName}` },
      },
      meta: { $ref: '#/components/schemas/ListMeta' },
    },
  }
}

/**
 * The schema of every answer that is not a success. `code` is no enum: a release can add a code, and a client that
 * was generated from an enum would reject its answers.
 */
export const problemSchema: Json = {
  type: 'object',
  description: 'An RFC 9457 problem. Branch on `code`; show `detail` to a developer.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'The address of the documentation of this problem.',
      examples: ['/docs/errors#not_found'],
    },
    title: {
      type: 'string',
      description: 'What the code means, in a few words.',
      examples: [problems.not_found.title],
    },
    status: {
      type: 'integer',
      format: 'int32',
      minimum: 400,
      maximum: 599,
      description: 'The HTTP status.',
      examples: [problems.not_found.status],
    },
    detail: {
      type: 'string',
      description: 'What was wrong, and what is allowed. For people: its wording can change.',
      examples: ['There is nothing at this path.'],
    },
    code: {
      type: 'string',
      description: `What programs branch on. A code is never renamed or reused; a later release can add one, so treat a code that you do not know by its \`status\`. Today: ${listCodes()}.`,
      examples: Object.keys(problems),
    },
    requestId: {
      type: 'string',
      description: 'The id of the request, as in `X-Request-Id`.',
      pattern: acceptableId.source,
      maxLength: 64,
      examples: [exampleRequestId],
    },
    parameter: {
      type: 'string',
      description: 'The invalid query parameter, where one is.',
      examples: ['limit'],
    },
  },
}

function listCodes(): string {
  return Object.entries(problems)
    .map(([code, { status }]) => `\`${code}\` (${status})`)
    .join(', ')
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

function toJson(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}
