import { describe, expect, test } from 'vitest'
import { createHostSlots } from '../../../src/database/hosts.js'
import type { Host } from '../../../src/database/hosts.js'
import { createTestHost } from '../../support/hosts.js'
import type { TestHost } from '../../support/hosts.js'

function start(names: readonly string[]) {
  const hosts = new Map(names.map((name) => [name, createTestHost(name)]))
  const slots = createHostSlots([...hosts.values()])
  const toSet = (not: readonly string[]): ReadonlySet<Host> => new Set(not.map((name) => hosts.get(name)!))
  const choose = (freshest: boolean, not: readonly string[]): string | undefined =>
    slots.take({ freshest, not: toSet(not) })?.name
  return {
    hosts: Object.fromEntries(hosts) as Record<string, TestHost>,
    take: (...not: readonly string[]) => choose(false, not),
    takeFreshest: (...not: readonly string[]) => choose(true, not),
    giveBack: (name: string) => {
      slots.giveBack(hosts.get(name)!, {})
    },
    hasSlot: () => slots.hasSlot({}),
  }
}

/** Takes a place and gives it back, so many times; returns whose they were. */
function takeInTurn(
  { take, giveBack }: Pick<ReturnType<typeof start>, 'take' | 'giveBack'>,
  times: number,
): readonly string[] {
  return Array.from({ length: times }, () => {
    const name = take()!
    giveBack(name)
    return name
  })
}

describe('reads', () => {
  test('go to the host with the least to do, and in turn to those with the same', () => {
    const { take, giveBack } = start(['a', 'b', 'c'])
    expect([take(), take(), take()].sort()).toEqual(['a', 'b', 'c'])
    giveBack('b')
    expect(take()).toBe('b')
    expect([take(), take(), take()].sort()).toEqual(['a', 'b', 'c'])
  })

  test('of idle hosts take turns', () => {
    const { take, giveBack } = start(['a', 'b'])
    const taken = takeInTurn({ take, giveBack }, 4)
    expect(new Set(taken)).toEqual(new Set(['a', 'b']))
  })

  test('wait when the hosts that are well have no place, though others have', () => {
    const { hosts, take, hasSlot } = start(['a', 'b', 'c'])
    hosts['b']!.failCheck()
    hosts['c']!.findLag(61)
    expect([take(), take(), take()]).toEqual(['a', 'a', undefined])
    expect(hasSlot()).toBe(false)
    hosts['c']!.findLag(60)
    expect(hasSlot()).toBe(true)
    expect(take()).toBe('c')
  })

  test('go to one that is doubted before one that lags, and to one that lags before one that is down', () => {
    const { hosts, take } = start(['a', 'b', 'c'])
    hosts['a']!.failCheck()
    hosts['b']!.findLag(61)
    hosts['c']!.health.noteError()
    expect([take(), take('c'), take('b', 'c')]).toEqual(['c', 'b', 'a'])
  })

  test('go where all lag to the freshest, and to those that are hardly behind it', () => {
    const { hosts, take, giveBack } = start(['a', 'b', 'c'])
    hosts['a']!.findLag(100)
    hosts['b']!.findLag(104)
    hosts['c']!.findLag(300)
    const taken = takeInTurn({ take, giveBack }, 6)
    expect(new Set(taken)).toEqual(new Set(['a', 'b']))
  })

  test('go where all are down to each of them', () => {
    const { hosts, take } = start(['a', 'b'])
    hosts['a']!.failCheck()
    hosts['b']!.failCheck()
    expect([take(), take()].sort()).toEqual(['a', 'b'])
  })

  test('go nowhere when every host was asked', () => {
    const { take } = start(['a', 'b'])
    expect(take('a', 'b')).toBeUndefined()
  })
})

describe('what wants the freshest', () => {
  test('goes to the primary, then to the replica that is least behind', () => {
    const { hosts, takeFreshest } = start(['far', 'near', 'primary'])
    hosts['far']!.findLag(9)
    hosts['near']!.findLag(1)
    hosts['primary']!.findPrimary()
    expect(Array.from({ length: 7 }, () => takeFreshest())).toEqual([
      ...['primary', 'primary', 'near', 'near', 'far', 'far'],
      undefined,
    ])
  })

  test('is spread where no host tells its lag', () => {
    const { takeFreshest } = start(['a', 'b'])
    expect([takeFreshest(), takeFreshest()].sort()).toEqual(['a', 'b'])
  })
})

test('a lone host has its places, whatever is known of it', () => {
  const { hosts, take, giveBack, hasSlot } = start(['a'])
  hosts['a']!.failCheck()
  expect([take(), take(), take(), hasSlot()]).toEqual(['a', 'a', undefined, false])
  giveBack('a')
  expect(take()).toBe('a')
})
