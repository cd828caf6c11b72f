import { createHash, hash as digestOf } from 'node:crypto'

/** How the product stores a key's digest. Source: `apiKeys.hash` of the mapping. */
export interface HashForm {
  readonly algorithm: 'sha256' | 'sha384' | 'sha512'
  readonly encoding: 'hex' | 'base64' | 'base64url' | 'binary'
}

/** A key's digest as base64url text, by which the cache knows it; the raw key goes no further than this. */
export function hashKey(key: string, { algorithm }: HashForm): string {
  return digestOf(algorithm, key, 'base64url')
}

/** A digest in the form that the key table holds. */
export function toStoredHash(digest: string, { encoding }: HashForm): string | Buffer {
  const bytes = Buffer.from(digest, 'base64url')
  return encoding === 'binary' ? bytes : bytes.toString(encoding)
}

/**
 * What logs call a key: a digest of its stored hash, so that neither the key nor the hash can be read from it.
 * Support finds the row with `left(sha2(key_hash, 256), 12)`.
 */
export function toKeyId(hash: string | Buffer): string {
  return createHash('sha256').update(hash).digest('hex').slice(0, 12)
}
