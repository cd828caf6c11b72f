import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { basePath } from '../caller.js'
import { describe, isFromProxy, isObject, isProblem, readMediaType, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import { defineGuarantee, defineLast } from '../run.js'
import type { Check, Guarantee, Run } from '../run.js'

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
const checkOpenapi: Check = (run, verdict) => {
  const exchange = run.document
  const isDocument = exchange.status === 200 && isObject(exchange.json)
  const expected = '200 with the OpenAPI document, without a key'
  if (!verdict.expect(isDocument, { exchange, got: describe(exchange), expected })) return
  const document = toObject(exchange.json)
  const differences = [
    ...listHeadDifferences(document),
    ...listServerDifferences(run, document),
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
  const isVersion = /^3\.1\.\d+$/.test(String(openapi))
  const isInfo = typeof title === 'string' && typeof version === 'string'
  return [
    ...(isVersion ? [] : [[`openapi ${JSON.stringify(openapi)}`, '3.1'] as const]),
    ...(isInfo ? [] : [['info without title or version', 'both'] as const]),
  ]
}

/** The address that was given, or the one of PUBLIC_URL, which the type of every problem begins with too. */
function listServerDifferences({ caller, document: { url } }: Run, { servers }: Json): Differences {
  const types = caller.exchanges.filter(isProblem).map(({ json }) => toObject(json)['type'])
  const allowed = [url, ...types.map((type) => new URL(String(type), url).href)]
    .map((one) => one.replace(/\/(?:api\/public\/v1|docs)\/.*$/, ''))
    .map((one) => `${one}${basePath}`)
  const urls = (Array.isArray(servers) ? servers : []).map((one) => String(toObject(one)['url']))
  return (urls.length === 0 ? ['(none)'] : urls)
    .filter((one) => !URL.canParse(one, url) || !allowed.includes(new URL(one, url).href))
    .map((one) => [`the server ${one}`, [...new Set(allowed)].join(' or ')])
}

function listReferenceDifferences(document: Json): Differences {
  return [...new Set(listRefs(document))]
    .filter((ref) => resolve(document, ref) === undefined)
    .map((ref) => [`the reference ${ref} to nothing`, 'references to what there is'])
}

function listSchemaDifferences(document: Json): Differences {
  const ajv = new Ajv2020({ strict: false })
  return Object.entries(readSchemas(document)).flatMap(([name, schema]) => {
    if (isObject(schema) && ajv.validateSchema(schema) === true) return []
    const problem = isObject(schema) ? ajv.errorsText(ajv.errors) : 'no object'
    return [[`the schema ${name}: ${problem}`, 'a schema of JSON Schema 2020-12'] as const]
  })
}

function listOperationDifferences(document: Json): Differences {
  return Object.entries(toObject(document['paths'])).flatMap(([path, item]) => {
    const responses = toObject(toObject(toObject(item)['get'])['responses'])
    const ranges = Object.keys(responses).filter((status) => !/^(?:\d{3}|default)$/.test(status))
    const isGet = isObject(responses['200'])
    return [
      ...(isGet ? [] : [[`${path} without get and its 200`, 'GET with its responses'] as const]),
      ...ranges.map((status) => [`${path} with the response ${status}`, 'no range such as 4XX'] as const),
    ]
  })
}

/** A collection is in the document exactly if it is served. */
function listRouteDifferences({ collections }: Run, document: Json): Differences {
  const paths = toObject(document['paths'])
  return collections.flatMap(({ name, path, access }) => {
    if (access.key === 'broken') return []
    const isServed = access.key !== 'absent'
    const expected = `${name} are ${isServed ? '' : 'not '}served`
    return [path, `${path}/{id}`]
      .filter((one) => one in paths !== isServed)
      .map((one) => [`${one in paths ? '' : 'no '}path ${one}`, expected] as const)
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
const checkOpenapiAnswers: Check = (run, verdict) => {
  const document = toObject(run.document.json)
  const ajv = createAjv(document)
  const compiled = new Map<string, ValidateFunction>()
  for (const exchange of run.caller.exchanges) {
    const response = findResponse(document, exchange)
    if (response === undefined) continue
    if (response === 'undocumented') {
      verdict.add({ exchange, got: describe(exchange), expected: 'a status that the document has' })
      continue
    }
    const { description, pointer, value } = response
    const missing = listRequiredHeaders(document, value).filter(
      (name) => exchange.headers[name] === undefined,
    )
    const lacking = `${describe(exchange)} without ${missing.join(', ')}`
    const headers = `the headers that ${description} documents as required`
    verdict.expect(missing.length === 0, { exchange, got: lacking, expected: headers })
    if (exchange.json === undefined) continue
    const type = readMediaType(exchange.headers)
    const isKnown = type in toObject(value['content'])
    if (!verdict.expect(isKnown, { exchange, got: type, expected: `a media type of ${description}` }))
      continue
    const schema = `${pointer}/content/${type.replaceAll('/', '~1')}/schema`
    const validate = compiled.get(schema) ?? ajv.compile({ $ref: `${documentId}#${schema}` })
    compiled.set(schema, validate)
    const isValid = validate(exchange.json)
    const got = ajv.errorsText((validate.errors ?? []).slice(0, 2), { dataVar: 'answer' })
    verdict.expect(isValid, { exchange, got, expected: `an answer that is valid by ${description}` })
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

/** The document itself, and whether the answers match it. */
export const openapiGuarantees: readonly Guarantee[] = [
  defineGuarantee('openapi', 'The OpenAPI document is valid and has the routes that exist', checkOpenapi),
  defineLast('openapi-answers', 'Answers match the OpenAPI document', checkOpenapiAnswers),
]
