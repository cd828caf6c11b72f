import { describe, expect, test } from 'vitest'
import type { Row, Statement } from '../../../src/database/statement.js'
import { perMinuteMax } from '../../../src/environment.js'
import { Problem, RowFault } from '../../../src/errors.js'
import { hashKey, toKeyId } from '../../../src/keys/key.js'
import { createKeyLookup, toKeyRow } from '../../../src/keys/key-lookup.js'
import { resolvePlain, resolvePlainWith } from '../../support/plain-mapping.js'

const form = { algorithm: 'sha256', encoding: 'hex' } as const
const digest = hashKey('evk_secret', form)
const stored = Buffer.from(digest, 'base64url').toString('hex')
const row: Row = { workspace: 'W1', scopes: 'invoices.read', expiresAt: null, revokedAt: null }

const keys = resolvePlain().apiKeys
const source = { keys, scopes: { column: 'scopes', format: 'space' } } as const

function createBench(answer: () => readonly Row[]) {
  const statements: Statement[] = []
  const invalid: (readonly [keyId: string, reason: string])[] = []
  const lookUp = createKeyLookup({
    requireTable: () => keys,
    apiKeys: { hash: { ...form, column: 'key_hash' }, scopes: source.scopes },
    runQuery: (statement) => {
      statements.push(statement)
      return new Promise((resolve) => {
        resolve(answer())
      })
    },
    onInvalidRow: (keyId, reason) => invalid.push([keyId, reason]),
  })
  return { lookUp, statements, invalid }
}

describe('the lookup of a key', () => {
  test('binds the stored form of the hash, and reads up to two rows', async () => {
    const { lookUp, statements } = createBench(() => [])
    expect(await lookUp(digest)).toBeNull()
    expect(statements.map(({ values }) => values)).toEqual([[stored, stored, '2']])
  })

  test('returns the row, with the id that logs use', async () => {
    const { lookUp, invalid } = createBench(() => [{ ...row, hash: 'secret' }])
    expect(await lookUp(digest)).toEqual({
      keyId: toKeyId(stored),
      workspaceId: 'W1',
      scopes: ['invoices.read'],
      expiresAt: undefined,
      revoked: false,
    })
    expect(invalid).toEqual([])
  })

  test('accepts no key whose hash is in the table twice, and reports it', async () => {
    const { lookUp, invalid } = createBench(() => [row, { ...row, workspace: 'W2' }])
    expect(await lookUp(digest)).toBeNull()
    expect(invalid).toEqual([[toKeyId(stored), 'the hash is in the table more than once']])
  })

  test('accepts no key whose row cannot be read, and reports it without the value', async () => {
    const { lookUp, invalid } = createBench(() => [{ ...row, expiresAt: '2026-02-30 00:00:00' }])
    expect(await lookUp(digest)).toBeNull()
    expect(invalid).toEqual([[toKeyId(stored), 'expiresAt is not a real date and time']])
  })

  test('fails when the database does not answer, without a decision about the key', async () => {
    const down = new Problem('database_unavailable', 'The database does not answer.')
    const { lookUp, invalid } = createBench(() => {
      throw down
    })
    await expect(lookUp(digest)).rejects.toBe(down)
    expect(invalid).toEqual([])
  })
})

function readScopes(cell: unknown, format: 'space' | 'comma' | 'json'): readonly string[] {
  return toKeyRow({ ...row, scopes: cell }, 'k1', { keys, scopes: { column: 'scopes', format } }).scopes
}

describe('a row of the key table', () => {
  test('has the exact integer of a workspace beyond 2^53', () => {
    const large = toKeyRow({ ...row, workspace: '9007199254740993' }, 'k1', {
      ...source,
      keys: resolvePlainWith([['keys', 'workspace_id', 'bigint unsigned']]).apiKeys,
    })
    expect(large.workspaceId).toBe('9007199254740993')
  })

  test('is revoked by any value at all but a zero date, and by nothing else', () => {
    for (const revokedAt of ['2026-02-01 00:00:00', '2026-02-30 00:00:00', '2999-01-01 00:00:00', 0, '']) {
      expect(toKeyRow({ ...row, revokedAt }, 'k1', source).revoked).toBe(true)
    }
    for (const revokedAt of ['0000-00-00 00:00:00.000', '0000-00-00'])
      expect(toKeyRow({ ...row, revokedAt }, 'k1', source).revoked).toBe(false)
    const { revokedAt: _unmapped, ...unrevokable } = row
    expect(toKeyRow(unrevokable, 'k1', source).revoked).toBe(false)
  })
})

test('a limit of requests is that of the column, at most the highest one, and none for NULL', () => {
  const read = (rateLimitPerMinute?: unknown) =>
    toKeyRow({ ...row, rateLimitPerMinute }, 'k1', source).rateLimitPerMinute
  expect([read(30), read('30'), read('18446744073709551615'), read(null), read()]).toEqual([
    ...[30, 30, perMinuteMax, undefined, undefined],
  ])
  for (const cell of [0, -1, '0'])
    expect(() => read(cell)).toThrow(new RowFault('rateLimitPerMinute is not above 0'))
})

