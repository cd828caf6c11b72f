import { describe, expect, test } from 'vitest'
import {
  ConfigError,
  orUndefined,
  Problem,
  problems,
  RowFault,
  SchemaError,
  toIssueText,
} from '../../src/errors.js'

describe('the table of codes', () => {
  // Callers branch on these: an entry is never renamed, moved to another status or taken out.
  test('has every code of the contract, under its status', () => {
    const statuses = Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status]))
    expect(statuses).toMatchObject({
      invalid_parameter: 400,
      unknown_parameter: 400,
      invalid_cursor: 400,
      cursor_mismatch: 400,
      missing_key: 401,
      invalid_key: 401,
      insufficient_scope: 403,
      not_found: 404,
      method_not_allowed: 405,
      rate_limited: 429,
      internal_error: 500,
      database_unavailable: 503,
      overloaded: 503,
    })
  })
})

describe('a problem', () => {
  test('keeps what the log gets apart from what the caller gets', () => {
    const cause = new Error("Unknown column 'secret_column'")
    const problem = new Problem('internal_error', 'The request failed.', { cause })
    expect(problem.cause).toBe(cause)
    expect(problem.detail).toBe('The request failed.')
    expect(problem.message).toBe('internal_error: The request failed.')
    expect(problem.parameter).toBeUndefined()
    expect(problem.headers).toEqual({})
  })
})

describe('the faults of a configuration', () => {
  const faults = [
    { path: 'PORT', found: '"x"', allowed: 'a port, 0 to 65535' },
    { path: 'HOST', found: 'nothing', allowed: 'an address' },
  ]

  test('are one line each', () => {
    expect(toIssueText(faults[0]!)).toBe('PORT: found "x"; allowed: a port, 0 to 65535')
  })

  test.each([new ConfigError(faults), new SchemaError(faults)])('are all in the text of %s', (error) => {
    expect(error.issues).toBe(faults)
    expect(error.message.split('\n')).toEqual(faults.map(toIssueText))
  })
})

test('only a cell that cannot be represented is read as undefined, not an error of the program', () => {
  const fail = (error: Error) => (): string => {
    throw error
  }
  expect(orUndefined(() => 'a')).toBe('a')
  expect(orUndefined(fail(new RowFault('is NULL')))).toBeUndefined()
  expect(() => orUndefined(fail(new TypeError('a bug')))).toThrow(TypeError)
})
