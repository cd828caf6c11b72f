import { describe, expect, test } from 'vitest'
import type { Row } from '../../../src/database/statement.js'
import { RowFault } from '../../../src/errors.js'
import { resolveAwkward } from '../../support/awkward-mapping.js'
import { resolvePlain } from '../../support/plain-mapping.js'

const plain = resolvePlain().registrations
const awkward = resolveAwkward().registrations

const plainRow: Row = {
  id: 'R1',
  eventId: 'E1',
  status: 'CONFIRMED',
  name: 'نورة القحطاني',
  email: 'Noura@Example.com',
  checkedInAt: '2026-03-01 08:55:02.040',
  createdAt: '2026-02-20 14:05:11.000',
  updatedAt: '2026-03-01 09:30:00.123',
}

const awkwardRow: Row = {
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

describe('a registration', () => {
  test('of the plain product has exactly the fields of the contract, in their order', () => {
    const view = plain.toView({ ...plainRow, phone: 'CANARY', badge: 'CANARY' })
    expect(Object.entries(view)).toEqual([
      ['id', 'R1'],
      ['eventId', 'E1'],
      ['status', 'CONFIRMED'],
      ['name', 'نورة القحطاني'],
      ['email', 'Noura@Example.com'],
      ['checkedIn', true],
      ['checkedInAt', '2026-03-01T08:55:02.040Z'],
      ['createdAt', '2026-02-20T14:05:11.000Z'],
      ['updatedAt', '2026-03-01T09:30:00.123Z'],
    ])
  })

  test('has as schema exactly the fields of its view', () => {
    for (const { schema } of [plain, awkward]) {
      expect(Object.keys(schema.properties)).toEqual(Object.keys(plain.toView(plainRow)))
      expect(schema.required).toEqual(Object.keys(schema.properties))
      expect(schema['additionalProperties']).toBe(false)
    }
  })

  test('is a collection of its own scope, with the statuses of its mapping once each', () => {
    expect(plain).toMatchObject({ name: 'registrations', scope: 'registration.read', invalidRows: 'skip' })
    expect(plain.statuses).toBeUndefined()
    expect(awkward.statuses).toEqual(['CONFIRMED', 'PENDING', 'CANCELLED'])
  })
})

describe('a row that cannot be shown is refused by the name of its field', () => {
  test.each<[string, unknown, string, code?: string]>([
    ['id', null, 'id is NULL'],
    ['eventId', Buffer.from('CANARY'), 'eventId is not 16 bytes'],
    ['status', 99, 'status is not in the mapping', '99'],
    ['status', null, 'status is NULL'],
    ['name2', null, 'name is NULL in every part'],
    ['email', null, 'email is NULL'],
    ['email', Buffer.from('CANARY'), 'email is not text'],
    ['checkedIn', null, 'checkedIn is NULL'],
    ['checkedIn', 'CANARY', 'checkedIn is not a boolean'],
    ['checkedInAt', '2026-02-30 00:00:00.000000', 'checkedInAt is not a real date and time'],
    ['createdAt', '2026-02-30 00:00:00', 'createdAt is not a real date and time'],
    ['updatedAt', null, 'updatedAt is NULL'],
    ['updatedAt', 'CANARY', 'updatedAt is not a real date and time'],
  ])('%s of %o', (field, cell, reason, code) => {
    expect(() => awkward.toView({ ...awkwardRow, [field]: cell })).toThrow(new RowFault(reason, code))
  })

  test('and never by its value', () => {
    expect.hasAssertions()
    for (const field of Object.keys(awkwardRow)) {
      for (const cell of ['CANARY', Buffer.from('CANARY'), ['CANARY'], { text: 'CANARY' }]) {
        try {
          awkward.toView({ ...awkwardRow, [field]: cell })
        } catch (error) {
          expect(error).toBeInstanceOf(RowFault)
          expect(String(error)).not.toMatch(/canary|43414e/i)
        }
      }
    }
  })
})
