import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { describe, isObject, readMediaType, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import type { Check, Run } from '../run.js'
import { isFromProxy } from './problems.js'

/** Where the document is among the schemas. */
const documentId = 'https://vitrine.invalid/openapi.json'

/** Formats are guarantees of their own, and the words of OpenAPI are none of JSON Schema. */
function createAjv(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  const components = { ...toObject(document['components']), schemas: closeObjects(readSchemas(document)) }
  ajv.addSchema({ ...document, components, $id: documentId })
  return ajv
}

/** The same schemas, where objects have no other properties than the document names: an answer must not have more. */
function closeObjects(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeObjects)
  if (!isObject(part)) return part
  const closed = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closeObjects(value)]))
  const isClosed = 'additionalProperties' in part || 'unevaluatedProperties' in part
  const isPlain = isObject(part['properties']) && part['type'] === 'object'
  return isPlain && !isClosed ? { ...closed, additionalProperties: false } : closed
}

/** What OpenAPI 3.1 and the contract ask of the document itself. */
export const checkOpenapi: Check = (run, verdict) => {
  const exchange = run.document
  const isDocument = exchange.status === 200 && isObject(exchange.json)
  const expected = '200 with the OpenAPI document, without a key'
  if (!verdict.expect(isDocument, { exchange, got: describe(exchange), expected })) return
  const document = toObject(exchange.json)
  const differences = [
    ...listHeadDifferences(document),
    ...listReferenceDifferences(document),
    ...listSchemaDifferences(document),
    ...listOperationDifferences(document),
    ...listRouteDifferences(run, document),
    ...listParameterDifferences(run, document),
  ]
  for (const [got, wanted] of differences) verdict.expect(false, { exchange, got, expected: wanted })
}

type Differences = readonly (readonly [got: string, expected: string])[]

function listHeadDifferences({ openapi, info }: Json): Differences {
  const { title, version } = toObject(info)
  return [
    ...(/^3\.1\.\d+$/.test(String(openapi)) ? [] : [[`openapi ${JSON.stringify(openapi)}`, '3.1'] as const]),
    ...(typeof title === 'string' && typeof version === 'string'
      ? []
      : [['info without title or version', 'both'] as const]),
  ]
}

function listReferenceDifferences(document: Json): Differences {
  return [...new Set(listRefs(document))]
    .filter((ref) => resolve(document, ref) === undefined)
    .map((ref) => [`the reference ${ref} to nothing`, 'references to what there is'])
}

function listSchemaDifferences(document: Json): Differences {
  return Object.entries(readSchemas(document)).flatMap(([name, schema]) => {
    const problem = findSchemaProblem(schema)
    return problem === undefined
      ? []
      : [[`the schema ${name}: ${problem}`, 'a schema of JSON Schema 2020-12'] as const]
  })
}

function listOperationDifferences(document: Json): Differences {
  return Object.entries(toObject(document['paths'])).flatMap(([path, item]) => {
    const responses = toObject(toObject(toObject(item)['get'])['responses'])
    const ranges = Object.keys(responses).filter((status) => !/^(?:\d{3}|default)$/.test(status))
    return [
      ...(isObject(responses['200'])
        ? []
        : [[`${path} without get and its 200`, 'GET with its responses'] as const]),
      ...ranges.map((status) => [`${path} with the response ${status}`, 'no range such as 4XX'] as const),
    ]
  })
}

/** A collection is in the document exactly if it is served. */
function listRouteDifferences({ collections }: Run, document: Json): Differences {
  const paths = toObject(document['paths'])
  return collections.flatMap(({ name, path, access }) => {
    if (access === 'broken') return []
    const isServed = access !== 'absent'
    return [path, `${path}/{id}`]
      .filter((one) => one in paths !== isServed)
      .map(
        (one) =>
          [`${one in paths ? '' : 'no '}path ${one}`, `${name} are ${isServed ? '' : 'not '}served`] as const,
      )
  })
}

const listParameters = ['cursor', 'eventId', 'limit', 'status', 'updatedSince']

