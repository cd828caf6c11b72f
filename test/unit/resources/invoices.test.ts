import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/database/statement.js'
import { RowFault } from '../../../src/errors.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain, resolvePlainWith } from '../../support/plain-mapping.js'

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

  test('of the awkward product is shown in the same form', () => {
    expect(awkward.toView(awkwardRow)).toEqual({
      id: '00112233-4455-1677-8899-aabbccddeeff',
      number: '4294967295',
      status: 'Zurück',
      total: '11.550',
      currency: 'KWD',
      issueDate: '2026-02-28T23:30:00.000Z',
      dueDate: '2026-03-31T12:00:00.000Z',
      createdAt: '2026-03-01T08:00:00.123Z',
      updatedAt: '2026-03-01T09:30:00.999Z',
    })
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

  test('has no due date where the product leaves it empty', () => {
    expect(plain.toView({ ...plainRow, dueDate: null }).dueDate).toBeNull()
    expect(awkward.toView({ ...awkwardRow, dueDate: null }).dueDate).toBeNull()
  })

  test('has the currency of the mapping where that is constant', () => {
    const bound = resolvePlainWith([], 'currency: currency_code', 'currency: { constant: JPY }')
    const { currency: _none, ...row } = plainRow
    expect(bound.invoices.toView({ ...row, total: '1500.0000' })).toMatchObject({
      total: '1500',
      currency: 'JPY',
    })
  })

  test.each([null, ''])('has the first currency that is not empty: %j counts as empty', (currency) => {
    const first = 'currency: { first: [currency_code, { constant: JPY }] }'
    const { invoices } = resolvePlainWith([], 'currency: currency_code', first)
    expect(invoices.toView(plainRow)).toMatchObject({ total: '115.50', currency: 'SAR' })
    expect(invoices.toView({ ...plainRow, currency })).toMatchObject({ total: '115.5', currency: 'JPY' })
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
