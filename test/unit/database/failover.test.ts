import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databaseUnavailable } from '../../../src/database/errors.js'
import { dropDownHosts } from '../../../src/database/hosts.js'
import { Scheduler } from '../../../src/database/scheduler.js'
import type { Row } from '../../../src/database/statement.js'
import { createTestHost } from '../../support/hosts.js'

const unavailable = databaseUnavailable(new Error('connection lost'))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Sent {
  readonly sql: string
  readonly host: string
  readonly answer: (rows: readonly Row[]) => void
  readonly fail: (error: unknown) => void
}

/** Hosts with two slots each, which answer when the test calls `answer`; the time limit is a second. */
function start(...names: readonly string[]) {
  const sent: Sent[] = []
  const dropped: string[] = []
  const hosts = names.map((name) =>
    createTestHost(name, 2, () => {
      dropped.push(name)
      for (const { host, fail } of sent) if (host === name) fail(unavailable)
    }),
  )
  const scheduler = new Scheduler({
    hosts,
    queueLimit: 10,
    queryTimeoutMs: 1000,
    resultBytesMax: 1_000_000,
    oneResultBytesMax: 1_000_000,
    run: ({ name }, { sql }) =>
      new Promise((answer, fail) => {
        sent.push({ sql, host: name, answer: answer, fail })
      }),
  })
  return {
    hosts,
    sent,
    dropped,
    find: (name: string) => hosts.find((host) => host.name === name)!,
    run: (sql = 'select 1') => {
      const answer = scheduler.run({ sql, values: [] })
      // It can be rejected before the test awaits it.
      answer.catch(() => undefined)
      return answer
    },
    listSent: () => sent.map(({ host }) => host),
  }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a statement that fails at a host', () => {
  test('runs at another one, and the first is suspect until its next health check', async () => {
    const { run, sent, find } = start('a', 'b')
    const answer = run()
    sent[0]!.fail(unavailable)
    await settle()
    sent[1]!.answer([{ id: 1 }])
    expect(await answer).toEqual([{ id: 1 }])
    expect(sent[1]!.host).not.toBe(sent[0]!.host)
    expect(find(sent[0]!.host).health.state()).toBe('suspect')
    expect(find(sent[1]!.host).health.state()).toBe('healthy')
  })

  test('with an error of the statement also runs at another one, and neither is suspect', async () => {
    const { run, sent, hosts } = start('a', 'b')
    const answer = run()
    sent[0]!.fail(new Error('no such table'))
    await settle()
    sent[1]!.fail(new Error('no such column'))
    await expect(answer).rejects.toThrow('no such column')
    expect(hosts.map(({ health }) => health.state())).toEqual(['healthy', 'healthy'])
  })

  test('runs at each host once, then fails with the last error, and frees every slot', async () => {
    const { run, sent, hosts, listSent } = start('a', 'b', 'c')
    const answer = run()
    for (const at of [0, 1, 2]) {
      sent[at]!.fail(unavailable)
      await settle()
    }
    await expect(answer).rejects.toBe(unavailable)
    expect(listSent().sort()).toEqual(['a', 'b', 'c'])
    expect(hosts.map(({ active }) => active.total())).toEqual([0, 0, 0])
  })

  test('does not run at a host that is down while another is not', async () => {
    const { run, sent, find } = start('a', 'b')
    find('b').failCheck()
    const answer = run()
    sent[0]!.fail(unavailable)
    await expect(answer).rejects.toBe(unavailable)
    expect(sent).toHaveLength(1)
  })

  test('runs at a host that is down if every host is', async () => {
    const { run, sent, find } = start('a', 'b')
    find('a').failCheck()
    find('b').failCheck()
    const answer = run()
    sent[0]!.fail(unavailable)
    await settle()
    sent[1]!.answer([{ id: 2 }])
    expect(await answer).toEqual([{ id: 2 }])
  })

  test('after its time limit runs at a second host, and at a third if the second fails sooner', async () => {
    const { run, sent } = start('a', 'b', 'c')
    const answer = run()
    await vi.advanceTimersByTimeAsync(1001)
    sent[0]!.fail(unavailable)
    await settle()
    await vi.advanceTimersByTimeAsync(900)
    sent[1]!.fail(unavailable)
    await settle()
    sent[2]!.answer([{ id: 3 }])
    expect(await answer).toEqual([{ id: 3 }])
  })

  test('after its time limit at each of two hosts does not run at a third', async () => {
    const { run, sent } = start('a', 'b', 'c')
    const answer = run()
    for (const at of [0, 1]) {
      await vi.advanceTimersByTimeAsync(1001)
      sent[at]!.fail(unavailable)
      await settle()
    }
    await expect(answer).rejects.toBe(unavailable)
    expect(sent).toHaveLength(2)
  })

  test('is not repeated if there is one host only', async () => {
    const { run, sent } = start('a')
    const answer = run()
    sent[0]!.fail(unavailable)
    await expect(answer).rejects.toBe(unavailable)
    expect(sent).toHaveLength(1)
  })

  test('fails with the error of the queue if no slot of another host becomes free', async () => {
    const { run, sent, find } = start('a', 'b')
    for (let at = 0; at < 2; at += 1) find('b').active.add({}, 1)
    const answer = run()
    sent[0]!.fail(unavailable)
    await settle()
    await vi.advanceTimersByTimeAsync(1001)
    await expect(answer).rejects.toMatchObject({ code: 'database_unavailable' })
  })
})

describe('a host that is down', () => {
  test('loses its connections, and what was in flight there runs at another host, before the queue', async () => {
    const { run, sent, hosts, dropped, find } = start('a', 'b')
    const all = ['1', '2', '3', '4', '5'].map((sql) => run(sql))
    expect(sent).toHaveLength(4)
    const lost = sent.filter(({ host }) => host === 'a').map(({ sql }) => sql)
    find('a').failCheck()
    dropDownHosts(hosts)
    await settle()
    expect(dropped).toEqual(['a'])
    expect(find('a').active.total()).toBe(0)
    for (let round = 0; round < 3; round += 1) {
      for (const one of sent) if (one.host === 'b') one.answer([])
      await settle()
    }
    await Promise.all(all)
    const after = sent.slice(4).map(({ host, sql }) => [host, sql])
    expect(after.map(([host]) => host)).toEqual(['b', 'b', 'b'])
    expect(
      after
        .slice(0, 2)
        .map(([, sql]) => sql)
        .sort(),
    ).toEqual(lost.sort())
    expect(after[2]).toEqual(['b', '5'])
  })

  test('keeps its connections while every host is down, and loses them once another is back', () => {
    const { hosts, dropped, find } = start('a', 'b')
    find('a').failCheck()
    find('b').failCheck()
    dropDownHosts(hosts)
    expect(dropped).toEqual([])
    find('b').findLag(0)
    dropDownHosts(hosts)
    expect(dropped).toEqual(['a'])
  })

  test('keeps its connections if it is the only one', () => {
    const { hosts, dropped, find } = start('a')
    find('a').failCheck()
    dropDownHosts(hosts)
    expect(dropped).toEqual([])
  })
})
