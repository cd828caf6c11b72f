import { expect, test } from 'vitest'
import { computeDelayMs } from '../../../src/client/request.js'
import { parseRetryAfter } from '../../../src/client/response-info.js'

test.each([
  [3, undefined, 1, 4000],
  [50, undefined, 1, 30_000],
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
