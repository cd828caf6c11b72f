import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import type { ResolvedResource } from '../resources/collection.js'
import { problems } from '../errors.js'

/** Part of the document. */
export type Json = Readonly<Record<string, unknown>>

/** What an OpenAPI document needs to know of a collection. */
export type DocumentedCollection = Pick<ResolvedResource, 'name' | 'scope' | 'statuses' | 'schema'>

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
      description: 'Store it when the crawl is done, and send it as `updatedSince` in the next one.',
      examples: ['2026-03-01T09:28:00.000Z'],
    }),
  }),
)

/** Every answer that is not a success. */
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
    parameter: { type: 'string', description: 'The query parameter at fault.' },
  },
}

/** What a collection's records are called. */
export function toTypeName({ name }: DocumentedCollection): 'Registration' | 'Invoice' {
  return name === 'registrations' ? 'Registration' : 'Invoice'
}

/**
 * The collection's schema with the statuses of the mapping, without TypeBox's own marks and ids. That no other field
 * can leave is a wall of ours and no promise: a client that held answers against it would refuse those of a release
 * that adds one.
 */
export function toSchema({ schema, statuses }: DocumentedCollection): Json {
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

/** A record made of the fields' own examples. */
export function toExample(collection: DocumentedCollection): Json {
  const properties = toSchema(collection)['properties'] as Readonly<
    Record<string, { examples: readonly unknown[] }>
  >
  return Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]))
}

function toJson(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}
