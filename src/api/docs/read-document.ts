import { problems } from '../../errors.js'
import type { ProblemCode } from '../../errors.js'

/** What the documentation shows of the OpenAPI document. */
export interface Reference {
  readonly version: string
  readonly summary: string
  readonly operations: readonly Operation[]
}

/** One operation. */
export interface Operation {
  readonly id: string
  /** The name of its collection. */
  readonly tag: string
  readonly title: string
  readonly description: string
  /** Without the part before the version, such as `/registrations/{id}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly success: Success
  readonly errors: readonly ErrorExample[]
}

/** A problem that an operation can answer, with an example of its body. */
export interface ErrorExample {
  readonly code: ProblemCode
  readonly example: unknown
}

/** A parameter of the path, of the query or of a header. */
export interface Parameter extends Field {
  readonly in: string
  readonly required: boolean
}

/** A value with its description. */
export interface Field {
  readonly name: string
  readonly description: string
  /** Of a parameter; every field of an answer is always there. */
  readonly required?: boolean
  readonly schema: Schema
}

/** The answer with the status 200. */
export interface Success {
  readonly schema: Schema
  readonly fields: readonly Field[]
  /** The fields of one record, if the answer is a page of records. */
  readonly recordFields: readonly Field[]
  readonly headers: readonly Field[]
  readonly example: unknown
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
  readonly examples?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** What the document of this service always has; see `openapi.yaml`. */
interface Document {
  readonly info: { readonly version: string; readonly summary: string }
  readonly paths: Readonly<Record<string, { readonly get: RawOperation }>>
}

interface RawOperation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, RawResponse>> & { readonly 200: RawSuccess }
}

interface RawResponse {
  readonly headers: Readonly<Record<string, Omit<Field, 'name'>>>
  readonly content?: Readonly<Record<string, RawContent>>
}

interface RawSuccess extends RawResponse {
  readonly content: { readonly 'application/json': RawContent }
}

interface RawContent {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** Reads the operations that need a key, in the order of the document. */
export function readDocument(document: object): Reference {
  const { info, paths } = resolveRefs(document, document) as Document
  return {
    version: info.version,
    summary: info.summary,
    operations: Object.entries(paths).flatMap(([path, { get }]) =>
      get.security?.length === 0 ? [] : [readOperation(path, get)],
    ),
  }
}

/** A copy in which each reference is replaced by what it refers to. No schema of the document contains itself. */
function resolveRefs(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveRefs(one, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Readonly<Record<string, unknown>>
  const own = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, resolveRefs(one, document)]))
  if (typeof $ref !== 'string') return own
  return { ...(resolveRefs(findTarget($ref, document), document) as object), ...own }
}

/** @param ref a JSON pointer into the document, such as `#/components/schemas/Problem`. */
function findTarget(ref: string, document: unknown): unknown {
  const names = ref.split('/').slice(1)
  return names.reduce((found, name) => (found as Readonly<Record<string, unknown>>)[name], document)
}

function readOperation(path: string, raw: RawOperation): Operation {
  return {
    id: raw.operationId,
    tag: raw.tags[0],
    title: raw.summary,
    description: raw.description,
    path,
    parameters: raw.parameters,
    success: readSuccess(raw.responses[200]),
    errors: readErrors(raw.responses),
  }
}

function readSuccess({ headers, content }: RawSuccess): Success {
  const { schema, example, examples = {} } = content['application/json']
  return {
    schema,
    fields: readFields(schema),
    recordFields: readFields(schema.properties?.['data']?.items),
    headers: Object.entries(headers).map(([name, { description, schema }]) => ({
      name,
      description,
      schema,
    })),
    example: example ?? Object.values(examples)[0]?.value,
  }
}

/** The fields of an object; those of `meta` with their path. */
function readFields(schema: Schema = {}): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (field.properties !== undefined)
      return readFields(field).map((inner) => ({ ...inner, name: `${name}.${inner.name}` }))
    return [{ name, description: field.description ?? '', schema: field }]
  })
}

/** The problems whose examples the responses show, in the order of the table of codes. */
function readErrors(responses: Readonly<Record<string, RawResponse>>): readonly ErrorExample[] {
  const examples = Object.fromEntries(
    Object.values(responses).flatMap(({ content }) =>
      Object.entries(content?.['application/problem+json']?.examples ?? {}),
    ),
  )
  return (Object.keys(problems) as ProblemCode[]).flatMap((code) =>
    code in examples ? [{ code, example: examples[code]?.value }] : [],
  )
}
