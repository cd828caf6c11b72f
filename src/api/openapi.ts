import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { version } from '../client/headers.js'
import { isRecord } from '../client/forms.js'
import type { DocumentedCollection } from '../collections/collection.js'
import { encodeCursor, filterLengthMax } from '../collections/cursor.js'
import { Problem, problems } from '../problems.js'
import type { ProblemCode } from '../problems.js'
import { parseApiTime } from '../values/instant.js'
import { capitalize } from '../values/printable.js'
import { problemTexts } from './problem-texts.js'
import { toProblemBody } from './answer-problem.js'

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>

interface Template {
  readonly problems: Readonly<Record<string, { readonly detail: string; readonly parameter?: string }>>
  readonly document: Json
  readonly collection: Json
}

/** What the template is filled with. */
interface Filling {
  readonly template: Template
  readonly values: Json
  readonly publicUrl: string
}

/** The request id of every example. */
const exampleRequestId = '5f0c7f0e-6b0f-4d39-9a53-0c1f6f0f2b1a'

/**
 * The OpenAPI 3.1 document: `openapi.yaml`, with the parts that depend on the mapping filled in.
 *
 * @param publicUrl origin and path prefix, or empty for a relative server.
 */
export function buildOpenApi(collections: readonly DocumentedCollection[], publicUrl: string): Json {
  const text = readFileSync(new URL('./openapi.yaml', import.meta.url), 'utf8')
  const template = parse(text, { merge: true }) as Template
  const codes = Object.keys(problems) as ProblemCode[]
  const hasMoney = collections.some(({ schema }) => 'total' in schema.properties)
  const shared = {
    publicUrl,
    // OpenAPI 3.1 allows no relative address here.
    docsUrl: publicUrl === '' ? undefined : `${publicUrl}/docs`,
    version,
    summary: capitalize(collections.map(({ name }) => name).join(' and ')),
    scopes: collections.map(({ scope }) => `\`${scope}\``).join(' and '),
    moneyAndTime: hasMoney ? 'Money and time' : 'Time',
    money: hasMoney
      ? '`total` is an exact decimal in a string. Parse it with a decimal type, never as a float. '
      : '',
    codes,
    codesWithStatus: codes.map((code) => `\`${code}\` (${problems[code].status})`).join(', '),
    filterLengthMax,
  }
  const parts = collections.map((collection) => {
    const values = { ...shared, ...listValues(collection) }
    return fill(template.collection, { template, values, publicUrl }) as Json
  })
  const document = fill(template.document, { template, values: shared, publicUrl }) as Json
  // Collections come first in every list, but the members of the document have their usual order.
  return { ...document, ...[...parts, document].reduce<Json>((all, part) => merge(part, all), {}) }
}

function listValues({ name, typeName, scope, statuses, schema }: DocumentedCollection): Json {
  const properties = schema.properties as Readonly<Record<string, { readonly examples: readonly unknown[] }>>
  const fields = Object.entries(properties).map(([field, { examples }]) => [field, examples[0]] as const)
  const example: Json = {
    ...Object.fromEntries(fields),
    ...(statuses === undefined ? {} : { status: statuses[0] }),
  }
  const { id, status } = example
  return {
    name,
    typeName,
    one: typeName.toLowerCase(),
    scope,
    statuses,
    schema: toSchema({ schema, statuses }),
    example,
    id,
    status,
    hidden: 'eventId' in properties ? '' : ' It is not a field of the record.',
    cursor: createExampleCursor(name, example),
  }
}

/** The cursor that the service would issue after the example record. */
function createExampleCursor(collection: string, { id, updatedAt }: Json): string {
  const startedAt = parseApiTime('2026-03-01T10:00:00Z')
  if (startedAt === undefined) throw new Error('The example is not an instant')
  const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
  const position = { updatedAt: String(updatedAt).replace('T', ' ').replace('Z', ''), id: String(id) }
  return encodeCursor({ filters, startedAt }, position, { collection, workspaceId: 'W1' })
}

