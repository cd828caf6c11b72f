import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../../src/tools/report/report.js'
import { checkConnection, countServers } from '../../../../src/tools/check/check-connection.js'
import { checkClock, readClock } from '../../../../src/tools/check/check-times.js'
import { checkTransactions, readLongestWrite } from '../../../../src/tools/check/check-transactions.js'
import type { LongestWrite } from '../../../../src/tools/check/check-transactions.js'
import type { OldestOpen } from '../../../../src/tools/check/oldest-open.js'
import type { Cell } from '../../../../src/tools/report/report.js'
import type { RunQuery } from '../../../../src/database/statement.js'

const toTexts = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ severity, object, problem }) => `${severity}: ${object} ${problem}`)

describe('the section of the connection', () => {
  const check = (lags: readonly Cell[], host = '127.0.0.1', tls = 'off'): readonly string[] => {
    const hosts = lags.map((_, at) => ({ host, port: 3306 + at }))
    const states = lags.map((lag, at) => ({ host: `h${at}`, lag }))
    return toTexts(checkConnection({ hosts, tls, name: 'shop', lagMaxSeconds: 10 }, states).findings)
  }

  test.each(['db.internal', '10.0.0.1'])('warns of a connection to %s without TLS', (host) => {
    expect(check([0], host)).toEqual([expect.stringMatching(/^warning: DATABASE_TLS /)])
    expect(check([0], host, 'verify-identity')).toEqual([])
  })

  test.each(['localhost', '127.0.0.1', '::1'])('allows no TLS to %s', (host) => {
    expect(check([0], host)).toEqual([])
  })

  test('warns of each host whose lag is hidden, too great or without end', () => {
    expect(check([null, 11, 'stopped', 10, 'no replica'])).toEqual([
      expect.stringMatching(/^warning: host h0 does not show whether its data are fresh/),
      expect.stringMatching(/^warning: host h1 is 11 s behind/),
      expect.stringMatching(/^warning: host h2 has stopped replicating/),
    ])
  })

  test('warns of each address that leads to several servers', () => {
    const servers = new Map([
      ['router:6447', 2],
      ['db:3306', 1],
    ])
    const input = { hosts: [], tls: 'off', name: 'shop', lagMaxSeconds: 10, servers }
    expect(toTexts(checkConnection(input, []).findings)).toEqual([
      expect.stringMatching(/^warning: host router:6447 leads to several servers/),
    ])
  })

  test('counts the servers of each address by its sessions', async () => {
    let turn = 0
    const run = (host: string): RunQuery => {
      const id = host.startsWith('router') ? `member ${(turn += 1)}` : 'always the same'
      return () => Promise.resolve([{ Variable_name: 'server_uuid', Value: id }])
    }
    const counted = await countServers({
      forEachHost: (task) => Promise.all(['router:6447', 'db:3306'].map((host) => task(run(host), host))),
    })
    expect([...counted]).toEqual([
      ['router:6447', 3],
      ['db:3306', 1],
    ])
  })

  test('has no finding about the lag of a lone host', () => {
    expect([check([null]), check(['stopped'])]).toEqual([[], []])
  })
})

describe('the section of the clocks', () => {
  /** Reads the clock of a database at 12:00:00 where statements take these milliseconds. */
  const read = (startedAt: string, trips: readonly number[]): ReturnType<typeof readClock> => {
    const times = trips.flatMap((trip) => [0, trip]).map((ms) => Date.parse(startedAt) + ms)
    return readClock(
      () => Promise.resolve([{ now: '2026-01-01 12:00:00.000000' }]),
      () => times.shift() ?? 0,
    )
  }

  test('uses the reading with the shortest round trip, and subtracts half of it', async () => {
    const reading = await read('2026-01-01T11:59:59.000Z', [900, 40, 20, 80, 700])
    expect([reading.roundTripMs, Math.round(reading.aheadMs)]).toEqual([20, 990])
  })

  test.each([
    ['2026-01-01T11:59:00.000Z', ['warning: the clocks differ by 59990 ms: keys expire that much too late']],
    ['2026-01-01T12:01:00.000Z', ['warning: the clocks differ by 60010 ms: keys expire that much too early']],
    ['2026-01-01T11:59:58.980Z', []],
  ])(
    'warns of clocks that differ by more than a second and half the round trip: %s',
    async (at, expected) => {
      expect(toTexts(checkClock(await read(at, [20, 20, 20, 20, 20])).findings)).toEqual(expected)
    },
  )
})

describe('the section of the transactions', () => {
  const check = (
    longest: LongestWrite,
    oldestOpens: readonly OldestOpen[] = [],
  ): ReturnType<typeof checkTransactions> => {
    const hosts = oldestOpens.map((oldestOpen, at) => ({ host: `h${at}`, oldestOpen, nowSeconds: 1000 }))
    return checkTransactions({ longest, oldestOpens: hosts, overlapSeconds: 60, ageMaxSeconds: 30 })
  }

  test('is an error where one is open for as long as the overlap', () => {
    const find = (seconds: number): readonly string[] => toTexts(check({ seconds, count: 1 }).findings)
    expect(find(60)).toEqual([expect.stringMatching(/^error: SYNC_OVERLAP_SECONDS is 60, /)])
    expect(find(59)).toEqual([])
  })

  test('says whether the oldest open transaction is used on each host, and accepts any transaction then', () => {
    const startedAt = { seconds: 700, micros: 0 }
    const used = { startedAt, ageSeconds: 30 }
    const section = check({ seconds: 300, count: 1 }, [used, used])
    expect(section.findings).toEqual([])
    expect(section.notes!.join()).toContain('rests on heartbeat.oldestOpen')
    expect(section.tables![1]!.rows).toEqual([
      { host: 'h0', state: 'used', ageSeconds: 30, openSeconds: 300 },
      { host: 'h1', state: 'used', ageSeconds: 30, openSeconds: 300 },
    ])
    expect(check('denied', [used]).status).toBe('ok')
    const [old, unreadable] = [{ startedAt, ageSeconds: 31 }, { reason: 'It cannot be read: x' }]
    expect(toTexts(check({ seconds: 300, count: 1 }, [used, old, unreadable]).findings)).toEqual([
      expect.stringMatching(
        /^warning: heartbeat\.oldestOpen is not used on h1, .*: A row is older than 30 s$/,
      ),
      expect.stringMatching(/^warning: heartbeat\.oldestOpen is not used on h2, .*: It cannot be read: x$/),
      expect.stringMatching(/^error: SYNC_OVERLAP_SECONDS is 60, .* open for 300 seconds$/),
    ])
  })

  test.each([
    ['the server', { errno: 1227 }],
    ['a proxy that ends the connection', { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }],
  ])('explains what to do where %s denies them', async (_, properties) => {
    const denied = Object.assign(new Error('denied'), properties)
    const section = check(await readLongestWrite(() => Promise.reject(denied)))
    expect(section.findings).toEqual([])
    expect(section.notes!.join()).toMatch(/PROCESS.*innodb_trx/)
  })
})
