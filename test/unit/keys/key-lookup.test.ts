import { describe, expect, test } from 'vitest'
import type { Row, Statement } from '../../../src/database/statement.js'
import { Problem } from '../../../src/errors.js'
import { hashKey, toKeyId } from '../../../src/keys/key-format.js'
import { createKeyLookup } from '../../../src/keys/key-lookup.js'
import { bindPlain } from '../../support/plain-mapping.js'

const form = { algorithm: 'sha256', encoding: 'hex' } as const
const digest = hashKey('evk_secret', form)
const stored = Buffer.from(digest, 'base64url').toString('hex')
const row: Row = { workspace: 'W1', scopes: 'invoices.read', expiresAt: null, revokedAt: null }

const table = {
  columns: bindPlain().apiKeys,
  readers: { workspace: 'ascii', scopes: { format: 'space' }, expiryOffsetMinutes: 0 },
} as const

function createBench(answer: () => readonly Row[]) {
  const statements: Statement[] = []
  const faults: (readonly [keyId: string, reason: string])[] = []
  const lookUp = createKeyLookup({
    requireTable: () => table,
    form,
    runQuery: (statement) => {
      statements.push(statement)
      return new Promise((resolve) => {
        resolve(answer())
      })
    },
    onFault: (keyId, reason) => faults.push([keyId, reason]),
  })
  return { lookUp, statements, faults }
}

describe('the lookup of a key', () => {
  test('binds the stored form of the hash, and asks for a second row to see whether there is one', async () => {
    const { lookUp, statements } = createBench(() => [])
    expect(await lookUp(digest)).toBeNull()
    expect(statements.map(({ values }) => values)).toEqual([[stored, stored, '2']])
  })

  test('brings the row, under a name that logs may hold', async () => {
    const { lookUp, faults } = createBench(() => [row])
    expect(await lookUp(digest)).toEqual({
      keyId: toKeyId(stored),
      workspaceId: 'W1',
      scopes: ['invoices.read'],
      expiresAt: undefined,
      revoked: false,
    })
    expect(faults).toEqual([])
  })

  test('accepts no key whose hash is in the table twice, and tells of it', async () => {
    const { lookUp, faults } = createBench(() => [row, { ...row, workspace: 'W2' }])
    expect(await lookUp(digest)).toBeNull()
    expect(faults).toEqual([[toKeyId(stored), 'the hash is in the table more than once']])
  })

  test('accepts no key whose row cannot be read, and tells of it without the value', async () => {
    const { lookUp, faults } = createBench(() => [{ ...row, expiresAt: '0000-00-00 00:00:00' }])
    expect(await lookUp(digest)).toBeNull()
    expect(faults).toEqual([[toKeyId(stored), 'expiresAt is not a real date and time']])
  })

  test('fails when the database does not answer: that is no judgement of the key', async () => {
    const down = new Problem('database_unavailable', 'The database does not answer.')
    const { lookUp, faults } = createBench(() => {
      throw down
    })
    await expect(lookUp(digest)).rejects.toBe(down)
    expect(faults).toEqual([])
  })

  test('fails when a row is read wrongly by the program itself', async () => {
    const broken = { ...row }
    Object.defineProperty(broken, 'workspace', {
      get: () => {
        throw new TypeError('a bug')
      },
    })
    const { lookUp, faults } = createBench(() => [broken])
    await expect(lookUp(digest)).rejects.toThrow(TypeError)
    expect(faults).toEqual([])
  })
})