/**
 * The schema of a collection with the statuses of the mapping, without the ids of TypeBox. `additionalProperties: false` is
 * a safeguard of the serializer, and not part of the contract: a client that validated it would reject the answers of a
 * release with a new field.
 */
function toSchema({ schema, statuses }: Pick<DocumentedCollection, 'schema' | 'statuses'>): Json {
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
  if (!isRecord(part)) return part
  const members = Object.entries('problems' in part ? toResponse(part, filling) : part).map(
    ([name, value]) => [String(fillText(name, filling.values)), fill(value, filling)] as const,
  )
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

/** A response of the template that lists problems. */
function toResponse({ problems: listed, headers }: Json, { template, publicUrl }: Filling): Json {
  const all = (listed as readonly string[]).map((name) => {
    const { detail, parameter } = template.problems[name] ?? { detail: '' }
    const code = name.split(' ')[0] as ProblemCode
    const problem = new Problem(code, detail, parameter === undefined ? {} : { parameter })
    const value = toProblemBody(problem, exampleRequestId, publicUrl)
    return [code, { summary: problems[code].title, value }] as const
  })
  return {
    description: all.map(([code]) => `\`${code}\`: ${problemTexts[code].meaning}`).join('\n\n'),
    headers,
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(all),
      },
    },
  }
}

/** Two parts of the document as one: lists and objects that both have are joined, those of `earlier` first. */
function merge(later: Json, earlier: Json): Json {
  const merged = Object.entries(later).map(([name, value]): readonly [string, unknown] => {
    const other = earlier[name]
    if (Array.isArray(value) && Array.isArray(other)) return [name, (other as unknown[]).concat(value)]
    return [name, isRecord(value) && isRecord(other) ? merge(value, other) : value]
  })
  return { ...earlier, ...Object.fromEntries(merged) }
}

/**
 * The OpenAPI 3.0.3 edition of our document, for tools that do not read 3.1. It converts what our document uses, which
 * is little: types with null, examples of schemas, and two members of `info`. The rest is valid in both.
 */
export function toOpenApi30(document: object): Json {
  const { openapi: _, info, components, paths, ...rest } = document as Json
  const { summary: __, license, ...plainInfo } = info as Json
  const { schemas, ...parts } = components as Json
  const { identifier, ...plainLicense } = license as Json
  return {
    openapi: '3.0.3',
    info: {
      ...plainInfo,
      license: { ...plainLicense, url: `https://spdx.org/licenses/${String(identifier)}.html` },
    },
    ...rest,
    paths: convertSchemas(paths),
    components: { ...(convertSchemas(parts) as Json), schemas: mapValues(schemas as Json, convertSchema) },
  }
}

/** Finds the schemas of a part of the document, which are always the member `schema`; values of examples are data. */
function convertSchemas(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(convertSchemas)
  if (!isRecord(part)) return part
  return mapValues(part, (value, name) => {
    if (name === 'schema') return convertSchema(value)
    return name === 'example' || name === 'examples' ? value : convertSchemas(value)
  })
}

function convertSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const { type, examples, properties, items, ...rest } = schema
  return {
    ...(type === undefined ? {} : convertType(type)),
    ...rest,
    ...(Array.isArray(examples) ? { example: examples[0] as unknown } : {}),
    ...(isRecord(properties) ? { properties: mapValues(properties, convertSchema) } : {}),
    ...(items === undefined ? {} : { items: convertSchema(items) }),
  }
}

/** `null` is not a type of 3.0, but a property of a schema with another type. */
function convertType(type: unknown): Json {
  if (!Array.isArray(type)) return { type }
  const [only, ...others] = type.filter((one) => one !== 'null') as readonly unknown[]
  if (others.length > 0) throw new Error('A schema of several types has no form in OpenAPI 3.0')
  return type.includes('null') ? { type: only, nullable: true } : { type: only }
}

function mapValues(object: Json, convert: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, convert(value, name)]))
}
