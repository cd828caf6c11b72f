import { problems } from '../../problems.js'
import type { ProblemCode } from '../../problems.js'

/** What the documentation shows of the OpenAPI document. */
export interface Reference {
  readonly version: string
  readonly summary: string
  readonly operations: readonly Operation[]
}

/** An operation that needs a key. */
export interface Operation {
  readonly id: string
  /** The name of its collection. */
  readonly tag: string
  readonly title: string
  readonly description: string
  /** Without the part before the version, such as `/registrations/{id}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Of the answer with the status 200. */
  readonly schema: Schema
  readonly headers: readonly Field[]
  readonly example: unknown
  /** The problems that it can answer, each with a body, in the order of the table of codes. */
  readonly errors: readonly (readonly [code: ProblemCode, example: unknown])[]
}

/** A value with its description. */
export interface Field {
  readonly name: string
  readonly description: string
  /** Of a parameter; every field of an answer is always there. */
  readonly required?: boolean
  readonly schema: Schema
}

/** A parameter of the path, of the query or of a header. */
export interface Parameter extends Field {
  readonly in: string
}

/** The keywords of JSON Schema that the documentation shows. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly description?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** An operation of the document of this service; see `openapi.yaml`. */
interface RawOperation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, RawResponse>>
}

interface RawResponse {
  readonly headers: Readonly<Record<string, Omit<Field, 'name'>>>
  readonly content?: Readonly<Record<string, { schema: Schema; example?: unknown; examples?: RawExamples }>>
}

type RawExamples = Readonly<Record<string, { readonly value: unknown }>>

/** Reads the operations that need a key, in the order of the document. */
export function readDocument(document: object): Reference {
  const { info, paths } = resolveRefs(document, document) as {
    readonly info: Omit<Reference, 'operations'>
    readonly paths: Readonly<Record<string, { readonly get: RawOperation }>>
  }
  const keyed = Object.entries(paths).filter(([, { get }]) => get.security?.length !== 0)
  return { ...info, operations: keyed.map(([path, { get }]) => readOperation(path, get)) }
}

/** A copy in which each reference is replaced by what it refers to. No schema of the document contains itself. */
function resolveRefs(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveRefs(one, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Readonly<Record<string, unknown>>
  const own = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, resolveRefs(one, document)]))
  if (typeof $ref !== 'string') return own
  // A JSON pointer into the document, such as `#/components/schemas/Problem`.
  const [, ...names] = $ref.split('/')
  const target = names.reduce((found, name) => Reflect.get(found as object, name) as unknown, document)
  return { ...(resolveRefs(target, document) as object), ...own }
}

function readOperation(path: string, { operationId, tags, summary, ...raw }: RawOperation): Operation {
  const { 200: success, ...others } = raw.responses
  const { schema = {}, example, examples = {} } = success?.content?.['application/json'] ?? {}
  const bodies = Object.values(others).map(({ content }) => content?.['application/problem+json']?.examples)
  const found = Object.fromEntries(bodies.flatMap((examples = {}) => Object.entries(examples)))
  return {
    id: operationId,
    tag: tags[0],
    title: summary,
    description: raw.description,
    path,
    parameters: raw.parameters,
    schema,
    headers: Object.entries(success?.headers ?? {}).map(([name, header]) => ({ name, ...header })),
    example: example ?? Object.values(examples)[0]?.value,
    errors: (Object.keys(problems) as ProblemCode[]).flatMap((code) =>
      code in found ? [[code, found[code]?.value] as const] : [],
    ),
  }
}

/** The fields of an object; those of an inner object with their path. */
export function readFields({ properties = {} }: Schema = {}): readonly Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (schema.properties === undefined) return [{ name, description: schema.description ?? '', schema }]
    return readFields(schema).map((inner) => ({ ...inner, name: `${name}.${inner.name}` }))
  })
}
