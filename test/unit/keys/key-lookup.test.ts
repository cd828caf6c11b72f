import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Row } from '../../../src/database/statement.js'
import { perMinuteMax } from '../../../src/environment.js'
import { RowFault } from '../../../src/errors.js'
import { toKeyRow } from '../../../src/keys/key-lookup.js'
import type { KeyRow } from '../../../src/keys/key.js'
import { resolveProduct } from '../../support/plain-mapping.js'

const row: Row = { workspace: 'W1', scopes: 'invoices.read', expiresAt: null, revokedAt: null }
const keys = resolveProduct('plain').apiKeys
const source = { keys, scopes: { column: 'scopes', format: 'space' } } as const
const read = (cells: Row, from: Parameters<typeof toKeyRow>[2] = source): KeyRow =>
  toKeyRow({ ...row, ...cells }, 'k1', from)
const fault = (text: string): RowFault => new RowFault(text)

test('a key is revoked by any value at all but a zero date', () => {
  for (const revokedAt of ['2026-02-01 00:00:00', '2026-02-30 00:00:00', '2999-01-01 00:00:00', 0, ''])
    expect(read({ revokedAt }).revoked).toBe(true)
  for (const revokedAt of ['0000-00-00 00:00:00.000', '0000-00-00', null])
    expect(read({ revokedAt }).revoked).toBe(false)
})

test('a limit of requests is that of the column, at most the highest one, and none for NULL', () => {
  const limitOf = (rateLimitPerMinute: unknown) => read({ rateLimitPerMinute }).rateLimitPerMinute
  expect([30, '30', '18446744073709551615', null].map(limitOf)).toEqual([30, 30, perMinuteMax, undefined])
  for (const cell of [0, -1, '0'])
    expect(() => limitOf(cell)).toThrow(fault('rateLimitPerMinute is not above 0'))
})

// Zones, and seconds since 1970, are in test/database/testing-instants.test.ts and own-product.test.ts.
test('a key with a zero date has no expiry, and what is not a real time is a fault', () => {
  for (const expiresAt of ['0000-00-00 00:00:00', '0000-00-00 00:00:00.000000'])
    expect(read({ expiresAt }).expiresAt).toBeUndefined()
  for (const expiresAt of ['2026-02-30 00:00:00', '0000-00-01 00:00:00', '', 0, new Date(0)])
    expect(() => read({ expiresAt })).toThrow(fault('expiresAt is not a real date and time'))
})

type Case = [unknown, 'space' | 'comma' | 'json', readonly string[] | string]
const cases = parse(readFileSync('test/unit/keys/scopes.yaml', 'utf8')) as Case[]
test.each<Case>([...cases, [Buffer.from('invoices.read'), 'space', 'scopes is not text']])(
  'the scopes of %o as %s are %o',
  (cell, format, expected) => {
    const scopesOf = () => read({ scopes: cell }, { keys, scopes: { column: 'scopes', format } }).scopes
    if (typeof expected === 'string') expect(scopesOf).toThrow(fault(expected))
    else expect(scopesOf()).toEqual(expected)
  },
)
