import { renderIntroduction } from './openapi-text.js'
import { metaSchema, problemSchema, toSchema, toTypeName } from './openapi-schemas.js'
import type { DocumentedCollection, Json } from './openapi-schemas.js'
import { buildResponses } from './openapi-responses.js'
import { buildDocumentPath, buildPaths } from './openapi-paths.js'
import { basePath } from './paths.js'

/**
 * The OpenAPI 3.1 document, from the same schemas that the answers are serialised with.
 *
 * @param publicUrl origin and path prefix, or empty for a relative server.
 */
export function buildOpenApi(
  collections: readonly DocumentedCollection[],
  publicUrl: string,
  version: string,
): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version,
      summary: 'Registrations and invoices of your workspace, read-only.',
      description: renderIntroduction(publicUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${publicUrl}${basePath}`, description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: [
      ...collections.map(({ name }) => ({ name, description: `The ${name} of the workspace of the key.` })),
      { name: 'document', description: 'This document itself.' },
    ],
    paths: Object.fromEntries(
      [...collections.map(buildPaths), buildDocumentPath()].flatMap((path) => Object.entries(path)),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of your workspace, sent as `Authorization: Bearer <key>`.',
        },
      },
      schemas: {
        ...Object.fromEntries(
          collections.map((collection) => [toTypeName(collection), toSchema(collection)]),
        ),
        ListMeta: metaSchema,
        Problem: problemSchema,
      },
      responses: buildResponses(publicUrl),
    },
  }
}
