import { capitalize } from '../values/printable.js'
import type { DocumentedCollection } from '../collections/collection.js'

/** The summary of the OpenAPI document. */
export function renderSummary(collections: readonly DocumentedCollection[]): string {
  const names = collections.map(({ name }) => name).join(' and ')
  return `${capitalize(names)} of your workspace, read-only.`
}

/** The introduction of the OpenAPI document. Syncs come first: most integrations need them. */
export function renderIntroduction(collections: readonly DocumentedCollection[], publicUrl: string): string {
  const scopes = collections.map(({ scope }) => `\`${scope}\``).join(' and ')
  const hasMoney = collections.some(({ schema }) => 'total' in schema.properties)
  const money = '`total` is an exact decimal in a string. Parse it with a decimal type, never as a float. '
  return `## Keeping a copy up to date

1. List a collection without \`updatedSince\`, and follow \`meta.cursor\` until it is \`null\`. Store each record under its \`id\`, and replace an older one.
2. Store \`meta.nextUpdatedSince\` of that crawl; it is the same on every page.
3. Later, list with \`updatedSince\` set to the stored value, follow the cursor again, and store the new \`meta.nextUpdatedSince\`.

This gives you every record **at least once**. \`nextUpdatedSince\` is a little before the start of the crawl, so that records whose transaction commits late are not missed. Records of that time are sent again; storing them again changes nothing. Do not use the \`updatedAt\` of the last record instead: it misses records that are committed late.

The order is \`updatedAt\`, then \`id\`. A record that changes during a crawl moves to a later page and is sent again. Archived records are not sent; a full crawl without \`updatedSince\` shows which are missing.

A higher \`meta.epoch\` than that of your copy means that records changed without \`updatedAt\`: read the whole copy anew. A lower one comes from a process that is about to be restarted: keep your copy, and the \`nextUpdatedSince\` that you have.

## API keys

Send your key with every request: \`Authorization: Bearer <key>\`. It gives access to one workspace, and to the collections of its scopes: ${scopes}.

## ${hasMoney ? 'Money and time' : 'Time'}

${hasMoney ? money : ''}Timestamps are UTC with three fractional digits.

## Errors

Every error is \`application/problem+json\` with a stable \`code\`. \`type\` links to the [description of each problem type](${publicUrl}/docs/errors). Answers with 429 and 503 have \`Retry-After\`. Quote \`requestId\` when you ask about an answer.

## Unchanged answers

Send the \`ETag\` of an answer as \`If-None-Match\` and get \`304\` without a body while the records are the same. The tag of a list does not cover the instants in \`meta\`: keep the \`nextUpdatedSince\` that you have.`
}
