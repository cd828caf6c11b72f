import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { describe, isFromProxy, isObject, readMediaType, toObject } from '../answer.js'
import type { Exchange, Json } from '../answer.js'
import { guarantee } from '../run.js'
import type { Check, Run } from '../run.js'
import { isTimestamp } from './records.js'

/** A member of a member, and so on; an empty object where there is none. */
function read(part: unknown, ...names: readonly string[]): Json {
  return names.reduce<Json>((found, name) => toObject(found[name]), toObject(part))
}

/** A part of the document, or the one that it refers to. */
function resolve(document: Json, part: unknown): Json {
  const { $ref } = toObject(part)
  return typeof $ref === 'string' ? read(document, ...$ref.split('/').slice(1)) : toObject(part)
}

/** The same schemas, where objects have no other properties than the document names: an answer must not have more. */
function closeObjects(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeObjects)
  if (!isObject(part)) return part
  const closed = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closeObjects(value)]))
  const isOpen =
    part['type'] === 'object' &&
    isObject(part['properties']) &&
    !/ditionalP|uatedP/.test(Object.keys(part).join())
  return isOpen ? { ...closed, additionalProperties: false } : closed
}

/** What is wrong with an answer by a schema of the document; an empty text if nothing is. */
function createValidate(document: Json): (schema: Json, answer: unknown) => string {
  // The words of OpenAPI are none of JSON Schema.
  const formats = { 'date-time': isTimestamp, 'uri-reference': true, int32: true, int64: true } as const
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats })
  const components = { schemas: closeObjects(read(document, 'components', 'schemas')) }
  const compiled = new Map<Json, ValidateFunction>()
  return (schema, answer) => {
    // The schemas refer to each other by their place in the document.
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components })
    compiled.set(schema, validate)
    return validate(answer) ? '' : ajv.errorsText(validate.errors?.slice(0, 2), { dataVar: 'answer' })
  }
}

/** The document, the address in it, and the routes that exist: a collection is in it exactly if it is served. */
const checkOpenapi: Check = (run) => {
  const { document: exchange, collections } = run.session
  const document = toObject(exchange.json)
  const isDocument = exchange.status === 200 && /^3\.1\.\d+$/.test(String(document['openapi']))
  if (!run.expect(isDocument, exchange, describe(exchange), '200 with a document of OpenAPI 3.1')) return
  for (const { name, path, access } of collections)
    if (access.key !== 'broken')
      for (const one of [path, `${path}/{id}`]) {
        const isThere = one in toObject(document['paths'])
        const got = `${isThere ? '' : 'no '}path ${one}`
        run.expect(isThere === (access.key !== 'absent'), exchange, got, `${name}: ${access.key ?? ''}`)
      }
  warnOfServers(run, document)
}

/** Callers and generated clients use this address; a proxy that answers at another one is not wrong by itself. */
function warnOfServers(run: Run, { servers }: Json): void {
  const { document: exchange } = run.session
  const asked = exchange.url.replace(/\/openapi\.json$/, '')
  const urls = Array.isArray(servers) ? servers.map((one) => String(toObject(one)['url'])) : []
  if (urls.some((one) => URL.canParse(one, exchange.url) && new URL(one, exchange.url).href === asked)) return
  const got = `the server ${urls.join(', ') || '(none)'}`
  run.warn(exchange, got, `${asked}; PUBLIC_URL is the address that callers use`)
}

/** Status, media type, headers and body of every answer of the run that the document describes. */
const checkAnswers: Check = (run) => {
  const document = toObject(run.session.document.json)
  const validate = createValidate(document)
  for (const exchange of run.exchanges) {
    const found = findResponse(document, exchange)
    if (found === undefined) continue
    const { content, headers } = resolve(document, found)
    const missing = Object.entries(toObject(headers))
      .filter(([, header]) => resolve(document, header)['required'] === true)
      .map(([name]) => name.toLowerCase())
      .filter((name) => !(name in exchange.headers))
    const type = readMediaType(exchange)
    const isBare = exchange.json === undefined
    const wrong = isBare ? '' : validate(read(content, type, 'schema'), exchange.json)
    run.expectAll(exchange, [
      [found !== null, describe(exchange), 'a status that the document has'],
      [missing.length === 0, `no ${missing.join(', ')}`, 'the headers that the document requires'],
      [
        isBare || content === undefined || type in toObject(content),
        type,
        Object.keys(toObject(content)).join(),
      ],
      [wrong === '', wrong, 'an answer that is valid by the document'],
    ])
  }
}

/** What the document says about an answer, or null; undefined for requests that it does not describe. */
function findResponse(document: Json, exchange: Exchange): Json | null | undefined {
  const { call, status } = exchange
  if ((call.method ?? 'GET') !== 'GET' || isFromProxy(exchange)) return undefined
  const template = call.path.replace(/^(\/(?:registrations|invoices)\/)[^/]+$/, '$1{id}')
  const { responses } = read(document, 'paths', template, 'get')
  if (!isObject(responses)) return undefined
  const response = responses[String(status)] ?? responses['default']
  return isObject(response) ? response : null
}

/** The document itself, and whether the answers match it: fields of records, and members of problems. */
export const openapiGuarantees = [
  guarantee('openapi', 'The OpenAPI document has the routes that exist', checkOpenapi),
  guarantee('openapi-answers', 'Records, problems and headers are as the document has them', checkAnswers),
]
