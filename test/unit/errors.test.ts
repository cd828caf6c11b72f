import { expect, test } from 'vitest'
import { ConfigError, problems, SchemaError } from '../../src/errors.js'

// Callers branch on these: an entry is never renamed, moved to another status or taken out.
test('the table of codes has every code of the contract, under its status', () => {
  expect(Object.entries(problems).map(([code, { status }]) => `${status} ${code}`)).toEqual(
    expect.arrayContaining([
      ...[
        ...['invalid_parameter', 'unknown_parameter', 'invalid_cursor', 'cursor_mismatch'],
        ...['malformed_request'],
      ].map((code) => `400 ${code}`),
      ...['401 missing_key', '401 invalid_key', '403 insufficient_scope', '404 not_found'],
      ...['405 method_not_allowed', '408 request_timeout', '414 uri_too_long', '429 rate_limited'],
      ...['431 headers_too_large', '500 internal_error', '503 database_unavailable', '503 overloaded'],
    ]),
  )
})

test('the issues of a configuration are a line each', () => {
  const issues = [
    { path: 'PORT', found: '"x"', allowed: 'a port, 0 to 65535' },
    { path: 'HOST', found: 'nothing', allowed: 'an address' },
  ]
  for (const error of [new ConfigError(issues), new SchemaError(issues)])
    expect([error.issues, error.message]).toEqual([
      issues,
      'PORT: found "x"; allowed: a port, 0 to 65535\nHOST: found nothing; allowed: an address',
    ])
})