/** The document has the parameters that lists take. */
function listParameterDifferences({ collections }: Run, document: Json): Differences {
  return collections.flatMap(({ path }) => {
    const { parameters } = toObject(toObject(toObject(document['paths'])[path])['get'])
    if (!Array.isArray(parameters)) return []
    const names = parameters
      .map((one) => toObject(one))
      .map((one) => (typeof one['$ref'] === 'string' ? toObject(resolve(document, one['$ref'])) : one))
      .flatMap((one) => (one['in'] === 'query' ? [String(one['name'])] : []))
      .sort()
      .join(', ')
    const expected = listParameters.join(', ')
    return names === expected ? [] : [[`the parameters ${names} of ${path}`, expected] as const]
  })
}

function findSchemaProblem(schema: unknown): string | undefined {
  if (!isObject(schema)) return 'no object'
  const ajv = new Ajv2020({ strict: false })
  return ajv.validateSchema(schema) === true ? undefined : ajv.errorsText(ajv.errors)
}

function readSchemas(document: Json): Json {
  return toObject(toObject(document['components'])['schemas'])
}

/** Every reference in a part of the document; those in examples are no references. */
function listRefs(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(listRefs)
  if (!isObject(part)) return []
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'example' || name === 'examples') return []
    return name === '$ref' && typeof value === 'string' ? [value] : listRefs(value)
  })
}

/** What a local reference leads to. */
function resolve(document: Json, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((part, name) => toObject(part)[name], document)
}

/** Status, media type, headers and body of every answer of the run that the document describes. */
export const checkOpenapiAnswers: Check = (run, verdict) => {
  const document = toObject(run.document.json)
  const ajv = createAjv(document)
  const compiled = new Map<string, ValidateFunction>()
  for (const exchange of run.caller.exchanges) {
    const response = findResponse(document, exchange)
    if (response === undefined) continue
    if (response === 'undocumented') {
      const expected = 'a status that the document has for this path'
      verdict.expect(false, { exchange, got: describe(exchange), expected })
      continue
    }
    const { description, pointer, value } = response
    const missing = listRequiredHeaders(document, value).filter(
      (name) => exchange.headers[name] === undefined,
    )
    verdict.expect(missing.length === 0, {
      exchange,
      got: `${describe(exchange)} without ${missing.join(', ')}`,
      expected: `the headers that ${description} documents as required`,
    })
    const type = readMediaType(exchange.headers)
    if (exchange.json === undefined) continue
    if (
      !verdict.expect(type in toObject(value['content']), {
        exchange,
        got: type,
        expected: `a media type of ${description}`,
      })
    )
      continue
    const schema = `${pointer}/content/${type.replaceAll('/', '~1')}/schema`
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `${documentId}#${schema}` })
    compiled.set(schema, validate)
    const isValid = validate(exchange.json)
    const got = ajv.errorsText((validate.errors ?? []).slice(0, 2), { dataVar: 'answer' })
    verdict.expect(isValid, {
      exchange,
      got,
      expected: `an answer that is valid by ${description} of the document`,
    })
  }
}

interface DocumentedResponse {
  /** For people: `200 of /invoices`. */
  readonly description: string
  /** JSON pointer of the response itself. */
  readonly pointer: string
  readonly value: Json
}

/** What the document says about an answer; undefined for requests that it does not describe. */
function findResponse(document: Json, exchange: Exchange): DocumentedResponse | 'undocumented' | undefined {
  const { call, status } = exchange
  if (call.below === 'root' || (call.method ?? 'GET') !== 'GET' || (status >= 400 && isFromProxy(exchange)))
    return undefined
  const template = call.path.replace(/^(\/(?:registrations|invoices)\/)[^/]+$/, '$1{id}')
  const { responses } = toObject(toObject(toObject(document['paths'])[template])['get'])
  if (!isObject(responses)) return undefined
  const key = String(status) in responses ? String(status) : 'default'
  const value = responses[key]
  if (!isObject(value)) return 'undocumented'
  const { $ref } = value
  const description = `${key} of ${template}`
  if (typeof $ref === 'string')
    return { description, pointer: $ref.slice(1), value: toObject(resolve(document, $ref)) }
  const pointer = ['paths', template, 'get', 'responses', key]
    .map((name) => `/${name.replaceAll('/', '~1')}`)
    .join('')
  return { description, pointer: encodeURI(pointer), value }
}

/** In lower case. */
function listRequiredHeaders(document: Json, response: Json): readonly string[] {
  return Object.entries(toObject(response['headers'])).flatMap(([name, header]) => {
    const { $ref } = toObject(header)
    const { required } = toObject(typeof $ref === 'string' ? resolve(document, $ref) : header)
    return required === true ? [name.toLowerCase()] : []
  })
}