describe('the expiry of a key', () => {
  test('is read in the offset of its column', () => {
    const expiresAt = '1970-01-01 03:00:01.5'
    const inZone = { ...source, keys: resolvePlainWith([], '"+00:00"', '"+03:00"').apiKeys }
    expect(toKeyRow({ ...row, expiresAt }, 'k1', inZone).expiresAt).toEqual({
      seconds: 1,
      micros: 500_000,
    })
  })

  test.each(['0000-00-00 00:00:00', '0000-00-00 00:00:00.000000'])(
    'is none with a zero date: %s',
    (expiresAt) => {
      expect(toKeyRow({ ...row, expiresAt }, 'k1', source).expiresAt).toBeUndefined()
    },
  )

  test.each(['2026-02-30 00:00:00', '0000-00-01 00:00:00', '', 0, new Date(0)])(
    'that is no real time is refused, not taken for never: %o',
    (expiresAt) => {
      expect(() => toKeyRow({ ...row, expiresAt }, 'k1', source)).toThrow(
        new RowFault('expiresAt is not a real date and time'),
      )
    },
  )
})

describe('the scopes of a key', () => {
  test.each<[unknown, 'space' | 'comma' | 'json', readonly string[]]>([
    ['invoices.read registration.read', 'space', ['invoices.read', 'registration.read']],
    ['  invoices.read\t\nregistration.read ', 'space', ['invoices.read', 'registration.read']],
    ['invoices.read,registration.read', 'space', ['invoices.read,registration.read']],
    ['invoices.read\r\nregistration.read', 'space', ['invoices.read', 'registration.read']],
    ['invoices.read\u00a0registration.read', 'space', ['invoices.read\u00a0registration.read']],
    ['invoices.read\vregistration.read', 'space', ['invoices.read\vregistration.read']],
    ['invoices.read\fregistration.read', 'space', ['invoices.read\fregistration.read']],
    ['invoices.read\u2028registration.read', 'space', ['invoices.read\u2028registration.read']],
    ['\ufeffinvoices.read', 'space', ['\ufeffinvoices.read']],
    ['', 'space', []],
    [null, 'space', []],
    ['invoices.read, registration.read ,', 'comma', ['invoices.read', 'registration.read']],
    ['invoices.read registration.read', 'comma', ['invoices.read registration.read']],
    ['\u00a0invoices.read,registration.read\v', 'comma', ['\u00a0invoices.read', 'registration.read\v']],
    ['\tinvoices.read ,\r\n registration.read\n', 'comma', ['invoices.read', 'registration.read']],
    ['', 'comma', []],
    ['["invoices.read", "registration.read"]', 'json', ['invoices.read', 'registration.read']],
    ['[]', 'json', []],
    [null, 'json', []],
  ])('of %o as %s are %o', (cell, format, scopes) => {
    expect(readScopes(cell, format)).toEqual(scopes)
  })

  test.each(['', 'invoices.read', '{"invoices.read": true}', '"invoices.read"', '[1]', '[["a"]]', 'null'])(
    'that are no JSON list of texts are refused: %s',
    (cell) => {
      expect(() => readScopes(cell, 'json')).toThrow(new RowFault('scopes is not a JSON list of texts'))
    },
  )

  test.each([1, true, ['invoices.read'], Buffer.from('invoices.read')])(
    'that are not text are refused: %o',
    (cell) => {
      expect(() => readScopes(cell, 'space')).toThrow(new RowFault('scopes is not text'))
    },
  )

  test('are those of the mapping if it grants them, with any row', () => {
    const granted = { keys, scopes: { grant: ['registration.read' as const] } }
    expect(toKeyRow(row, 'k1', granted).scopes).toEqual(['registration.read'])
  })
})

test.each([
  [1_772_357_400, { seconds: 1_772_357_400, micros: 0 }],
  ['1772357400', { seconds: 1_772_357_400, micros: 0 }],
  [0, undefined],
  [null, undefined],
])('an expiry in seconds since 1970 is read, and 0 is none: %o', (expiresAt, expected) => {
  const columns = ['expires_at', 'revoked_at'].map((name) => ['keys', name, 'bigint null'] as const)
  const asDates = 'expiresAt: expires_at\n  revokedAt: revoked_at'
  const asEpochs = asDates.replace(/(?<=: ).*/g, '{ column: $&, epoch: s }')
  const inSeconds = { ...source, keys: resolvePlainWith(columns, asDates, asEpochs).apiKeys }
  expect(toKeyRow({ ...row, expiresAt }, 'k1', inSeconds).expiresAt).toEqual(expected)
  expect(toKeyRow({ ...row, revokedAt: expiresAt }, 'k1', inSeconds).revoked).toBe(expected !== undefined)
})
