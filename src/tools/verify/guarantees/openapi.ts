import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { recordFields } from '../../../client/records.js'
import { basePath } from '../caller.js'
import { describe, isFromProxy, isObject, isProblem, readMediaType, toObject } from '../exchange.js'
import type { Exchange, Json } from '../exchange.js'
import type { Check, Checks, Rule, Run } from '../run.js'

/**
 * What is wrong with an answer by a schema of the document; an empty text if nothing is. Formats are guarantees of their
 * own, and the words of OpenAPI are none of JSON Schema.
 */
function createValidate(document: Json): (schema: Json, answer: unknown) => string {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  const components = { schemas: closeObjects(toObject(document['components'])['schemas']) }
  const compiled = new Map<Json, ValidateFunction>()
  return (schema, answer) => {
    // The schemas refer to each other by their place in the document.
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components })
    compiled.set(schema, validate)
    if (validate(answer)) return ''
    return ajv.errorsText(validate.errors?.slice(0, 2), { dataVar: 'answer' })
  }
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
const documentSchema = {
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', pattern: String.raw`^3\.1\.\d+$` },
    info: {
      required: ['title', 'version'],
      properties: { title: { type: 'string' }, version: { type: 'string' } },
    },
    paths: {
      additionalProperties: {
        required: ['get'],
        properties: {
          get: {
            required: ['responses'],
            properties: {
              // No range such as 4XX.
              responses: { required: ['200'], propertyNames: { pattern: String.raw`^(?:\d{3}|default)$` } },
            },
          },
        },
      },
    },
    components: {
      properties: {
        schemas: { additionalProperties: { $ref: 'https://json-schema.org/draft/2020-12/schema' } },
      },
    },
  },
}

/** The document, the addresses in it, the routes and parameters that exist, and the fields of the contract. */
const checkOpenapi: Check = (run) => {
  const { verdict } = run
  const exchange = run.document
  const isDocument = exchange.status === 200 && isObject(exchange.json)
  const expected = '200 with the OpenAPI document, without a key'
  if (!verdict.expect(isDocument, exchange, describe(exchange), expected)) return
  const document = toObject(exchange.json)
  const ajv = new Ajv2020({ strict: false })
  const isValid = ajv.validate(documentSchema, document)
  const got = ajv.errorsText(ajv.errors, { dataVar: 'document' })
  verdict.expectAll(exchange, [
    [isValid, got, 'a document of OpenAPI 3.1'],
    ...listServerRules(run, document),
    ...listRouteRules(run, document),
  ])
}

/** The address that was given, or the one of PUBLIC_URL, which the type of every problem begins with too. */
function listServerRules({ caller, document: { url } }: Run, { servers }: Json): readonly Rule[] {
  const types = caller.exchanges.filter(isProblem).map(({ json }) => toObject(json)['type'])
  const allowed = [url, ...types.map((type) => new URL(String(type), url).href)]
    .map((one) => one.replace(/\/(?:api\/public\/v1|docs)\/.*$/, ''))
    .map((one) => `${one}${basePath}`)
  const urls = (Array.isArray(servers) ? servers : []).map((one) => String(toObject(one)['url']))
  return (urls.length === 0 ? ['(none)'] : urls).map((one) => {
    const isAllowed = URL.canParse(one, url) && allowed.includes(new URL(one, url).href)
    return [isAllowed, `the server ${one}`, [...new Set(allowed)].join(' or ')]
  })
}

const listParameters = 'cursor, eventId, limit, status, updatedSince'

/** A collection is in the document exactly if it is served, with the parameters and the fields of the contract. */
function listRouteRules({ collections }: Run, document: Json): readonly Rule[] {
  const paths = toObject(document['paths'])
  return collections.flatMap(({ name, path, access }): readonly Rule[] => {
    if (access.key === 'broken') return []
    const isServed = access.key !== 'absent'
    const routes = [path, `${path}/{id}`].map((one): Rule => [
      one in paths === isServed,
      `${one in paths ? '' : 'no '}path ${one}`,
      `${name}: ${access.key ?? ''}`,
    ])
    if (!isServed || routes.some(([isMet]) => !isMet)) return routes
    const parameters = readParameters(document, paths[path])
    const fields = Object.keys(recordFields[name])
    return [
      ...routes,
      [parameters === listParameters, `the parameters ${parameters} of ${path}`, listParameters],
      ...listProperties(document, paths[`${path}/{id}`]).map((one): Rule => [
        fields.includes(one),
        `the field ${one} of ${name}`,
        `only ${fields.join(', ')}`,
      ]),
    ]
  })
}

