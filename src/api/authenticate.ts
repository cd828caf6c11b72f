import type { FastifyRequest } from 'fastify'
import type { IncomingHttpHeaders } from 'node:http'
import { hashKey, isGenuine, createInvalidKey, createMissingKey, validateKey } from '../keys/key.js'
import type { Principal } from '../keys/key.js'
import type { Parts } from './parts.js'
import type { LimitRate } from './rate-limits.js'
import { readSearch } from './request-checks.js'
import type { UrlRequest } from './request-checks.js'
import { beginDatabase, endDatabase } from './request-context.js'

/**
 * Finds the principal of a request's key, and stores it in the request context. Only a key that is not in the cache has to
 * be waited for.
 *
 * @throws Problem `missing_key`, `invalid_key`, or `rate_limited` after too many failures of the address.
 */
export type Authenticate = (request: FastifyRequest) => Principal | Promise<Principal>

/** The first stages of every request with a key. */
export interface Stages {
  readonly authenticate: Authenticate
  readonly limitRate: LimitRate
}

/** Reads bearer keys through the key cache. The row is validated on every request. */
export function createAuthenticate(parts: Parts): Authenticate {
  const { keyCache, clock } = parts
  const { hash: form, prefix } = parts.mapping.apiKeys
  return (request) => {
    const key = readKey(request)
    if (key === undefined) throw rejectKey(parts, request)
    const hash = hashKey(key, form)
    const row = keyCache.find(hash)
    // Of a mapping with a prefix, texts that `mintKey` cannot have made are rejected without a lookup.
    if (row === undefined && prefix !== undefined && !isGenuine(key, prefix)) throw rejectKey(parts, request)
    if (row === undefined) return lookUp(parts, request, hash)
    const principal = validateKey(row, clock())
    if (principal === undefined) throw rejectKey(parts, request)
    request.context.principal = principal
    return principal
  }
}

/** Every key that is not accepted counts, wherever it was rejected, so that the limit reveals nothing about keys. */
function rejectKey({ failedAuthentications }: Parts, { ip }: FastifyRequest): Error {
  failedAuthentications.reserve(ip)(true)
  return createInvalidKey()
}

/**
 * Looks a key up under a reservation of its address. A key that was valid at its last lookup needs none, because valid
 * callers can share an address with a caller that guesses keys.
 */
async function lookUp(parts: Parts, request: FastifyRequest, hash: string): Promise<Principal> {
  const { keyCache, failedAuthentications, clock } = parts
  const lastRow = keyCache.recall(hash)
  const wasValid = lastRow !== undefined && validateKey(lastRow, clock()) !== undefined
  let endReservation: ((isRejected: boolean) => void) | undefined
  let isRejected = false
  const reserve = (): void => {
    if (!wasValid) endReservation = failedAuthentications.reserve(request.ip)
  }
  try {
    beginDatabase(request)
    const row = await keyCache.get(hash, reserve)
    endDatabase(request)
    const principal = validateKey(row, clock())
    isRejected = principal === undefined
    if (principal !== undefined) request.context.principal = principal
    if (principal !== undefined) return principal
    throw endReservation === undefined ? rejectKey(parts, request) : createInvalidKey()
  } finally {
    endReservation?.(isRejected)
  }
}

// RFC 6750, section 2.1, with the scheme in any case, a limit of the length, and the bar of keys such as Laravel Sanctum's. The words are variables without a value.
const bearerKey = /^bearer +(?!(?:undefined|null|none|nil) *$)([\w.~+/|-]{1,512}=*) *$/i

/**
 * The key of a request; undefined for a text that no key can be.
 *
 * @throws Problem `missing_key`, which says what was found in place of a key, and repeats nothing that can be one.
 */
export function readKey({ headers, raw }: Pick<FastifyRequest, 'headers'> & UrlRequest): string | undefined {
  const { authorization } = headers
  if (authorization === undefined) throw createMissingKey(describeWithoutHeader(headers, readSearch({ raw })))
  const key = bearerKey.exec(authorization)?.[1]
  if (key !== undefined) return key
  const found = mistakes.find(([form]) => form.test(authorization))?.[1]
  if (found === undefined) return undefined
  throw createMissingKey(found)
}

/** The headers of other APIs. */
const otherHeaders = ['X-Api-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Proxy-Authorization']
const keyParameter = /(?:^|&)(?:access[_-]?token|api[_-]?key|key|token|auth|authorization|bearer)=/i

function describeWithoutHeader(headers: IncomingHttpHeaders, search: string): string {
  const other = otherHeaders.find((name) => headers[name.toLowerCase()] !== undefined)
  if (other !== undefined) return `The key is in the header ${other}.`
  return keyParameter.test(search)
    ? 'The key is in the URL, which servers log: replace that key by a new one.'
    : 'There is no Authorization header.'
}

/** Mistakes of an `Authorization` header by its form, and what each is. The first that matches counts. */
const mistakes: readonly (readonly [form: RegExp, found: string])[] = [
  [/^\s*$/, 'The Authorization header is empty.'],
  [/,\s*(?:bearer|basic)\b/i, 'The request has more than one Authorization header.'],
  [/^bearer\s*$/i, 'The Authorization header has no key after Bearer: a variable is empty or not set.'],
  [/^bearer[\s:=]+bearer\b/i, 'The Authorization header has the word Bearer twice.'],
  // Node reads headers as latin1: these are the bytes of typographic quotes.
  [/^(?:bearer\s+)?(?:["'`]|\xe2\x80[\x98-\x9d])/i, 'The key is in quotes: send it without them.'],
  [
    /^bearer\s+(?:(?:undefined|null|none|nil)\s*$|[$<{[%])/i,
    'The Authorization header has a placeholder in place of the key: a variable is not set or not replaced.',
  ],
  [/^(?!bearer\s)\S+\s/i, 'The Authorization header has another scheme than Bearer.'],
  [/^(?!bearer\s)/i, 'The Authorization header has no scheme Bearer in front of the key.'],
]
