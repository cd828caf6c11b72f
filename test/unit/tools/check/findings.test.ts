import { expect, test } from 'vitest'
import { databaseUnavailable } from '../../../../src/database/errors.js'
import { createError, createWarning, sortFindings } from '../../../../src/finding.js'
import type { Mapping } from '../../../../src/mapping/mapping-schema.js'
import { contradict, describeFailure, toFindings } from '../../../../src/tools/check/findings.js'

test('a statement that takes too long or is denied has a reason, and any other error is none of the report', () => {
  const late = databaseUnavailable(Object.assign(new Error('maximum time exceeded'), { errno: 3024 }))
  expect(describeFailure(late)).toBe('maximum time exceeded')
  expect(describeFailure(Object.assign(new Error('denied'), { errno: 1142 }))).toBe('denied')
  expect(() => describeFailure(new TypeError('x'))).toThrow(TypeError)
})

test.each(['invoices.fields.total', 'apiKeys', 'timezone', 'meta.meta_value'])(
  'a warning about %s is confirmed by what it prints, until it has grown by more than a tenth',
  (place) => {
    const list = (rows: number, confirmed: Record<string, number>) =>
      toFindings([contradict(false, [place], 'p', 'f', rows, 'name')], { invoices: { confirmed } } as Mapping)
    const meant = 'f; if it is meant, write confirmed: { name: 20 } in invoices'
    expect(list(20, { other: 20 })).toEqual([createWarning(place, 'p', meant)])
    expect([list(22, { name: 20 }), list(23, { name: 20 }).length]).toEqual([[], 1])
  },
)

test('of findings with one key the first error is kept, and errors come first', () => {
  const findings = [createWarning('a', 'w', 'f'), createError('b', 'e', 'g'), createError('a', 'e', 'f')]
  const kept = sortFindings(findings, ({ object, fix }) => object + fix)
  expect(kept.map(({ severity, object }) => `${severity} ${object}`)).toEqual(['error b', 'error a'])
})
