import { expect, test } from 'vitest'
import { Problem } from '../../../src/errors.js'
import { addressesMax, createFailedAuthentications } from '../../../src/api/rate-limits.js'
import type { FailedAuthentications } from '../../../src/api/rate-limits.js'

interface Bench {
  readonly failures: FailedAuthentications
  readonly reported: string[]
  readonly passMs: (ms: number) => void
  /** Rejects a key; the seconds of `Retry-After` if the address has reached its limit. */
  readonly reject: (address: string) => number | undefined
}

function createBench(perMinute: number): Bench {
  let now = 1000
  const reported: string[] = []
  const failures = createFailedAuthentications({
    perMinute,
    clock: () => now,
    onLimit: (address) => reported.push(address),
  })
  return {
    failures,
    reported,
    passMs: (ms) => {
      now += ms
    },
    reject: (address) => {
      try {
        failures.reserve(address)(true)
        return undefined
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
        return Number(error.headers['retry-after'])
      }
    },
  }
}

test('an address can fail perMinute times in a minute, and gets Retry-After until its end', () => {
  const { reject, passMs } = createBench(2)
  expect([reject('10.0.0.1'), reject('10.0.0.1')]).toEqual([undefined, undefined])
  expect(reject('10.0.0.1')).toBe(60)
  expect(reject('10.0.0.2')).toBeUndefined()
  passMs(45_500)
  expect(reject('10.0.0.1')).toBe(15)
  passMs(14_600)
  expect(reject('10.0.0.1')).toBeUndefined()
})

test('a burst does not bypass the limit: reservations count until they are rejected or released', () => {
  const { failures, reject } = createBench(2)
  const reservations = [failures.reserve('10.0.0.1'), failures.reserve('10.0.0.1')]
  // Reservations end soon.
  expect(reject('10.0.0.1')).toBe(1)
  reservations[0]?.(false)
  reservations[1]?.(true)
  expect([reject('10.0.0.1'), reject('10.0.0.1')]).toEqual([undefined, 60])
})

test('an address is reported once a minute, and only after it continues', () => {
  const { reject, reported, passMs } = createBench(1)
  reject('10.0.0.1')
  expect(reported).toEqual([])
  for (let at = 0; at < 5; at += 1) reject('10.0.0.1')
  expect(reported).toEqual(['10.0.0.1'])
  passMs(60_001)
  for (let at = 0; at < 5; at += 1) reject('10.0.0.1')
  expect(reported).toEqual(['10.0.0.1', '10.0.0.1'])
})

test('IPv6 counts by the /64, a mapped IPv4 address as IPv4, and all other texts as one address', () => {
  const { reject, failures } = createBench(1)
  expect([reject('2001:db8:1:2::9'), reject('2001:DB8:1:2:3:4:5:6'), reject('2001:db8:1:3::9')]).toEqual([
    undefined,
    60,
    undefined,
  ])
  expect([reject('::ffff:10.0.0.1'), reject('10.0.0.1')]).toEqual([undefined, 60])
  expect([reject('x'.repeat(10_000)), reject('y'.repeat(10_000)), reject('')]).toEqual([undefined, 60, 60])
  expect(failures.countAddresses()).toBe(4)
})

test('a million addresses leave only addressesMax counts, and a busy address is not dropped', () => {
  const { reject, failures } = createBench(1)
  reject('192.0.2.1')
  for (let at = 0; at < 1_000_000; at += 1) {
    reject(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    if (at % 1000 === 0) reject('192.0.2.1')
  }
  expect(failures.countAddresses()).toBe(addressesMax)
  expect(reject('192.0.2.1')).toBe(60)
  expect(reject('10.0.0.0')).toBeUndefined()
})
