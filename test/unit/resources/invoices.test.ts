import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/database/statement.js'
import { RowFault } from '../../../src/errors.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const plain = resolvePlain().invoices
const awkward = resolveAwkward().invoices

const plainRow: Row = {
  id: 'I1',
  number: 'INV-2026-00042',
  status: 'ISSUED',
  total: '115.5000',
  currency: 'SAR',
  issueDate: '2026-03-01',
  dueDate: '2026-03-31',
  createdAt: '2026-03-01 08:00:00.000',
  updatedAt: '2026-03-01 09:30:00.123',
}

const awkwardRow: Row = {
  id: Buffer.from('00112233445516778899aabbccddeeff', 'hex'),
  number: 4_294_967_295,
  status: 'Zurück',
  total: '11550',
  currency: 'kwd',
  issueDate: '2026-03-01 02:30:00',
  dueDate: '2026-03-31 12:00:00',
  createdAt: '2026-03-01 08:00:00.123456',
  updatedAt: '2026-03-01 09:30:00.999999',
}

describe('an invoice', () => {
  test('of the plain product has exactly the fields of the contract, in their order', () => {
    const view = plain.toView({ ...plainRow, subtotal: 'CANARY', einv_hash: 'CANARY' })
    expect(Object.entries(view)).toEqual([
      ['id', 'I1'],
      ['number', 'INV-2026-00042'],
      ['status', 'ISSUED'],
      ['total', '115.50'],
      ['currency', 'SAR'],
      ['issueDate', '2026-03-01'],
      ['dueDate', '2026-03-31'],
      ['createdAt', '2026-03-01T08:00:00.000Z'],
      ['updatedAt', '2026-03-01T09:30:00.123Z'],
    ])
  })

  test('has as schema exactly the fields of its view', () => {
    expect(Object.keys(plain.schema.properties)).toEqual(Object.keys(plain.toView(plainRow)))
    expect(plain.schema.required).toEqual(Object.keys(plain.schema.properties))
    expect(plain.schema['additionalProperties']).toBe(false)
  })

  test('is a collection of its own scope, with the rule of its mapping', () => {
    expect(plain).toMatchObject({ name: 'invoices', scope: 'invoices.read', invalidRows: 'skip' })
    expect(awkward.invalidRows).toBe('fail')
    expect(awkward.statuses).toBeUndefined()
  })
})

describe('a row that cannot be shown is refused by the name of its field', () => {
  test.each<[string, unknown, string]>([
    ['id', null, 'id is NULL'],
    ['number', null, 'number is NULL'],
    ['status', null, 'status is NULL'],
    ['total', null, 'total is NULL'],
    ['total', 'CANARY', 'total is not an exact number'],
    ['currency', null, 'currency is NULL'],
    ['currency', 'ZZZ', 'currency is not a currency of ISO 4217'],
    ['issueDate', null, 'issueDate is NULL'],
    ['issueDate', '0000-00-00', 'issueDate is not a real date'],
    ['dueDate', '2026-02-30', 'dueDate is not a real date'],
    ['createdAt', null, 'createdAt is NULL'],
    ['updatedAt', '0000-00-00 00:00:00.000', 'updatedAt is not a real date and time'],
  ])('%s of %o', (field, cell, reason) => {
    expect(() => plain.toView({ ...plainRow, [field]: cell })).toThrow(new RowFault(reason))
  })

  test('where a DATETIME is not real', () => {
    expect(() => awkward.toView({ ...awkwardRow, dueDate: '2026-02-30 00:00:00' })).toThrow(
      new RowFault('dueDate is not a real date and time'),
    )
  })

  test('and never by its value', () => {
    expect.hasAssertions()
    for (const { toView, row } of [
      { toView: plain.toView, row: plainRow },
      { toView: awkward.toView, row: awkwardRow },
    ]) {
      for (const field of Object.keys(row)) {
        for (const cell of ['CANARY', Buffer.from('CANARY'), ['CANARY'], { text: 'CANARY' }]) {
          try {
            toView({ ...row, [field]: cell })
          } catch (error) {
            expect(error).toBeInstanceOf(RowFault)
            expect(String(error)).not.toMatch(/canary|43414e/i)
          }
        }
      }
    }
  })
})
