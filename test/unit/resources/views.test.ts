import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/database/statement.js'
import { RowFault } from '../../../src/errors.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'

const { registrations, invoices } = resolveAwkward()

const registration: Row = {
  id: '18446744073709000001',
  eventId: Buffer.from('16774455001122338899aabbccddeeff', 'hex'),
  status: 7,
  name: null,
  name2: 'Al Qahtani',
  email: 'noura@example.com',
  checkedIn: Buffer.from([1]),
  checkedInAt: '2026-03-01 11:55:02.040999',
  createdAt: '2026-03-01 02:30:00',
  updatedAt: '2026-03-01 12:30:00.123456',
}

const invoice: Row = {
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

describe('a row that cannot be shown is refused', () => {
  test.each<[string, unknown, string, code?: string]>([
    ['eventId', Buffer.from('CANARY'), 'eventId is not 16 bytes'],
    ['status', 99, 'status is not in the mapping', '99'],
    ['name2', null, 'name is NULL in every part'],
    ['email', null, 'email is NULL'],
    ['email', Buffer.from('CANARY'), 'email is not text'],
    ['checkedIn', 'CANARY', 'checkedIn is not a boolean'],
    ['checkedInAt', '2026-02-30 00:00:00.000000', 'checkedInAt is not a real date and time'],
    ['updatedAt', 'CANARY', 'updatedAt is not a real date and time'],
  ])('by the name of its field and the reason: %s of %o', (field, cell, reason, code) => {
    expect(() => registrations.toView({ ...registration, [field]: cell })).toThrow(new RowFault(reason, code))
  })

  test.each([
    ['registration', registrations.toView, registration],
    ['invoice', invoices.toView, invoice],
  ])('and never by its value: %s', (_, toView, row) => {
    expect(() => toView(row)).not.toThrow()
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
  })
})
