import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createInvalidKey,
  createMissingKey,
  hashKey,
  isGenuine,
  mintKey,
  requireScope,
  toKeyId,
  toStoredHash,
  validateKey,
} from '../../../src/keys/key.js'
import type { HashForm, KeyRow } from '../../../src/keys/key.js'
import { keys } from '../../product/keys.js'

const letters = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
const others = [' ', '_', '-', '+', '/', '=', '.', '\u0000', 'é', 'К', '😀']

test('a key that was minted is its prefix and 49 letters and digits, and genuine with that prefix', () => {
  const randoms = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,16}$/), randoms, (prefix, random) => {
      const key = mintKey(prefix, random)
      expect(isGenuine(key, prefix)).toBe(true)
      expect(key.startsWith(prefix)).toBe(true)
      expect(key.slice(prefix.length)).toMatch(/^[0-9A-Za-z]{49}$/)
    }),
  )
})

test.each(Object.entries(keys))(
  'the key %s is genuine, and changed, cut or lengthened it is not',
  (_, key) => {
    expect(isGenuine(key, 'evk_')).toBe(true)
    for (let at = 0; at < key.length; at += 1) {
      const changed = [...letters, ...others].filter((letter) => letter !== key[at])
      const [before, after] = [key.slice(0, at), key.slice(at + 1)]
      const wrong = [before, before + after, ...changed.map((letter) => before + letter + after)]
      expect(wrong.filter((one) => isGenuine(one, 'evk_'))).toEqual([])
    }
    expect([...letters, ...others].filter((letter) => isGenuine(key + letter, 'evk_'))).toEqual([])
  },
)

const toStored = (key: string, form: HashForm) => toStoredHash(hashKey(key, form), form)
const sha256OfAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

test.each(['sha256', 'sha384', 'sha512'] as const)(
  'a hash of %s is in the form that the key table holds',
  (algorithm) => {
    expect(toStored('abc', { algorithm: 'sha256', encoding: 'hex' })).toBe(sha256OfAbc)
    const bytes = createHash(algorithm).update('ключ', 'utf8').digest()
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(toStored('ключ', { algorithm, encoding })).toBe(bytes.toString(encoding))
    expect(toStored('ключ', { algorithm, encoding: 'binary' })).toEqual(bytes)
  },
)

test('logs call a key by left(sha2(key_hash, 256), 12), which is no part of its hash', () => {
  for (const stored of [sha256OfAbc, Buffer.from(sha256OfAbc, 'hex')])
    expect(toKeyId(stored)).toBe(createHash('sha256').update(stored).digest('hex').slice(0, 12))
  expect(sha256OfAbc).not.toContain(toKeyId(sha256OfAbc))
})

const row: KeyRow = {
  ...{ keyId: 'k1', workspaceId: 'W1', scopes: ['invoices.read', 'other.write'] },
  ...{ expiresAt: undefined, revoked: false, rateLimitPerMinute: undefined },
}
const nowMs = 1_772_357_400_500

describe('a key of the table', () => {
  test('is valid until the instant of its expiry, and no longer', () => {
    const expiring = { ...row, expiresAt: { seconds: 1_772_357_400, micros: 500_000 } }
    expect([-1, 0, 1].map((ms) => validateKey(expiring, nowMs + ms)?.keyId)).toEqual([
      'k1',
      undefined,
      undefined,
    ])
  })

  test('is invalid in the same way if it is unknown, revoked or expired', () => {
    const expiresAt = { seconds: 0, micros: 0 }
    for (const refused of [
      null,
      { ...row, revoked: true },
      { ...row, expiresAt },
      { ...row, revoked: true, expiresAt },
    ])
      expect(validateKey(refused, nowMs)).toBeUndefined()
    const { code, detail, parameter, headers, cause } = createInvalidKey()
    expect({ code, detail, parameter, headers, cause }).toEqual({
      code: 'invalid_key',
      detail: 'The API key is unknown, revoked or expired.',
      parameter: undefined,
      headers: { 'www-authenticate': 'Bearer realm="vitrine", error="invalid_token"' },
      cause: undefined,
    })
  })

  test.each([[['invoices.read']], [[]], [['registration.read ']], [['Registration.Read']], [['*']]])(
    'with the scopes %o is refused another one by its name',
    (scopes) => {
      const detail = 'This key does not have the scope registration.read.'
      const challenge = 'Bearer realm="vitrine", error="insufficient_scope", scope="registration.read"'
      expect(() => {
        requireScope({ scopes }, 'registration.read')
      }).toThrow(
        expect.objectContaining({
          code: 'insufficient_scope',
          detail,
          headers: { 'www-authenticate': challenge },
        }) as Error,
      )
    },
  )
})

test('a challenge has no error code where no key was sent', () => {
  expect(createMissingKey('There is no Authorization header.')).toMatchObject({
    code: 'missing_key',
    detail: 'There is no Authorization header. Send the API key as Authorization: Bearer <key>.',
    headers: { 'www-authenticate': 'Bearer realm="vitrine"' },
  })
})
