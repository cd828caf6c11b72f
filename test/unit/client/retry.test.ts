import { describe, expect, test } from 'vitest'
import { VitrineError } from '../../../src/client/errors.js'
import { computeDelayMs, wait } from '../../../src/client/request.js'
import { parseRetryAfter } from '../../../src/client/response-info.js'

describe('the delay before a retry', () => {
  test('doubles up to 30 seconds, half of it random', () => {
    expect([0, 1, 2, 3].map((attempt) => computeDelayMs(attempt, undefined, 0))).toEqual([
      250, 500, 1000, 2000,
    ])
    expect([0, 1, 2, 3].map((attempt) => computeDelayMs(attempt, undefined, 1))).toEqual([
      500, 1000, 2000, 4000,
    ])
    expect(computeDelayMs(50, undefined, 1)).toBe(30_000)
  })

  test('is never shorter than Retry-After, and has jitter', () => {
    expect(computeDelayMs(0, 7000, 0)).toBe(7000)
    expect(computeDelayMs(0, 7000, 1)).toBe(7250)
    expect(computeDelayMs(0, 0, 0)).toBe(250)
  })
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

describe('a delay', () => {
  test('rejects with the reason of the signal, aborted before or during it', async () => {
    await expect(wait(2 ** 30, AbortSignal.abort('before'))).rejects.toBe('before')
    const during = new AbortController()
    const waiting = wait(2 ** 30, during.signal)
    during.abort('during')
    await expect(waiting).rejects.toBe('during')
  })

  test('resolves without an abort', async () => {
    await wait(1, undefined)
    await wait(1, new AbortController().signal)
  })
})
