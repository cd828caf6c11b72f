import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGenuine, mintKey, hashKey, toKeyId, toStoredHash } from '../../../src/keys/key.js'
import { keys } from '../../product/keys.js'
import { createHash } from 'node:crypto'
import type { HashForm } from '../../../src/keys/key.js'

const randoms = fc.uint8Array({ minLength: 32, maxLength: 32 })
const prefixes = fc.stringMatching(/^[A-Za-z0-9_-]{0,16}$/)
const letters = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const others = [' ', '_', '-', '+', '/', '=', '.', '\u0000', 'é', 'К', '😀']

describe('a key', () => {
  test('that was minted is genuine with its own prefix', () => {
    fc.assert(
      fc.property(prefixes, randoms, (prefix, random) => {
        expect(isGenuine(mintKey(prefix, random), prefix)).toBe(true)
      }),
    )
  })

  test('is its prefix and 49 letters and digits', () => {
    fc.assert(
      fc.property(prefixes, randoms, (prefix, random) => {
        const key = mintKey(prefix, random)
        expect(key.startsWith(prefix)).toBe(true)
        expect(key.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{49}$/)
      }),
    )
  })
})

describe("the seeds' keys", () => {
  test.each(Object.entries(keys))('%s is genuine', (_label, key) => {
    expect(isGenuine(key, 'evk_')).toBe(true)
  })

  test.each(Object.entries(keys))('%s with any one character changed is not genuine', (_label, key) => {
    for (let at = 0; at < key.length; at += 1) {
      for (const letter of [...letters, ...others]) {
        if (letter === key[at]) continue
        expect(isGenuine(key.slice(0, at) + letter + key.slice(at + 1), 'evk_')).toBe(false)
      }
    }
  })

  test.each(Object.entries(keys))('%s cut or lengthened is not genuine', (_label, key) => {
    for (let at = 0; at < key.length; at += 1) {
      expect(isGenuine(key.slice(0, at), 'evk_')).toBe(false)
      expect(isGenuine(key.slice(0, at) + key.slice(at + 1), 'evk_')).toBe(false)
    }
    for (const letter of [...letters, ...others]) expect(isGenuine(key + letter, 'evk_')).toBe(false)
  })
})

const algorithms = ['sha256', 'sha384', 'sha512'] as const
const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

function toStored(key: string, form: HashForm): string | Buffer {
  return toStoredHash(hashKey(key, form), form)
}

describe('a stored hash', () => {
  test('is the digest of FIPS 180, in lower-case hex', () => {
    expect(toStored('abc', { algorithm: 'sha256', encoding: 'hex' })).toBe(sha256OfAbc)
  })

  test.each(algorithms)('of %s is in the form that the key table holds', (algorithm) => {
    const bytes = createHash(algorithm).update('ключ', 'utf8').digest()
    expect(toStored('ключ', { algorithm, encoding: 'hex' })).toBe(bytes.toString('hex'))
    expect(toStored('ключ', { algorithm, encoding: 'base64' })).toBe(bytes.toString('base64'))
    expect(toStored('ключ', { algorithm, encoding: 'base64url' })).toBe(bytes.toString('base64url'))
    expect(toStored('ключ', { algorithm, encoding: 'binary' })).toEqual(bytes)
  })
})

describe('the id of a key in logs', () => {
  test('is neither the hash nor a part of it, and is found by left(sha2(key_hash, 256), 12)', () => {
    const id = toKeyId(sha256OfAbc)
    expect(id).toBe(createHash('sha256').update(sha256OfAbc, 'utf8').digest('hex').slice(0, 12))
    expect(sha256OfAbc).not.toContain(id)
  })

  test('is the digest of the bytes if the hash is stored as bytes', () => {
    const bytes = Buffer.from(sha256OfAbc, 'hex')
    expect(toKeyId(bytes)).toBe(createHash('sha256').update(bytes).digest('hex').slice(0, 12))
  })
})
