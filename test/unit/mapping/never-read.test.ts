import { describe, expect, test } from 'vitest'
import { isNeverRead } from '../../../src/mapping/mapped-columns.js'

describe('neverRead', () => {
  test.each([
    ['invoices.einv_hash', 'invoices', 'einv_hash'],
    ['invoices.einv_*', 'invoices', 'einv_hash'],
    ['invoices.einv_*', 'invoices', 'einv_'],
    ['INVOICES.EINV_*', 'invoices', 'einv_hash'],
    ['invoices.einv_*', 'Invoices', 'EINV_Hash'],
    ['*.*', 'any', 'thing'],
    ['*.note*', 'bills', 'notes'],
    ['inv*.*hash', 'invoices', 'einv_hash'],
    ['a*b*c.d', 'aXXbYYc', 'd'],
    ['attendees?.gate_*', 'attendees?', 'gate_token'],
    ['a+b.(c)', 'a+b', '(c)'],
    ['t.a\\b', 't', 'a\\b'],
    ['t.größe', 'T', 'GRÖSSE'.replace('SS', 'ẞ')],
    ['t.secret*', 't', 'secret\nline'],
  ])('%s forbids %s.%s', (pattern, table, column) => {
    expect(isNeverRead([pattern], table, column)).toBe(true)
  })

  test.each([
    ['invoices.einv_*', 'invoices', 'invoice_no'],
    ['invoices.einv_*', 'old_invoices', 'einv_hash'],
    ['invoices.einv', 'invoices', 'einv_hash'],
    ['attendees?.gate_*', 'attendee', 'gate_token'],
    ['t.a?', 't', 'a'],
    ['t.a_b', 't', 'axb'],
    ['t.[ab]', 't', 'a'],
  ])('%s does not forbid %s.%s', (pattern, table, column) => {
    expect(isNeverRead([pattern], table, column)).toBe(false)
  })

  test('forbids by any of its patterns, and nothing where it has none', () => {
    expect(isNeverRead(['x.y', 't.c'], 't', 'c')).toBe(true)
    expect(isNeverRead([], 't', 'c')).toBe(false)
  })
})
