import { expect, test } from 'vitest'
import { findNearest } from '../../../src/client/text.js'

const names = ['id', 'reg_status', 'attendee_name', 'attendee_email', 'created_at', 'updated_at']

test.each([
  ['atendee_name', 'attendee_name'],
  ['attendee_eamil', 'attendee_email'],
  ['UPDATED_A', 'updated_at'],
  ['created', 'created_at'],
  ['di', undefined],
  ['status', 'reg_status'],
  ['', undefined],
  ['x'.repeat(64), undefined],
  ['limit', undefined],
])('the nearest name of %o is %o', (name, expected) => {
  expect(findNearest(name, names)).toBe(expected)
})
