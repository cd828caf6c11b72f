import { isRecord } from '../../client/forms.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, readMediaType, toObject } from './answer.js'
import type { Exchange, Json } from './answer.js'
import type { Rule } from './run.js'

/* What the OpenAPI document of a deployment says of answers. The texts of findings have no value of an answer: it can be personal. */

/** Statuses that each path names; any other one can be `default`. */
const namedStatuses = [200, 304, 400, 401, 403, 404, 429, 500, 503]

/** A proxy adds others, such as `Content-Encoding`. */
const contractHeaders =
  /^(x-request-id|etag|link|ratelimit.*|api-key-expires|retry-after|www-authenticate|cache-control|vary)$/

/** Whether the body of an answer is what the document says, and has no member more. */
export function createBodyRules(document: Json): (exchange: Exchange) => readonly Rule[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, formats })
  ajv.addSchema({ ...toObject(close(document)), $id: 'document' })
  return (exchange) => {
    const found = findAnswer(document, exchange)
    const type = readMediaType(exchange)
    if (found === undefined || !isRecord(toObject(found.value['content'])[type])) return []
    const place = [...found.place, 'content', type, 'schema'].map(toPointerPart).join('/')
    const isValid = ajv.validate({ $ref: `document#/${place}` }, exchange.json)
    const [error] = ajv.errors ?? []
    const { additionalProperty = '' } = toObject(error?.params)
    const got = `${describe(exchange)}: ${error?.instancePath ?? ''} ${error?.message ?? ''} ${String(additionalProperty)}`
    return [[isValid, got.trim(), 'an answer as the OpenAPI document of the service describes it']]
  }
}

/** Whether the document has the status of an answer, and the headers that the contract names. */
export function toPresenceRules(document: Json, exchange: Exchange): readonly Rule[] {
  if (findOperation(document, exchange) === undefined) return []
  const found = findAnswer(document, exchange)
  const expected = 'an OpenAPI document that has what is answered'
  if (found === undefined)
    return [[false, `${describe(exchange)}, which the document does not have`, expected]]
  const known = Object.keys(toObject(found.value['headers'])).map((name) => name.toLowerCase())
  const lacking = Object.keys(exchange.headers).filter(
    (name) => contractHeaders.test(name) && !known.includes(name),
  )
  const got = `${describe(exchange)} with ${lacking.join(', ')}, which the document does not have`
  return [[lacking.length === 0, got, expected]]
}

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  'uri-reference': true,
  int32: true,
  int64: true,
} as const

/** The same document, in which a schema with properties allows no other: a field that it does not have is a finding. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (!isRecord(value)) return value
  const closed = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, close(one)]))
  const isSchema = isRecord(value['properties']) && value['type'] === 'object'
  return isSchema ? { additionalProperties: false, ...closed } : closed
}

interface Found {
  readonly value: Json
  readonly place: readonly string[]
}

/** The place of an operation: that of HEAD is the one of GET. Other methods are in no document. */
function findOperation(document: Json, { call }: Exchange): readonly string[] | undefined {
  if (!['GET', 'HEAD'].includes(call.method ?? 'GET')) return undefined
  const template = call.path.replace(/^(\/[^/]+)\/.+$/, '$1/{id}')
  const { get } = toObject(toObject(document['paths'])[template])
  return isRecord(get) ? ['paths', template, 'get'] : undefined
}

/** What the document says of an answer. */
function findAnswer(document: Json, exchange: Exchange): Found | undefined {
  const operation = findOperation(document, exchange)
  if (operation === undefined) return undefined
  const { status } = exchange
  const names = namedStatuses.includes(status) ? [`${status}`] : [`${status}`, 'default']
  for (const name of names) {
    const place = [...operation, 'responses', name]
    const value = readPlace(document, place)
    const { $ref } = value ?? {}
    const target = typeof $ref === 'string' ? $ref.slice(2).split('/') : place
    const found = readPlace(document, target)
    if (found !== undefined) return { value: found, place: target }
  }
  return undefined
}

function readPlace(document: Json, place: readonly string[]): Json | undefined {
  let value: unknown = document
  for (const name of place) value = toObject(value)[name]
  return isRecord(value) ? value : undefined
}

const toPointerPart = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
