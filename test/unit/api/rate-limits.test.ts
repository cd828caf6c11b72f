import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Problem } from '../../../src/problems.js'
import { addressesMax, createFailedAuthentications, createRateLimit } from '../../../src/api/rate-limits.js'
import type { Observe } from '../../../src/api/observation.js'
import { createRequestContext } from '../../../src/api/request-context.js'

/** The seconds of `Retry-After` if this is refused. */
function readRetryAfter(run: () => void): string | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
    return error.headers['retry-after']
  }
}

/** A caller of a limit by its own clock. */
function createCaller(perMinute: number) {
  const time = { now: 1000 }
  const limitRate = createRateLimit({ perMinute, keysMax: 10, clock: () => time.now })
  let headers: Readonly<Record<string, unknown>> = {}
  const reply = { headers: (sent: typeof headers) => (headers = sent) } as unknown as FastifyReply
  const send = (keyId: string) => {
    const key = { keyId, workspaceId: 'W', scopes: [], expiresAt: undefined, rateLimitPerMinute: undefined }
    const request = { context: { ...createRequestContext(), principal: key } } as unknown as FastifyRequest
    const retryAfter = readRetryAfter(() => {
      limitRate(request, reply)
    })
    return { headers, retryAfter }
  }
  return { time, send }
}

/** Addresses that fail, by their own clock. */
function createFailing(perMinute: number) {
  const time = { now: 1000 }
  const reported: string[] = []
  const observe: Observe = (event) =>
    reported.push(event.kind === 'address limited' ? event.address : event.kind)
  const failures = createFailedAuthentications({ perMinute, clock: () => time.now, observe })
  const reject = (address: string) =>
    readRetryAfter(() => {
      failures.reserve(address)(true)
    })
  return { time, failures, reported, reject }
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

test('a burst does not bypass the limit: reservations count until they are rejected or released', () => {
  const { failures, reject } = createFailing(2)
  const [first, second] = [failures.reserve('a'), failures.reserve('a')]
  // Reservations end soon.
  expect(reject('a')).toBe('1')
  first(false)
  second(true)
  expect([reject('a'), reject('a')]).toEqual([undefined, '60'])
})

test('an address is reported once a minute, and only after it continues', () => {
  const { reject, reported, time } = createFailing(1)
  const rejectOften = (times: number): number => {
    for (let at = 0; at < times; at += 1) reject('a')
    return reported.length
  }
  const counts = [rejectOften(1), rejectOften(5)]
  time.now += 60_001
  expect([...counts, rejectOften(1), rejectOften(5)]).toEqual([0, 1, 1, 2])
})

test('IPv6 counts by the /64, a mapped IPv4 address as IPv4, and all other texts as one address', () => {
  const { reject, failures } = createFailing(1)
  for (const [first, again] of [
    ['2001:db8:1:2::9', '2001:DB8:1:2:3:4:5:6'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['x'.repeat(10_000), 'y'.repeat(10_000)],
  ] as const)
    expect([reject(first), reject(again)]).toEqual([undefined, '60'])
  expect([reject('2001:db8:1:3::9'), reject('')]).toEqual([undefined, '60'])
  expect(failures.countAddresses()).toBe(4)
})

test('many addresses leave only addressesMax counts, and a busy address is not dropped', () => {
  const { reject, failures } = createFailing(1)
  reject('192.0.2.1')
  for (let at = 0; at < 3 * addressesMax; at += 1) {
    reject(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    if (at % 1000 === 0) reject('192.0.2.1')
  }
  expect(failures.countAddresses()).toBe(addressesMax)
  expect(reject('192.0.2.1')).toBe('60')
  expect(reject('10.0.0.0')).toBeUndefined()
})
