import { createHash, hash as digestOf, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Scope } from '../collections/options.js'
import { Problem } from '../problems.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import type { Instant } from '../values/instant.js'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checksumLength = 6

/**
 * A new key: prefix, 256 random bits and a checksum, in letters and digits. With the prefix a scanner finds leaked keys;
 * with the checksum a mistyped key is rejected without a lookup.
 *
 * @param random 32 bytes; tests and seeds pass them to get the same key each time.
 */
export function mintKey(prefix: string, random: Uint8Array = randomBytes(32)): string {
  const secret = toBase62(BigInt(`0x${Buffer.from(random).toString('hex')}`), secretLength)
  return `${prefix}${secret}${toChecksum(prefix + secret)}`
}

/** Whether a text can be a key that `mintKey` made with this prefix. */
export function isGenuine(key: string, prefix: string): boolean {
  if (!key.startsWith(prefix) || key.length !== prefix.length + secretLength + checksumLength) return false
  const body = key.slice(0, -checksumLength)
  return key.slice(-checksumLength) === toChecksum(body)
}

/** Without BigInt, because it is computed for every request. */
function toChecksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < checksumLength; place += 1) {
    text = (alphabet[rest % 62] ?? '') + text
    rest = Math.floor(rest / 62)
  }
  return text
}

function toBase62(value: bigint, length: number): string {
  let rest = value
  let text = ''
  for (let place = 0; place < length; place += 1) {
    text = (alphabet[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}

/** How the product stores the digest of a key. Source: `apiKeys.hash` of the mapping. */
type HashForm = Omit<Mapping['apiKeys']['hash'], 'column'>

/** The digest of a key as base64url text, which is the key of the cache. The raw key is not stored anywhere. */
export function hashKey(key: string, { algorithm, of }: HashForm): string {
  // Of a key without a bar, all of it: the products that have such keys accept them so too.
  const secret = of === 'afterBar' ? key.slice(key.indexOf('|') + 1) : key
  return digestOf(algorithm, secret, 'base64url')
}

/** A digest in the form that the key table holds. */
export function toStoredHash(digest: string, { encoding }: HashForm): string | Buffer {
  const bytes = Buffer.from(digest, 'base64url')
  return encoding === 'binary' ? bytes : bytes.toString(encoding)
}

/**
 * The id of a key in logs: a digest of its stored hash, which reveals neither the key nor the hash. Support finds the
 * row with `left(sha2(key_hash, 256), 12)`.
 */
export function toKeyId(hash: string | Buffer): string {
  return createHash('sha256').update(hash).digest('hex').slice(0, 12)
}

/** The cached row of a key, without the key and its hash. */
export interface KeyRow {
  /** The id of the key in logs. */
  readonly keyId: string
  readonly workspaceId: string
  readonly scopes: readonly string[]
  readonly expiresAt: Instant | undefined
  readonly revoked: boolean
  /** Undefined where the key has no limit of its own. */
  readonly rateLimitPerMinute: number | undefined
}

/** The caller of a request, as its key identifies it. */
export type Principal = Omit<KeyRow, 'revoked'>

const realm = 'Bearer realm="vitrine"'

/**
 * Validates a key now, whenever its row was read. Undefined for an unknown, a revoked and an expired key alike.
 *
 * @param nowMs milliseconds since 1970-01-01 UTC.
 */
export function validateKey(row: KeyRow | null, nowMs: number): Principal | undefined {
  return row === null || row.revoked || isExpired(row, nowMs) ? undefined : row
}

/** From so long before its expiry, the owner of a key is warned. */
const warningMs = 14 * 24 * 3600 * 1000

/** Whether a key is valid now, and expires within 14 days. */
export function expiresSoon(row: KeyRow, nowMs: number): boolean {
  return validateKey(row, nowMs) !== undefined && isExpired(row, nowMs + warningMs)
}

/** @throws Problem `insufficient_scope`, naming the scope. */
export function requireScope(principal: Pick<Principal, 'scopes'>, scope: Scope): void {
  if (principal.scopes.includes(scope)) return
  throw new Problem('insufficient_scope', `This key does not have the scope ${scope}.`, {
    headers: { 'www-authenticate': `${realm}, error="insufficient_scope", scope="${scope}"` },
  })
}

/** The same problem for every key that is not accepted. */
export function createInvalidKey(): Problem {
  return new Problem('invalid_key', 'The API key is unknown, revoked or expired.', {
    headers: { 'www-authenticate': `${realm}, error="invalid_token"` },
  })
}

/**
 * The problem of a request without a key. RFC 6750, section 3.1, forbids an error code there.
 *
 * @param found a sentence that says what the request has in place of a key.
 */
export function createMissingKey(found: string): Problem {
  return new Problem('missing_key', `${found} Send the API key as Authorization: Bearer <key>.`, {
    headers: { 'www-authenticate': realm },
  })
}

/** A key is valid before the instant of its expiry, and not at it. */
function isExpired({ expiresAt }: KeyRow, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= expiresAt.seconds * 1000 + expiresAt.micros / 1000
}
