import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHostAsker } from '../../../src/database/ask-hosts.js'
import { createHostPlaces } from '../../../src/database/choose-host.js'
import { databaseUnavailable } from '../../../src/database/errors.js'
import { ranks } from '../../../src/database/host-health.js'
import type { Row, Statement } from '../../../src/database/statement.js'
import { createWaitingLine } from '../../../src/database/waiting-line.js'
import { createTestHost } from '../../support/hosts.js'

const statement: Statement = { sql: 'select 1', values: [] }
const unavailable = databaseUnavailable(new Error('gone'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Hosts that answer when the test says so; a statement may take a second. */
function start(...names: readonly string[]) {
  const hosts = names.map((name) => createTestHost(name))
  const sent: { host: string; answer: (rows: readonly Row[]) => void; fail: (error: unknown) => void }[] = []
  const line = createWaitingLine({
    places: createHostPlaces(hosts),
    limit: 10,
    refuse: () => new Error('full'),
    waitMs: 1000,
    giveUp: () => new Error('in vain'),
  })
  const asker = createHostAsker({
    hosts,
    line,
    queryTimeoutMs: 1000,
    run: ({ name }) =>
      new Promise((answer, fail) => {
        sent.push({ host: name, answer, fail })
      }),
  })
  const find = (name: string) => hosts.find((host) => host.name === name)!
  return {
    hosts,
    sent,
    find,
    ask: () => {
      const answer = asker.ask(statement, {})
      // It may be refused before the test looks at it.
      answer.catch(() => undefined)
      return answer
    },
    /** Lets time pass and looks for what has been waited for too long. */
    pass: async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      asker.hurry()
      await settle()
    },
    askedHosts: () => sent.map(({ host }) => host),
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('what one host refuses', () => {
  test('is asked of the next, and the first is doubted until it was looked at', async () => {
    const { ask, sent, find } = start('a', 'b')
    const answer = ask()
    sent[0]!.fail(unavailable)
    await settle()
    sent[1]!.answer([{ id: 1 }])
    expect(await answer).toEqual([{ id: 1 }])
    expect(sent[1]!.host).not.toBe(sent[0]!.host)
    expect(find(sent[0]!.host).health.rank()).toBe(ranks.doubted)
    expect(find(sent[1]!.host).health.rank()).toBe(ranks.well)
  })

  test('and is a fault of the statement, the next may know better of, and neither is doubted', async () => {
    const { ask, sent, hosts } = start('a', 'b')
    const answer = ask()
    sent[0]!.fail(new Error('no such table'))
    await settle()
    sent[1]!.fail(new Error('no such column'))
    await expect(answer).rejects.toThrow('no such column')
    expect(hosts.map(({ health }) => health.rank())).toEqual([ranks.well, ranks.well])
  })

  test('is asked of each host once, and then the last refusal stands', async () => {
    const { ask, sent, hosts, askedHosts } = start('a', 'b', 'c')
    const answer = ask()
    for (const at of [0, 1, 2]) {
      sent[at]!.fail(unavailable)
      await settle()
    }
    await expect(answer).rejects.toBe(unavailable)
    expect([...askedHosts()].sort()).toEqual(['a', 'b', 'c'])
    expect(hosts.map(({ claims }) => claims.total())).toEqual([0, 0, 0])
  })

  test('is not asked of one that is down while another is not', async () => {
    const { ask, sent, find } = start('a', 'b')
    find('b').miss()
    const answer = ask()
    sent[0]!.fail(unavailable)
    await expect(answer).rejects.toBe(unavailable)
    expect(sent).toHaveLength(1)
  })

  test('is asked of each where all seem to be down', async () => {
    const { ask, sent, find } = start('a', 'b')
    find('a').miss()
    find('b').miss()
    const answer = ask()
    sent[0]!.fail(unavailable)
    await settle()
    sent[1]!.answer([{ id: 2 }])
    expect(await answer).toEqual([{ id: 2 }])
  })

  test('after its time is asked of nobody else', async () => {
    const { ask, sent } = start('a', 'b')
    const answer = ask()
    await vi.advanceTimersByTimeAsync(1001)
    sent[0]!.fail(unavailable)
    await expect(answer).rejects.toBe(unavailable)
    expect(sent).toHaveLength(1)
  })
})

describe('what one host keeps silent about', () => {
  test('is asked of another after a fifth of its time, the first answer counts, and places are freed one by one', async () => {
    const { ask, sent, find, pass } = start('a', 'b')
    const answer = ask()
    await pass(150)
    expect(sent).toHaveLength(1)
    await pass(100)
    expect(sent).toHaveLength(2)
    expect(find(sent[0]!.host).health.rank()).toBe(ranks.doubted)
    sent[1]!.answer([{ id: 'second' }])
    expect(await answer).toEqual([{ id: 'second' }])
    await settle()
    expect([find(sent[0]!.host).claims.total(), find(sent[1]!.host).claims.total()]).toEqual([1, 0])
    sent[0]!.answer([{ id: 'first' }])
    await settle()
    expect(find(sent[0]!.host).claims.total()).toBe(0)
  })

  test('is asked of two at most while they are up, and of a third once they are down', async () => {
    const { ask, sent, find, pass } = start('a', 'b', 'c')
    const answer = ask()
    await pass(250)
    await pass(500)
    expect(sent).toHaveLength(2)
    find(sent[0]!.host).miss()
    await pass(50)
    expect(sent).toHaveLength(2)
    find(sent[1]!.host).miss()
    await pass(50)
    sent[2]!.answer([{ id: 3 }])
    expect(await answer).toEqual([{ id: 3 }])
  })

  test('is not asked of one that lags, until the silent one is known to be down', async () => {
    const { ask, sent, find, pass, askedHosts } = start('a', 'b')
    find('b').see(61)
    const answer = ask()
    await pass(500)
    expect(askedHosts()).toEqual(['a'])
    find('a').miss()
    await pass(50)
    sent[1]!.answer([])
    await answer
    expect(askedHosts()).toEqual(['a', 'b'])
  })

  test('is not asked of another that has no place free', async () => {
    const { ask, sent, pass } = start('a', 'b')
    const all = [ask(), ask(), ask(), ask()]
    await pass(500)
    expect(sent).toHaveLength(4)
    for (const { answer } of sent) answer([])
    await Promise.all(all)
  })

  test('does not make a refusal final while another host is asked', async () => {
    const { ask, sent, pass } = start('a', 'b')
    const answer = ask()
    await pass(250)
    sent[1]!.fail(unavailable)
    await settle()
    sent[0]!.answer([{ id: 1 }])
    expect(await answer).toEqual([{ id: 1 }])
  })
})
