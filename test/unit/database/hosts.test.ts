import { describe, expect, test } from 'vitest'
import type { Host } from '../../../src/database/hosts.js'
import { createSlots } from '../../../src/database/waiting.js'
import { createTestHost } from '../../support/hosts.js'
import type { TestHost } from '../../support/hosts.js'

function start(names: readonly string[]) {
  const hosts = new Map(names.map((name) => [name, createTestHost(name)]))
  const slots = createSlots([...hosts.values()])
  const toSet = (not: readonly string[]): ReadonlySet<Host> => new Set(not.map((name) => hosts.get(name)!))
  const choose = (freshest: boolean, not: readonly string[]): string | undefined =>
    slots.take({ freshest }, toSet(not))?.name
  return {
    hosts: Object.fromEntries(hosts) as Record<string, TestHost>,
    take: (...not: readonly string[]) => choose(false, not),
    takeFreshest: (...not: readonly string[]) => choose(true, not),
    giveBack: (name: string) => {
      slots.giveBack(hosts.get(name)!, {})
    },
  }
}

/** Takes a slot and gives it back, several times. @returns the hosts of the slots. */
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
  test('go to the least busy host, and in turn to hosts that are equally busy', () => {
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

  test('stay in the queue while the healthy hosts have no slot, although others have', () => {
    const { hosts, take } = start(['a', 'b', 'c'])
    hosts['b']!.failCheck()
    hosts['c']!.findLag(61)
    expect([take(), take(), take()]).toEqual(['a', 'a', undefined])
    for (let check = 0; check < 2; check += 1) hosts['c']!.findLag(60)
    expect(take()).toBe('c')
  })

  test('prefer a suspect host to one that lags, and a host that lags to one that is down', () => {
    const { hosts, take } = start(['a', 'b', 'c'])
    hosts['a']!.failCheck()
    hosts['b']!.findLag(61)
    hosts['c']!.health.noteError()
    expect([take(), take('c'), take('b', 'c')]).toEqual(['c', 'b', 'a'])
  })

  test('go to the freshest hosts and those with nearly the same lag if every host lags', () => {
    const { hosts, take, giveBack } = start(['a', 'b', 'c'])
    hosts['a']!.findLag(100)
    hosts['b']!.findLag(104)
    hosts['c']!.findLag(300)
    const taken = takeInTurn({ take, giveBack }, 6)
    expect(new Set(taken)).toEqual(new Set(['a', 'b']))
  })

  test('go to every host if all are down', () => {
    const { hosts, take } = start(['a', 'b'])
    hosts['a']!.failCheck()
    hosts['b']!.failCheck()
    expect([take(), take()].sort()).toEqual(['a', 'b'])
  })

  test('have no slot when every host was tried', () => {
    const { take } = start(['a', 'b'])
    expect(take('a', 'b')).toBeUndefined()
  })
})

describe('reads of the freshest host', () => {
  test('go to the primary, then to the replica with the least lag', () => {
    const { hosts, takeFreshest } = start(['far', 'near', 'primary'])
    hosts['far']!.findLag(9)
    hosts['near']!.findLag(1)
    hosts['primary']!.findPrimary()
    expect(Array.from({ length: 7 }, () => takeFreshest())).toEqual([
      ...['primary', 'primary', 'near', 'near', 'far', 'far'],
      undefined,
    ])
  })

  test('are spread if the lag of no host is known', () => {
    const { takeFreshest } = start(['a', 'b'])
    expect([takeFreshest(), takeFreshest()].sort()).toEqual(['a', 'b'])
  })
})

test('a single host is used whatever its health is', () => {
  const { hosts, take, giveBack } = start(['a'])
  hosts['a']!.failCheck()
  expect([take(), take(), take()]).toEqual(['a', 'a', undefined])
  giveBack('a')
  expect(take()).toBe('a')
})
