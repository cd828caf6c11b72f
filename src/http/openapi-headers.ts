import { perMinuteMax } from '../config.js'
import type { Problem } from '../errors.js'
import type { DocumentedResource } from '../resources/resource.js'
import type { Json } from './openapi-components.js'
import { exposedHeaders } from './cors.js'
import { createExampleCursor, exampleRate, exampleRequestId } from './openapi-examples.js'
import type { DocumentedRoute } from './openapi-examples.js'
import { basePath } from './paths.js'
import { acceptableId } from './request-context.js'

interface Header {
  readonly schema: Json
  readonly description: string
  readonly example: string | number
  /** Whether each answer that documents the header has it. */
  readonly isAlways?: boolean
}

const text: Json = { type: 'string' }

function whole(minimum: number, maximum: number): Json {
  return { type: 'integer', format: 'int32', minimum, maximum }
}

/** An entity tag as the service makes it. */
export const exampleEtag = 'W/"q0n6c0yTcQ1Jk0h1rKXW4bWQH7o"'

/**
 * Every header that answers can have, with the values that the service sends. Left out is what HTTP itself adds
 * (`Content-Type`, `Content-Length`, `Date`, `Connection`, `Keep-Alive`, `Transfer-Encoding`).
 */
const headers = {
  'X-Request-Id': {
    schema: { ...text, pattern: acceptableId.source, maxLength: 64 },
    description:
      'The id of the request: the one that you sent, if it has at most 64 letters, digits, `.`, `_` or `-`; otherwise a new one.',
    example: exampleRequestId,
    isAlways: true,
  },
  'X-Content-Type-Options': {
    schema: text,
    description: 'Tells browsers to believe `Content-Type`.',
    example: 'nosniff',
    isAlways: true,
  },
  ETag: {
    schema: text,
    description: 'A weak entity tag of the records; send it as `If-None-Match`.',
    example: exampleEtag,
    isAlways: true,
  },
  'Cache-Control': {
    schema: text,
    description:
      'You may store the answer for yourself, and ask with `If-None-Match` whether it has changed.',
    example: 'private, no-cache',
    isAlways: true,
  },
  'Cache-Control-Problem': {
    schema: text,
    description: 'Problems are not stored.',
    example: 'no-store',
    isAlways: true,
  },
  Vary: {
    schema: text,
    description:
      'The request headers that the answer depends on: also `Origin` where browsers may call the API, and not `accept-encoding` where a proxy compresses.',
    example: 'accept-encoding, Authorization',
    isAlways: true,
  },
  'Vary-Problem': {
    schema: text,
    description: 'The request headers that the answer depends on, if there are any.',
    example: 'accept-encoding',
  },
  'Content-Encoding': {
    schema: text,
    description:
      'How the body is compressed, if it has 1 KiB or more and `Accept-Encoding` allows it: `br` or `gzip`.',
    example: 'br',
  },
  'Access-Control-Allow-Origin': {
    schema: text,
    description:
      'For browsers: the page of this origin may read the answer. Only where the service allows it.',
    example: 'https://app.example.com',
  },
  'Access-Control-Expose-Headers': {
    schema: text,
    description: 'For browsers: the headers that the page may read. Only where the service allows it.',
    example: exposedHeaders,
  },
  'RateLimit-Limit': {
    schema: whole(1, perMinuteMax),
    description: 'Requests that the key may send in a minute. Only where the service limits them.',
    example: exampleRate.limit,
  },
  'RateLimit-Remaining': {
    schema: whole(0, perMinuteMax),
    description: 'Requests that remain until `RateLimit-Reset`.',
    example: exampleRate.remaining,
  },
  'RateLimit-Reset': {
    schema: whole(0, 60),
    description: 'Seconds until all requests are available again.',
    example: exampleRate.resetSeconds,
  },
} as const satisfies Readonly<Record<string, Header>>

/** Headers whose values depend on the problem. */
const problemHeaders: Readonly<Record<string, Omit<Header, 'example'>>> = {
  'WWW-Authenticate': {
    schema: text,
    description: 'What the key lacks, as in RFC 6750.',
    isAlways: true,
  },
  'Retry-After': {
    schema: whole(1, 60),
    description: 'Seconds to wait before the next request.',
    isAlways: true,
  },
  Allow: { schema: text, description: 'The methods that the path answers. Only with 405.' },
}

type HeaderName = keyof typeof headers

/** `components.headers`: those whose example is the same everywhere. */
export function buildHeaders(): Json {
  return Object.fromEntries(
    Object.entries<Header>(headers).map(([name, { example, ...header }]) => [
      name,
      { ...toHeader(header), example },
    ]),
  )
}

function toHeader({ schema, description, isAlways = false }: Omit<Header, 'example'>): Json {
  return { description, required: isAlways, schema }
}

const always = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const
const rate = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

/** The headers of a 304, and with `Content-Encoding` those of a success. The rate limit counts only requests with a key. */
export function buildNotModifiedHeaders({ kind, collection }: DocumentedRoute, publicUrl: string): Json {
  return {
    ...refer(...always, 'ETag', 'Cache-Control', 'Vary'),
    ...(kind === 'list' && collection !== undefined ? buildLinkHeader(collection, publicUrl) : {}),
    ...(collection === undefined ? {} : refer(...rate)),
  }
}

/** The headers of a success. */
export function buildSuccessHeaders(route: DocumentedRoute, publicUrl: string): Json {
  return { ...buildNotModifiedHeaders(route, publicUrl), ...refer('Content-Encoding') }
}

function buildLinkHeader(collection: DocumentedResource, publicUrl: string): Json {
  const address = `${publicUrl}${basePath}/${collection.name}`
  const description = 'The next page, as in RFC 8288. Only where there is one.'
  return {
    Link: {
      ...toHeader({ schema: text, description }),
      example: `<${address}?cursor=${createExampleCursor(collection)}&limit=1>; rel="next"`,
    },
  }
}

/**
 * The headers of problems of one status, with the values of each.
 *
 * @param isCounted whether the rate limit counts the request before it finds the problem.
 */
export function buildProblemHeaders(own: readonly Problem[], isCounted: boolean): Json {
  const particular = Object.entries(problemHeaders).flatMap(([name, header]) => {
    const values = own.flatMap(({ code, headers: sent }) => {
      const value = sent[name.toLowerCase()]
      return value === undefined
        ? []
        : [{ code, value: header.schema['type'] === 'integer' ? Number(value) : value }]
    })
    return values.length === 0 ? [] : [[name, { ...toHeader(header), ...toExamples(values) }] as const]
  })
  return {
    ...refer(...always),
    'Cache-Control': toReference('Cache-Control-Problem'),
    Vary: toReference('Vary-Problem'),
    // Only the problem of a parameter can quote so much of the request.
    ...(own.some(({ code }) => code === 'unknown_parameter') ? refer('Content-Encoding') : {}),
    ...Object.fromEntries(particular),
    ...(isCounted ? refer(...rate) : {}),
  }
}

/** One example where all problems have the same value, and otherwise one for each code. */
function toExamples(values: readonly { readonly code: string; readonly value: string | number }[]): Json {
  const [first] = values
  if (values.every(({ value }) => value === first?.value)) return { example: first?.value }
  return { examples: Object.fromEntries(values.map(({ code, value }) => [code, { value }])) }
}

function refer(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, toReference(name)]))
}

function toReference(name: HeaderName): Json {
  return { $ref: `#/components/headers/${name}` }
}
