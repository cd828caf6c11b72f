import { filterLengthMax } from '../query/cursor.js'
import { pageSize } from '../query/list-query.js'
import type { DocumentedResource } from '../resources/resource.js'
import type { Json } from './openapi-components.js'
import { createExampleCursor, exampleNextSince, toExample } from './openapi-examples.js'
import { buildSuccessHeaders, exampleEtag } from './openapi-headers.js'
import { referResponses } from './openapi-responses.js'
import { urlLengthMax } from './request-checks.js'

/** Both routes of a collection. */
export function buildPaths(collection: DocumentedResource, publicUrl: string): Json {
  return {
    [`/${collection.name}`]: { get: buildList(collection, publicUrl) },
    [`/${collection.name}/{id}`]: { get: buildRecord(collection, publicUrl) },
  }
}

function buildList(collection: DocumentedResource, publicUrl: string): Json {
  const { typeName, name, scope, statuses } = collection
  const route = { kind: 'list', collection } as const
  return {
    operationId: `list${typeName}s`,
    tags: [name],
    summary: `List ${name}`,
    description: `Needs the scope \`${scope}\`. Oldest change first, ${pageSize.default} records a page by default. A page can have fewer records than \`limit\`; only \`cursor: null\` is the end.`,
    parameters: [...buildParameters(statuses), ifNoneMatchReference],
    responses: {
      200: {
        description: `A page of ${name}.`,
        headers: buildSuccessHeaders(route, publicUrl),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${typeName}Page` },
            examples: buildPageExamples(collection),
          },
        },
      },
      ...referResponses(route),
    },
  }
}

function buildRecord(collection: DocumentedResource, publicUrl: string): Json {
  const { typeName, name, scope } = collection
  const one = typeName.toLowerCase()
  const route = { kind: 'record', collection } as const
  const id = { type: 'string', minLength: 1, maxLength: urlLengthMax }
  return {
    operationId: `get${typeName}`,
    tags: [name],
    summary: `Get one ${one}`,
    description: `Needs the scope \`${scope}\`. An archived record, or one of another workspace, is not found.`,
    parameters: [
      { name: 'id', in: 'path', required: true, description: `The id of the ${one}.`, schema: id },
      ifNoneMatchReference,
    ],
    responses: {
      200: {
        description: `The ${one} itself.`,
        headers: buildSuccessHeaders(route, publicUrl),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${typeName}` },
            example: toExample(collection),
          },
        },
      },
      ...referResponses(route),
    },
  }
}

function buildPageExamples(collection: DocumentedResource): Json {
  const data = [toExample(collection)]
  const toPage = (cursor: string | null): Json => ({
    data,
    meta: { cursor, nextUpdatedSince: exampleNextSince },
  })
  return {
    next: {
      summary: 'A page with a next page: the first of a crawl with `limit=1`',
      value: toPage(createExampleCursor(collection)),
    },
    last: { summary: 'The last page of a crawl', value: toPage(null) },
  }
}

/** The route of the document itself. */
export function buildDocumentPath(publicUrl: string): Json {
  const route = { kind: 'document', collection: undefined } as const
  return {
    '/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        tags: ['document'],
        summary: 'Get this document',
        description: 'This OpenAPI 3.1 document. Needs no key, and takes no parameters.',
        security: [],
        parameters: [ifNoneMatchReference],
        responses: {
          200: {
            description: 'The OpenAPI document.',
            headers: buildSuccessHeaders(route, publicUrl),
            content: {
              'application/json': {
                schema: { type: 'object', description: 'An OpenAPI document.' },
              },
            },
          },
          ...referResponses(route),
        },
      },
    },
  }
}

const ifNoneMatchReference: Json = { $ref: '#/components/parameters/IfNoneMatch' }

/** `components.parameters`. */
export const sharedParameters: Json = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` of an earlier answer to the same request: 304 without a body if nothing changed.',
    // All headers together have 16 KiB.
    schema: { type: 'string', maxLength: 16_384, examples: [exampleEtag] },
  },
}

/** A date, or a date-time of RFC 3339; a pattern, because no format covers both. */
const updatedSincePattern =
  '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$'

/** A date-time with nine fractional digits and an offset. */
const updatedSinceLengthMax = 35

/** The query parameters of a list. */
export function buildParameters(statuses: readonly string[] | undefined): readonly Json[] {
  return [
    query('limit', `The most records of a page: ${pageSize.min} to ${pageSize.max}.`, {
      type: 'integer',
      format: 'int32',
      minimum: pageSize.min,
      maximum: pageSize.max,
      default: pageSize.default,
    }),
    query(
      'cursor',
      '`meta.cursor` of the previous page. It contains the filters: send it alone, or with another `limit`.',
      { type: 'string', minLength: 1, maxLength: urlLengthMax },
    ),
    query(
      'updatedSince',
      'Only records that changed at this instant or later. RFC 3339 with `Z` or an offset, up to nine fractional digits; a date alone is the start of that day in UTC.',
      {
        type: 'string',
        pattern: updatedSincePattern,
        maxLength: updatedSinceLengthMax,
        // Not as an example of the parameter, which Swagger UI would send by default.
        examples: [exampleNextSince, '2026-03-01'],
      },
    ),
    query('eventId', 'Only records of this event. Compared character by character.', {
      type: 'string',
      minLength: 1,
      maxLength: filterLengthMax,
    }),
    query('status', 'Only records in this state. Compared character by character.', {
      type: 'string',
      minLength: 1,
      maxLength: filterLengthMax,
      ...(statuses === undefined ? {} : { enum: statuses }),
    }),
  ]
}

function query(name: string, description: string, schema: Json): Json {
  return { name, in: 'query', required: false, description, schema }
}
