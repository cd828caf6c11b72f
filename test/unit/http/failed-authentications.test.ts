import { expect, test } from 'vitest'
import { Problem } from '../../../src/errors.js'
import { addressesMax, createRefusedKeys } from '../../../src/http/failed-authentications.js'
import type { RefusedKeys } from '../../../src/http/failed-authentications.js'

interface Bench {
  readonly refusedKeys: RefusedKeys
  readonly told: string[]
  readonly passMs: (ms: number) => void
  /** Tries a key that is refused; the seconds to wait where it is not even tried. */
  readonly refuse: (address: string) => number | undefined
}

function createBench(perMinute: number): Bench {
  let now = 1000
  const told: string[] = []
  const refusedKeys = createRefusedKeys({
    perMinute,
    clock: () => now,
    onLimit: (address) => told.push(address),
  })
  return {
    refusedKeys,
    told,
    passMs: (ms) => {
      now += ms
    },
    refuse: (address) => {
      try {
        refusedKeys.begin(address).refuse()
        return undefined
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
        return Number(error.headers['retry-after'])
      }
    },
  }
}

test('an address may send so many refused keys in a minute, then waits for its end', () => {
  const { refuse, passMs } = createBench(2)
  expect([refuse('10.0.0.1'), refuse('10.0.0.1')]).toEqual([undefined, undefined])
  expect(refuse('10.0.0.1')).toBe(60)
  expect(refuse('10.0.0.2')).toBeUndefined()
  passMs(45_500)
  expect(refuse('10.0.0.1')).toBe(15)
  passMs(14_600)
  expect(refuse('10.0.0.1')).toBeUndefined()
})

test('a burst is no way around it: a try counts while nobody knows how it ends', () => {
  const { refusedKeys, refuse } = createBench(2)
  const tries = [refusedKeys.begin('10.0.0.1'), refusedKeys.begin('10.0.0.1')]
  // What is only under way is over soon.
  expect(refuse('10.0.0.1')).toBe(1)
  tries[0]?.leave()
  tries[1]?.refuse()
  expect([refuse('10.0.0.1'), refuse('10.0.0.1')]).toEqual([undefined, 60])
})

test('good keys use up nothing', () => {
  const { refusedKeys, refuse } = createBench(1)
  for (let at = 0; at < 100; at += 1) refusedKeys.begin('10.0.0.1').leave()
  expect(refuse('10.0.0.1')).toBeUndefined()
})

test('an address is told of once a minute, and not before it goes on', () => {
  const { refuse, told, passMs } = createBench(1)
  refuse('10.0.0.1')
  expect(told).toEqual([])
  for (let at = 0; at < 5; at += 1) refuse('10.0.0.1')
  expect(told).toEqual(['10.0.0.1'])
  passMs(60_001)
  for (let at = 0; at < 5; at += 1) refuse('10.0.0.1')
  expect(told).toEqual(['10.0.0.1', '10.0.0.1'])
})

test('IPv6 counts by the /64, a mapped IPv4 address as itself, and what is no address together', () => {
  const { refuse, refusedKeys } = createBench(1)
  expect([refuse('2001:db8:1:2::9'), refuse('2001:DB8:1:2:3:4:5:6'), refuse('2001:db8:1:3::9')]).toEqual([
    undefined,
    60,
    undefined,
  ])
  expect([refuse('::ffff:10.0.0.1'), refuse('10.0.0.1')]).toEqual([undefined, 60])
  expect([refuse('x'.repeat(10_000)), refuse('y'.repeat(10_000)), refuse('')]).toEqual([undefined, 60, 60])
  expect(refusedKeys.size()).toBe(4)
})

test('0 counts nothing', () => {
  const { refuse, refusedKeys } = createBench(0)
  for (let at = 0; at < 100; at += 1) expect(refuse('10.0.0.1')).toBeUndefined()
  expect(refusedKeys.size()).toBe(0)
})

test('a million addresses take the room of some thousands, and the busy one is not forgotten', () => {
  const { refuse, refusedKeys } = createBench(1)
  refuse('192.0.2.1')
  for (let at = 0; at < 1_000_000; at += 1) {
    refuse(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`)
    if (at % 1000 === 0) refuse('192.0.2.1')
  }
  expect(refusedKeys.size()).toBe(addressesMax)
  expect(refuse('192.0.2.1')).toBe(60)
  expect(refuse('10.0.0.0')).toBeUndefined()
})
