import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/database/statement.js'
import { RowFault } from '../../../src/errors.js'
import type { BoundCollection } from '../../../src/collections/collection.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { writeRecord } from '../../support/binary-rows.js'

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
  number: 2_147_483_647,
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
    ['checkedInAt', '2026-02-30 00:00:00.000001', 'checkedInAt is not a real date and time'],
    ['updatedAt', 'CANARY', 'updatedAt is not a real date and time'],
  ])('by the name of its field and the reason: %s of %o', (field, cell, reason, code) => {
    expect(() => writeRecord(registrations, { ...registration, [field]: cell })).toThrow(
      expect.objectContaining({ name: 'RowFault', message: reason, code }),
    )
  })

  test.each([
    ['registration', registrations, registration],
    ['invoice', invoices, invoice],
  ] as readonly (readonly [string, BoundCollection, Row])[])(
    'and never by its value: %s',
    (_, collection, row) => {
      expect(() => writeRecord(collection, row)).not.toThrow()
      for (const field of Object.keys(row)) {
        for (const cell of ['CANARY', Buffer.from('CANARY')]) {
          try {
            writeRecord(collection, { ...row, [field]: cell })
          } catch (error) {
            expect(error).toBeInstanceOf(RowFault)
            expect(String(error)).not.toMatch(/canary|43414e/i)
          }
        }
      }
    },
  )
})
