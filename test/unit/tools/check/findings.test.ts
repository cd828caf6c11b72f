import { expect, test } from 'vitest'
import { databaseUnavailable } from '../../../../src/database/errors.js'
import { createError, createWarning, sortFindings } from '../../../../src/finding.js'
import { describeFailure } from '../../../../src/tools/check/findings.js'

test('a statement that takes too long or is denied has a reason, and any other error is none of the report', () => {
  const late = databaseUnavailable(Object.assign(new Error('maximum time exceeded'), { errno: 3024 }))
  expect(describeFailure(late)).toBe('maximum time exceeded')
  expect(describeFailure(Object.assign(new Error('denied'), { errno: 1142 }))).toBe('denied')
  expect(() => describeFailure(new TypeError('x'))).toThrow(TypeError)
})

test('of findings with one key the first error is kept, and errors come first', () => {
  const findings = [createWarning('a', 'w', 'f'), createError('b', 'e', 'g'), createError('a', 'e', 'f')]
  const kept = sortFindings(findings, ({ object, fix }) => object + fix)
  expect(kept.map(({ severity, object }) => `${severity} ${object}`)).toEqual(['error b', 'error a'])
})
