import { expect, test } from 'vitest'
import { isNeverRead } from '../../../src/mapping/mapped-columns.js'

test.each<[pattern: string, forbidden: readonly string[], allowed: readonly string[]]>([
  ['invoices.einv_hash', ['invoices.einv_hash'], ['invoices.einv', 'invoices.einv_hash2']],
  [
    'invoices.einv_*',
    ['invoices.einv_hash', 'invoices.einv_', 'Invoices.EINV_Hash'],
    ['invoices.invoice_no', 'old_invoices.einv_hash'],
  ],
  ['INVOICES.EINV_*', ['invoices.einv_hash'], []],
  ['*.*', ['any.thing'], []],
  ['*.note*', ['bills.notes'], ['bills.no']],
  ['inv*.*hash', ['invoices.einv_hash'], []],
  ['a*b*c.d', ['aXXbYYc.d'], ['aXXc.d']],
  // A name is no expression.
  ['attendees?.gate_*', ['attendees?.gate_token'], ['attendee.gate_token']],
  ['a+b.(c)', ['a+b.(c)'], ['aab.c']],
  ['t.a\\b', ['t.a\\b'], []],
  ['t.a?', [], ['t.a']],
  ['t.a_b', [], ['t.axb']],
  ['t.[ab]', [], ['t.a']],
  ['t.größe', ['T.GRÖẞE'], []],
  ['t.secret*', ['t.secret\nline'], []],
])('neverRead %s forbids %s, and not %s', (pattern, forbidden, allowed) => {
  const isForbidden = (name: string, patterns: readonly string[]): boolean => {
    const [table = '', column = ''] = name.split('.')
    return isNeverRead(patterns, table, column)
  }
  // Any of the patterns forbids; without one, nothing is forbidden.
  for (const name of forbidden) {
    expect(isForbidden(name, ['x.y', pattern]), name).toBe(true)
    expect(isForbidden(name, [])).toBe(false)
  }
  for (const name of allowed) expect(isForbidden(name, [pattern]), name).toBe(false)
})