/** The properties of the record of a path, as the document has them. */
function listProperties(document: Json, path: unknown): readonly string[] {
  const { 200: answer } = toObject(toObject(toObject(path)['get'])['responses'])
  const { content } = resolve(document, answer)
  return listSchemaProperties(document, toObject(toObject(content)['application/json'])['schema'])
}

function listSchemaProperties(document: Json, part: unknown): readonly string[] {
  const { properties, allOf } = resolve(document, part)
  const parts: readonly unknown[] = Array.isArray(allOf) ? allOf : []
  const inherited = parts.flatMap((one) => listSchemaProperties(document, one))
  return [...Object.keys(toObject(properties)), ...inherited]
}

function readParameters(document: Json, path: unknown): string {
  const { parameters } = toObject(toObject(path)['get'])
  const all = (Array.isArray(parameters) ? parameters : []).map((one) => resolve(document, one))
  const names = all.flatMap((one) => (one['in'] === 'query' ? [String(one['name'])] : []))
  return names.sort().join(', ')
}

/** A part of the document, or the one that it refers to. */
function resolve(document: Json, part: unknown): Json {
  const { $ref } = toObject(part)
  if (typeof $ref !== 'string') return toObject(part)
  return $ref
    .split('/')
    .slice(1)
    .reduce((found, name) => toObject(found[name]), document)
}

/** Status, media type, headers and body of every answer of the run that the document describes. */
const checkOpenapiAnswers: Check = ({ caller, verdict, document: { json } }) => {
  const document = toObject(json)
  const validate = createValidate(document)
  for (const exchange of caller.exchanges) {
    const response = findResponse(document, exchange)
    if (response === undefined) continue
    if (response === 'undocumented') {
      verdict.expect(false, exchange, describe(exchange), 'a status that the document has')
      continue
    }
    const missing = listRequiredHeaders(document, response).filter((name) => !(name in exchange.headers))
    const lacking = `${describe(exchange)} without ${missing.join(', ')}`
    const headers = 'the headers that the document has as required'
    verdict.expect(missing.length === 0, exchange, lacking, headers)
    if (exchange.json === undefined) continue
    const type = readMediaType(exchange.headers)
    const content = toObject(response['content'])
    if (!verdict.expect(type in content, exchange, type, Object.keys(content).join())) continue
    const got = validate(toObject(toObject(content[type])['schema']), exchange.json)
    verdict.expect(got === '', exchange, got, 'an answer that is valid by the document')
  }
}

/** What the document says about an answer; undefined for requests that it does not describe. */
function findResponse(document: Json, exchange: Exchange): Json | 'undocumented' | undefined {
  const { call, status } = exchange
  if (call.below === 'root' || (call.method ?? 'GET') !== 'GET' || (status >= 400 && isFromProxy(exchange)))
    return undefined
  const template = call.path.replace(/^(\/(?:registrations|invoices)\/)[^/]+$/, '$1{id}')
  const { responses } = toObject(toObject(toObject(document['paths'])[template])['get'])
  if (!isObject(responses)) return undefined
  const response = responses[String(status)] ?? responses['default']
  return response === undefined ? 'undocumented' : resolve(document, response)
}

/** In lower case. */
function listRequiredHeaders(document: Json, response: Json): readonly string[] {
  return Object.entries(toObject(response['headers']))
    .filter(([, header]) => resolve(document, header)['required'] === true)
    .map(([name]) => name.toLowerCase())
}

/** The document itself, and whether the answers match it. */
export const openapiChecks: Checks = {
  openapi: checkOpenapi,
  'openapi-answers': checkOpenapiAnswers,
}
