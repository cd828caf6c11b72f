import { expect, test } from 'vitest'
import { VitrineError } from '../../../src/client/errors.js'
import { computeDelayMs } from '../../../src/client/request.js'
import { parseRetryAfter } from '../../../src/client/response-info.js'

test.each([
  [0, undefined, 0, 250],
  [3, undefined, 1, 4000],
  [50, undefined, 1, 30_000],
  [0, 7000, 0, 7000],
  [0, 7000, 1, 7250],
])('after %s failures, Retry-After %s, chance %s: a delay of %s ms', (failures, after, chance, ms) => {
  expect(computeDelayMs(failures, after, chance)).toBe(ms)
})

test.each([
  ['0', 0],
  ['17', 17_000],
  ['Sun, 01 Mar 2026 09:30:05 GMT', 5000],
  ['Sun, 01 Mar 2026 09:29:00 GMT', 0],
  ['soon', undefined],
  [null, undefined],
])('Retry-After: %s is %s ms', (text, ms) => {
  expect(parseRetryAfter(text, Date.parse('2026-03-01T09:30:00Z'))).toBe(ms)
})

test('408, 429, 5xx, network errors and timeouts are transient, and nothing else', () => {
  const statuses = [undefined, 400, 401, 403, 404, 408, 429, 500, 501, 502, 503, 504]
  const transient = statuses.filter((status) => new VitrineError('any', '', { status }).isTransient)
  expect(transient).toEqual([408, 429, 500, 501, 502, 503, 504])
  expect(new VitrineError('network_error', '').isTransient).toBe(true)
  expect(new VitrineError('timeout', '').isTransient).toBe(true)
})
