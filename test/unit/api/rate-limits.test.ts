import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Problem } from '../../../src/errors.js'
import { createRateLimit } from '../../../src/api/rate-limits.js'
import { createRequestContext } from '../../../src/api/request-context.js'

const keysMax = 10_000

/** A caller of a limit by its own clock. */
function createCaller(perMinute: number) {
  const time = { now: 1000 }
  const limitRate = createRateLimit({ perMinute, keysMax, clock: () => time.now })
  let sent: Readonly<Record<string, unknown>> = {}
  const reply = {
    headers: (headers: Readonly<Record<string, unknown>>) => {
      sent = headers
    },
  } as unknown as FastifyReply
  /** The headers of an answer, and the seconds of `Retry-After` if it is rejected. */
  const send = (keyId: string, rateLimitPerMinute?: number) => {
    const principal = { keyId, workspaceId: 'W', scopes: [], expiresAt: undefined, rateLimitPerMinute }
    const context = { ...createRequestContext(), principal }
    try {
      limitRate({ context } as unknown as FastifyRequest, reply)
      return { headers: sent, retryAfter: undefined }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { headers: sent, retryAfter: error.headers['retry-after'] }
    }
  }
  return { time, send }
}

test('a key has its requests of a minute, and gets Retry-After until its end', () => {
  const { time, send } = createCaller(2)
  const toHeaders = (remaining: number, reset: number) => ({
    'ratelimit-limit': 2,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
    'ratelimit-policy': '"default";q=2;w=60',
    ratelimit: `"default";r=${remaining};t=${reset}`,
  })
  expect(send('K')).toEqual({ headers: toHeaders(1, 60), retryAfter: undefined })
  time.now += 20_500
  expect(send('K')).toEqual({ headers: toHeaders(0, 40), retryAfter: undefined })
  expect(send('K')).toEqual({ headers: toHeaders(0, 40), retryAfter: '40' })
  expect(send('other').retryAfter).toBeUndefined()
  time.now += 39_600
  expect(send('K')).toEqual({ headers: toHeaders(1, 60), retryAfter: undefined })
})

test('a system clock that steps forward and back changes nothing', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { time, send } = createCaller(1)
  vi.setSystemTime(Date.UTC(2026, 0, 1, 13))
  expect(send('K').retryAfter).toBeUndefined()
  vi.setSystemTime(Date.UTC(2026, 0, 1, 11))
  expect(send('K').retryAfter).toBe('60')
  time.now += 60_001
  expect(send('K').retryAfter).toBeUndefined()
})

test('a million keys leave only keysMax counts', () => {
  const { send } = createCaller(2_000_000)
  const count = (at: number): number => 2_000_000 - Number(send(`key ${at}`).headers['ratelimit-remaining'])
  for (let at = 0; at < 1_000_000; at += 1) count(at)
  // The oldest counted key is known; the one before it starts again at one.
  expect(count(1_000_000 - keysMax)).toBe(2)
  expect(count(1_000_000 - keysMax - 1)).toBe(1)
})
