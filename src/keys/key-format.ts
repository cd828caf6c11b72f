import { createHash, hash as digestOf, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

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
export interface HashForm {
  readonly algorithm: 'sha256' | 'sha384' | 'sha512'
  readonly encoding: 'hex' | 'base64' | 'base64url' | 'binary'
}

/** The digest of a key as base64url text, which is the key of the cache. The raw key is not stored anywhere. */
export function hashKey(key: string, { algorithm }: HashForm): string {
  return digestOf(algorithm, key, 'base64url')
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
