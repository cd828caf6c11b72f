import { pageSize } from '../query/parse-list-query.js'
import { buildParameters } from './openapi-parameters.js'
import { refer, successHeaders } from './openapi-responses.js'
import { toExample, toTypeName } from './openapi-schemas.js'
import type { DocumentedCollection, Json } from './openapi-schemas.js'

/** Both routes of a collection. */
export function buildPaths(collection: DocumentedCollection): Json {
  const type = toTypeName(collection)
  const [one, many] = [type.toLowerCase(), collection.name]
  const scoped = `Needs the scope \`${collection.scope}\`.`
  return {
    [`/${many}`]: {
      get: {
        operationId: `list${type}s`,
        tags: [many],
        summary: `List ${many}`,
        description: `${scoped} Oldest change first, ${pageSize.default} to a page. A page may hold fewer records than \`limit\`; only \`cursor: null\` is the end.`,
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
          // What a server refuses on every path: too long, too large, not HTTP.
          '4XX': refer()['default'],
          ...refer(),
        },
      },
    },
  }
}
