import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/errors.js'
import { createInvalidKey, createMissingKey, validateKey, requireScope } from '../../../src/keys/key.js'
import type { KeyRow } from '../../../src/keys/key.js'

const row: KeyRow = {
  keyId: 'k1',
  workspaceId: 'W1',
  scopes: ['invoices.read', 'other.write'],
  expiresAt: undefined,
  revoked: false,
  rateLimitPerMinute: undefined,
}
const nowMs = 1_772_357_400_500

function catchProblem(run: () => unknown): Problem {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}

describe('a key', () => {
  test('is valid until the instant of its expiry, and no longer', () => {
    const expiring = { ...row, expiresAt: { seconds: 1_772_357_400, micros: 500_000 } }
    expect(validateKey(expiring, nowMs - 1)?.keyId).toBe('k1')
    expect(validateKey(expiring, nowMs)).toBeUndefined()
    expect(validateKey(expiring, nowMs + 1)).toBeUndefined()
  })

  test('is invalid in the same way if it is unknown, revoked or expired', () => {
    for (const refused of [
      null,
      { ...row, revoked: true },
      { ...row, expiresAt: { seconds: 0, micros: 0 } },
      { ...row, revoked: true, expiresAt: { seconds: 0, micros: 0 } },
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
})

describe('a scope', () => {
  test.each([[['invoices.read']], [[]], [['registration.read ']], [['Registration.Read']], [['*']]])(
    'that is not among %o is refused by name',
    (scopes) => {
      const refusal = catchProblem(() => {
        requireScope({ scopes }, 'registration.read')
      })
      expect(refusal).toMatchObject({
        code: 'insufficient_scope',
        detail: 'This key does not have the scope registration.read.',
        headers: {
          'www-authenticate': 'Bearer realm="vitrine", error="insufficient_scope", scope="registration.read"',
        },
      })
    },
  )
})

describe('a challenge of RFC 6750', () => {
  test('has no error code where no key was sent', () => {
    expect(createMissingKey('There is no Authorization header.')).toMatchObject({
      code: 'missing_key',
      detail: 'There is no Authorization header. Send the API key as Authorization: Bearer <key>.',
      headers: { 'www-authenticate': 'Bearer realm="vitrine"' },
    })
  })

  test('says invalid_token where a key was sent', () => {
    expect(createInvalidKey().headers['www-authenticate']).toContain('error="invalid_token"')
  })
})
