import { pageSize, filterLengthMax } from '../query/list-query.js'
import { refer, successHeaders } from './openapi-components.js'
import { toExample } from './openapi-components.js'
import type { DocumentedResource } from '../resources/resource.js'
import type { Json } from './openapi-components.js'

/** Both routes of a collection. */
export function buildPaths(collection: DocumentedResource): Json {
  const type = collection.typeName
  const [one, many] = [type.toLowerCase(), collection.name]
  const scoped = `Needs the scope \`${collection.scope}\`.`
  return {
    [`/${many}`]: {
      get: {
        operationId: `list${type}s`,
        tags: [many],
        summary: `List ${many}`,
        description: `${scoped} Oldest change first, ${pageSize.default} records a page by default. A page can have fewer records than \`limit\`; only \`cursor: null\` is the end.`,
        parameters: buildParameters(collection.statuses),
        responses: {
          200: buildListResponse(type, one, toExample(collection)),
          ...refer(304, 400, 401, 403, 429, 500, 503),
        },
      },
    },
    [`/${many}/{id}`]: {
      get: {
        operationId: `get${type}`,
        tags: [many],
        summary: `Get one ${one}`,
        description: `${scoped} An archived record, or one of another workspace, is not found.`,
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: `The id of the ${one}.`,
            schema: { type: 'string' },
          },
        ],
        responses: {
          200: {
            description: `The ${one} itself.`,
            headers: successHeaders,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${type}` },
                example: toExample(collection),
              },
            },
          },
          ...refer(304, 400, 401, 403, 404, 429, 500, 503),
        },
      },
    },
  }
}

function buildListResponse(type: string, one: string, example: Json): Json {
  return {
    description: `A page of ${one}s.`,
    headers: {
      ...successHeaders,
      Link: { description: 'The next page, `rel="next"`, where there is one.', schema: { type: 'string' } },
    },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['data', 'meta'],
          properties: {
            data: { type: 'array', items: { $ref: `#/components/schemas/${type}` } },
            meta: { $ref: '#/components/schemas/ListMeta' },
          },
        },
        example: { data: [example], meta: { cursor: null, nextUpdatedSince: '2026-03-01T09:28:00.000Z' } },
      },
    },
  }
}

/** The route of the document itself. */
export function buildDocumentPath(): Json {
  return {
    '/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        tags: ['document'],
        summary: 'Get this document',
        security: [],
        responses: {
          200: {
            description: 'The OpenAPI document.',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          // Problems that every path can have: too long, too large, not HTTP.
          '4XX': refer()['default'],
          ...refer(),
        },
      },
    },
  }
}

/** A date, or a date-time of RFC 3339; a pattern, because no format covers both. */
const updatedSincePattern =
  '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$'

/** The query parameters of a list. */
export function buildParameters(statuses: readonly string[] | undefined): readonly Json[] {
  return [
    query('limit', `The most records of a page: ${pageSize.min} to ${pageSize.max}.`, {
      type: 'integer',
      minimum: pageSize.min,
      maximum: pageSize.max,
      default: pageSize.default,
    }),
    query(
      'cursor',
      '`meta.cursor` of the previous page. It contains the filters: send it alone, or with another `limit`.',
      {
        type: 'string',
      },
    ),
    query(
      'updatedSince',
      'Only records that changed at this instant or later. RFC 3339 with `Z` or an offset, up to nine fractional digits; a date alone is the start of that day in UTC.',
      {
        type: 'string',
        pattern: updatedSincePattern,
        // Not as an example of the parameter, which Swagger UI would send by default.
        examples: ['2026-03-01T09:28:00.000Z', '2026-03-01'],
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
