import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { DocumentedCollection } from '../collections/collection.js'
import { filterLengthMax } from '../collections/cursor.js'
import { pageSize } from '../collections/list-query.js'
import { perMinuteMax } from '../environment.js'
import { problems } from '../errors.js'
import type { Problem, ProblemCode } from '../errors.js'
import { capitalize } from '../values/printable.js'
import { exposedHeaders } from './cors.js'
import { toRateHeaders } from './rate-limits.js'
import {
  createExampleCursor,
  exampleEvent,
  exampleNextSince,
  exampleRate,
  exampleRequestId,
  listProblems,
  toExample,
  toProblemExample,
} from './openapi-examples.js'
import type { DocumentedRoute } from './openapi-examples.js'
import { basePath } from './paths.js'
import { urlLengthMax } from './request-checks.js'
import { acceptableId } from './request-context.js'

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

interface Template {
  readonly document: Json
  readonly collection: Json
}

/** A response of the template that lists problems. */
interface ProblemResponse {
  readonly problems: readonly ProblemCode[]
  readonly route: DocumentedRoute['kind']
  readonly headers: Json
}

/** What the template is filled with: the values of its placeholders, and the collection that a part is about. */
interface Filling {
  readonly values: Json
  readonly collection: DocumentedCollection | undefined
  readonly publicUrl: string
}

const templateFile = new URL('./openapi.yaml', import.meta.url)

/**
 * The OpenAPI 3.1 document: `openapi.yaml`, with the parts that depend on the mapping filled in.
 *
 * @param publicUrl origin and path prefix, or empty for a relative server.
 */
export function buildOpenApi(
  collections: readonly DocumentedCollection[],
  publicUrl: string,
  version: string,
): Json {
  const template = parse(readFileSync(templateFile, 'utf8'), { merge: true }) as Template
  const shared = {
    ...listConstants(),
    publicUrl,
    descriptionLink: `<${publicUrl}${basePath}/openapi.json>; rel="service-desc"`,
    version,
    summary: renderSummary(collections),
    introduction: renderIntroduction(collections, publicUrl),
    contact: {
      name: 'The team that issued your API key',
      // OpenAPI 3.1 allows no relative address here.
      ...(publicUrl === '' ? {} : { url: `${publicUrl}/docs` }),
    },
  }
  const parts = collections.map((collection) => {
    const values = { ...shared, ...listValues(collection) }
    return fill(template.collection, { values, collection, publicUrl }) as Json
  })
  const [any] = collections
  const document = fill(template.document, { values: shared, collection: any, publicUrl }) as Json
  // Collections come first in every list, but the members of the document have their usual order.
  return { ...document, ...[...parts, document].reduce<Json>((all, part) => merge(part, all), {}) }
}

/** Values of other files that the document states. */
function listConstants(): Json {
  const codes = Object.keys(problems) as ProblemCode[]
  const rate = toRateHeaders(exampleRate.limit, exampleRate.remaining, exampleRate.resetSeconds)
  return {
    basePath,
    perMinuteMax,
    urlLengthMax,
    filterLengthMax,
    exposedHeaders,
    pageSizeMin: pageSize.min,
    pageSizeMax: pageSize.max,
    pageSizeDefault: pageSize.default,
    codes,
    codesWithStatus: codes.map((code) => `\`${code}\` (${problems[code].status})`).join(', '),
    requestIdPattern: acceptableId.source,
    requestId: exampleRequestId,
    nextSince: exampleNextSince,
    etag: 'W/"q0n6c0yTcQ1Jk0h1rKXW4bWQH7o"',
    rateLimit: exampleRate.limit,
    rateRemaining: exampleRate.remaining,
    rateReset: exampleRate.resetSeconds,
    ratePolicy: rate['ratelimit-policy'],
    rateState: rate.ratelimit,
  }
}

function listValues(collection: DocumentedCollection): Json {
  const { name, typeName, scope, statuses } = collection
  const example = toExample(collection)
  return {
    name,
    typeName,
    one: typeName.toLowerCase(),
    scope,
    statuses,
    schema: toSchema(collection),
    example,
    id: example['id'],
    eventId: exampleEvent,
    status: example['status'],
    cursor: createExampleCursor(collection),
  }
}

/**
 * The schema of a collection with the statuses of the mapping, without the ids of TypeBox. `additionalProperties: false` is
 * a safeguard of the serializer, and not part of the contract: a client that validated it would reject the answers of a
 * release with a new field.
 */
