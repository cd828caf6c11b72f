import { metaSchema, problemSchema, toSchema } from './openapi-components.js'
import type { DocumentedResource } from '../resources/resource.js'
import type { Json } from './openapi-components.js'
import { buildResponses } from './openapi-components.js'
import { buildDocumentPath, buildPaths } from './openapi-paths.js'
import { basePath } from './request-checks.js'

/**
 * The OpenAPI 3.1 document, from the same schemas that the answers are serialised with.
 *
 * @param publicUrl origin and path prefix, or empty for a relative server.
 */
export function buildOpenApi(
  collections: readonly DocumentedResource[],
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
        ...Object.fromEntries(collections.map((collection) => [collection.typeName, toSchema(collection)])),
        ListMeta: metaSchema,
        Problem: problemSchema,
      },
      responses: buildResponses(publicUrl),
    },
  }
}

/**
 * What the OpenAPI document says before its routes: sync first, because everything hangs on it.
 *
 * @param publicUrl origin and path prefix, or empty for relative links.
 */
export function renderIntroduction(publicUrl: string): string {
  return `## Keeping a copy up to date

1. List a collection without \`updatedSince\`, and follow \`meta.cursor\` until it is \`null\`. Store each record under its \`id\`, over an older one.
2. Keep \`meta.nextUpdatedSince\` of that crawl: every page of it says the same.
3. Later, list with \`updatedSince\` set to what you kept, follow the cursor again, and keep the new \`meta.nextUpdatedSince\`.

This gives you every record **at least once**. \`nextUpdatedSince\` lies a little before the crawl began, so that a record whose transaction committed late is not passed over; records of that time come again, and storing them again changes nothing. Do not use the \`updatedAt\` of the last record instead: it misses what was committed late.

The order is \`updatedAt\`, then \`id\`. A record that changes while you page moves behind you and is seen again. An archived record is not shown any more; a full crawl without \`updatedSince\` tells which are gone.

## API keys

Send your key with every request: \`Authorization: Bearer <key>\`. It opens one workspace, and the collections that its scopes name: \`registration.read\` and \`invoices.read\`.

## Money and time

\`total\` is an exact decimal in a string. Parse it with a decimal type, never as a float. Timestamps are UTC with three fractional digits.

## Errors

Every error is \`application/problem+json\` with a stable \`code\`. [Every problem type](${publicUrl}/docs/errors) is explained, and \`type\` links to it. Answers to 429 and 503 carry \`Retry-After\`. Quote \`requestId\` when you ask about an answer.

## Unchanged answers

Send the \`ETag\` of an answer as \`If-None-Match\` and get \`304\` without a body while the records are the same. A list's tag leaves \`meta\` out: keep the \`nextUpdatedSince\` that you have.`
}
