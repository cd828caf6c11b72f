import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashKey, toKeyId, toStoredHash } from '../../../src/keys/key-format.js'
import type { HashForm } from '../../../src/keys/key-format.js'

const algorithms = ['sha256', 'sha384', 'sha512'] as const
const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

function toStored(key: string, form: HashForm): string | Buffer {
  return toStoredHash(hashKey(key, form), form)
}

describe('a stored hash', () => {
  test('is the digest that FIPS 180 gives, in lower-case hex', () => {
    expect(toStored('abc', { algorithm: 'sha256', encoding: 'hex' })).toBe(sha256OfAbc)
  })

  test.each(algorithms)('of %s is in the form that the key table holds', (algorithm) => {
    const bytes = createHash(algorithm).update('ключ', 'utf8').digest()
    expect(toStored('ключ', { algorithm, encoding: 'hex' })).toBe(bytes.toString('hex'))
    expect(toStored('ключ', { algorithm, encoding: 'base64' })).toBe(bytes.toString('base64'))
    expect(toStored('ключ', { algorithm, encoding: 'base64url' })).toBe(bytes.toString('base64url'))
    expect(toStored('ключ', { algorithm, encoding: 'binary' })).toEqual(bytes)
  })

  test('does not hold the key', () => {
    expect(hashKey('evk_secret', { algorithm: 'sha256', encoding: 'hex' })).not.toContain('secret')
  })
})

describe('what logs call a key', () => {
  test('is neither the hash nor a part of it, and is found by left(sha2(key_hash, 256), 12)', () => {
    const id = toKeyId(sha256OfAbc)
    expect(id).toBe(createHash('sha256').update(sha256OfAbc, 'utf8').digest('hex').slice(0, 12))
    expect(sha256OfAbc).not.toContain(id)
  })

  test('is the digest of the bytes where the hash is stored as bytes', () => {
    const bytes = Buffer.from(sha256OfAbc, 'hex')
    expect(toKeyId(bytes)).toBe(createHash('sha256').update(bytes).digest('hex').slice(0, 12))
  })
})