function toSchema({ schema, statuses }: DocumentedCollection): Json {
  const { $id: _, additionalProperties: __, ...plain } = JSON.parse(JSON.stringify(schema)) as Json
  if (statuses === undefined) return plain
  const properties = plain['properties'] as Readonly<Record<string, Json>>
  const status = { ...properties['status'], enum: statuses, examples: statuses.slice(0, 1) }
  return { ...plain, properties: { ...properties, status } }
}

/** A part of the template with its values; a member whose value is undefined is left out. */
function fill(part: unknown, filling: Filling): unknown {
  if (typeof part === 'string') return fillText(part, filling.values)
  if (Array.isArray(part)) return part.map((one) => fill(one, filling))
  if (typeof part !== 'object' || part === null) return part
  if ('problems' in part) return fillProblems(part as ProblemResponse, filling)
  const members = Object.entries(part).map(([name, value]) => [
    String(fillText(name, filling.values)),
    fill(value, filling),
  ])
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** A text that is one placeholder becomes its value; placeholders in a longer text become text. */
function fillText(text: string, values: Json): unknown {
  const read = (name: string): unknown => {
    if (!Object.hasOwn(values, name)) throw new Error(`The template of OpenAPI has no value for ${name}`)
    return values[name]
  }
  const [, whole] = /^\$\{(\w+)\}$/.exec(text) ?? []
  if (whole !== undefined) return read(whole)
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => String(read(name)))
}

function fillProblems({ problems: codes, route, headers }: ProblemResponse, filling: Filling): Json {
  const own = listProblems({ kind: route, collection: filling.collection }).filter(({ code }) =>
    codes.includes(code),
  )
  const examples = own.map((problem) => {
    const value = toProblemExample(problem, filling.publicUrl)
    return [problem.code, { summary: problems[problem.code].title, value }] as const
  })
  return {
    description: own.map(({ code }) => `\`${code}\`: ${problems[code].meaning}`).join('\n\n'),
    headers: { ...headers, ...buildProblemHeaders(own) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const text = { type: 'string' }
const seconds = { type: 'integer', format: 'int32', minimum: 1, maximum: 60 }

/** Headers whose values depend on the problem. */
const particularHeaders = {
  'WWW-Authenticate': { description: 'What the key lacks, as in RFC 6750.', required: true, schema: text },
  'Retry-After': { description: 'Seconds to wait before the next request.', required: true, schema: seconds },
  Allow: { description: 'The methods that the path answers. Only with 405.', required: false, schema: text },
}

function buildProblemHeaders(own: readonly Problem[]): Json {
  const shown = Object.entries(particularHeaders).map(([name, header]) => {
    const values = own.flatMap(({ code, headers }) => {
      const value = headers[name.toLowerCase()]
      return value === undefined ? [] : [[code, header.schema === seconds ? Number(value) : value] as const]
    })
    return [name, values.length === 0 ? undefined : { ...header, ...toExamples(values) }] as const
  })
  return Object.fromEntries(shown.filter(([, header]) => header !== undefined))
}

/** One example where all problems have the same value, and otherwise one for each code. */
function toExamples(values: readonly (readonly [code: string, value: string | number])[]): Json {
  const [first] = values
  if (values.every(([, value]) => value === first?.[1])) return { example: first?.[1] }
  return { examples: Object.fromEntries(values.map(([code, value]) => [code, { value }])) }
}

/** Two parts of the document as one: lists and objects that both have are joined, those of `earlier` first. */
function merge(later: Json, earlier: Json): Json {
  const merged = Object.entries(later).map(([name, value]): readonly [string, unknown] => {
    const other = earlier[name]
    if (Array.isArray(value) && Array.isArray(other)) return [name, (other as unknown[]).concat(value)]
    return [name, isObject(value) && isObject(other) ? merge(value, other) : value]
  })
  return { ...earlier, ...Object.fromEntries(merged) }
}

/** Whether a value is a part of the document with members. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The summary of the OpenAPI document. */
function renderSummary(collections: readonly DocumentedCollection[]): string {
  const names = collections.map(({ name }) => name).join(' and ')
  return `${capitalize(names)} of your workspace, read-only.`
}

/** The introduction of the OpenAPI document. Syncs come first: most integrations need them. */
function renderIntroduction(collections: readonly DocumentedCollection[], publicUrl: string): string {
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
