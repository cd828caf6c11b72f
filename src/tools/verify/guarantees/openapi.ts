import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { describe, isFromProxy, isObject, readMediaType, toObject } from '../answer.js'
import type { Exchange, Json } from '../answer.js'
import { toAccess } from '../run.js'
import type { Check, Guarantee, Run } from '../run.js'

/** The document, the address in it, and the routes that exist: a collection is in it exactly if it is served. */
const checkOpenapi: Check = (run) => {
  const { document: exchange, collections } = run.session
  const document = toObject(exchange.json)
  const isDocument = exchange.status === 200 && /^3\.1\.\d+$/.test(String(document['openapi']))
  run.expect(exchange, [isDocument, describe(exchange), '200 with a document of OpenAPI 3.1'])
  for (const { name, path, firsts } of isDocument ? collections : []) {
    const access = toAccess(firsts.key)
    for (const one of access === 'broken' ? [] : [path, `${path}/{id}`]) {
      const isThere = one in toObject(document['paths'])
      const got = `${isThere ? '' : 'no '}path ${one}`
      run.expect(exchange, [isThere === (access !== 'absent'), got, `${name}: ${access}`])
    }
  }
  if (isDocument) warnOfServers(run, document)
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

/** A part of a part of the document, and so on, through references; an empty object where there is none. */
function read(document: Json, part: unknown, ...names: readonly string[]): Json {
  const { $ref } = toObject(part)
  const found =
    typeof $ref === 'string' ? read(document, document, ...$ref.split('/').slice(1)) : toObject(part)
  const [name, ...rest] = names
  return name === undefined ? found : read(document, found[name], ...rest)
}

/** A timestamp of the contract, which has three fractional digits and no offset. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What is wrong with an answer by a schema of the document; an empty text if nothing is. */
function createValidate({ components }: Json): (schema: Json, answer: unknown) => string {
  // The words of OpenAPI are none of JSON Schema.
  const formats = { 'date-time': timestamp, 'uri-reference': true, int32: true, int64: true } as const
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats })
  const compiled = new Map<Json, ValidateFunction>()
  return (schema, answer) => {
    // The schemas refer to each other by their place in the document.
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components })
    compiled.set(schema, validate)
    return validate(answer) ? '' : ajv.errorsText(validate.errors?.slice(0, 2), { dataVar: 'answer' })
  }
}

/** Status, media type, headers and body of every answer of the run that the document describes. */
const checkAnswers: Check = (run) => {
  const document = toObject(run.session.document.json)
  const validate = createValidate(document)
  for (const exchange of run.exchanges) {
    const responses = findResponses(document, exchange)
    if (responses === undefined) continue
    const response = responses[String(exchange.status)] ?? responses['default']
    const { content, headers } = read(document, response)
    const missing = Object.entries(toObject(headers)).flatMap(([name, header]) => {
      const { required } = read(document, header)
      return required === true && !(name.toLowerCase() in exchange.headers) ? [name] : []
    })
    const type = readMediaType(exchange)
    const schema = read(document, toObject(content)[type], 'schema')
    const wrong = exchange.json === undefined ? '' : validate(schema, exchange.json)
    run.expect(
      exchange,
      [response !== undefined, describe(exchange), 'a status that the document has'],
      [missing.length === 0, `no ${missing.join(', ')}`, 'the headers that the document requires'],
      [type === '' || type in toObject(content), type, Object.keys(toObject(content)).join() || '(none)'],
      [wrong === '', wrong, 'an answer that is valid by the document'],
    )
  }
}

/** What the document says about the answers to a request; undefined for requests that it does not describe. */
function findResponses(document: Json, exchange: Exchange): Json | undefined {
  const { method = 'GET', path } = exchange.call
  const template = path.replace(/^(\/(?:registrations|invoices)\/)[^/]+$/, '$1{id}')
  const { responses } = read(document, document, 'paths', template, 'get')
  return method === 'GET' && !isFromProxy(exchange) && isObject(responses) ? responses : undefined
}

/** The document itself, and whether the answers match it: fields of records, and members of problems. */
export const openapiGuarantees: readonly Guarantee[] = [
  ['openapi', 'The OpenAPI document has the routes that exist', checkOpenapi],
  ['openapi-answers', 'Records, problems and headers are as the document has them', checkAnswers],
]
