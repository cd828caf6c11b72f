import { describe, expect, test } from 'vitest'
import type { HealthCheckResult } from '../../../src/database/health.js'
import { createTestHost } from '../../support/hosts.js'

describe('a host', () => {
  test('is healthy before its first health check', () => {
    const { health, changes } = createTestHost('a')
    expect([health.state(), health.isUp(), health.lag.lagSeconds()]).toEqual(['healthy', true, undefined])
    expect(changes).toEqual([])
  })

  test('that fails health checks is down, and is reported once', () => {
    const { health, changes, failCheck } = createTestHost('a')
    failCheck()
    failCheck()
    expect([health.state(), health.isUp()]).toEqual(['down', false])
    expect(changes.map(({ is }) => is)).toEqual(['down'])
  })

  test('that was down is back after two health checks, and suspect after the first', () => {
    const { health, changes, failCheck, findPrimary } = createTestHost('a')
    failCheck()
    findPrimary()
    expect([health.state(), health.isUp()]).toEqual(['suspect', false])
    findPrimary()
    expect([health.state(), health.isUp()]).toEqual(['healthy', true])
    expect(changes.map(({ is }) => is)).toEqual(['down', 'back'])
  })

  test('that was down is back, but suspect, after a second health check beside an error', () => {
    const { health, failCheck, findPrimary } = createTestHost('a')
    failCheck()
    findPrimary()
    const before = health.countErrors()
    health.noteError()
    const changes = health.noteCheck(
      { isReplica: false, lagSeconds: 0, at: { seconds: 0, micros: 0 } },
      before,
    )
    expect([health.state(), changes]).toEqual(['suspect', [{ is: 'back' }]])
  })

  test('that is suspect is healthy after a health check that began after the error', () => {
    const { health, changes, findLag } = createTestHost('a')
    findLag(0)
    const before = health.countErrors()
    health.noteError()
    health.noteCheck({ isReplica: true, lagSeconds: 0, at: { seconds: 0, micros: 0 } }, before)
    expect([health.state(), health.isConfirmed()]).toEqual(['suspect', false])
    findLag(0)
    expect([health.state(), health.isConfirmed()]).toEqual(['healthy', true])
    expect(changes).toEqual([])
  })

  test('that is down but answers a statement is suspect', () => {
    const { health, failCheck } = createTestHost('a')
    failCheck()
    health.noteAnswer()
    expect([health.state(), health.isUp()]).toEqual(['suspect', false])
  })
})

describe('a replica', () => {
  test('lags above the limit only, and is reported when that begins and ends', () => {
    const { health, changes, findLag } = createTestHost('a')
    findLag(60)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['healthy', undefined])
    findLag(61)
    expect(health.state()).toBe('lagging')
    findLag(90)
    findLag(3)
    findLag(3)
    expect(health.state()).toBe('healthy')
    expect(changes).toEqual([
      { is: 'lagging', lagSeconds: 61 },
      { is: 'caught up', lagSeconds: 3 },
    ])
  })

  test('whose replication starts again reports no lag at first, so the second health check decides', () => {
    const { health, changes, findLag } = createTestHost('a')
    findLag(0, 5000)
    findLag(Infinity, 6000)
    findLag(0, 6001)
    expect([health.state(), health.lag.findDataTime()?.seconds]).toEqual(['lagging', 4999])
    findLag(900, 6002)
    expect([health.state(), health.lag.findDataTime()?.seconds]).toEqual(['lagging', 5101])
    findLag(0, 6003)
    findLag(0, 6004)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['healthy', undefined])
    expect(changes.map(({ is }) => is)).toEqual(['lagging', 'caught up'])
  })

  test('that did not answer has data up to the last instant that was read, until two health checks', () => {
    const { health, changes, failCheck, findLag } = createTestHost('a')
    findLag(0, 5000)
    failCheck()
    health.noteAnswer()
    expect([health.state(), health.lag.findDataTime()?.seconds]).toEqual(['lagging', 4999])
    findLag(0, 6000)
    expect([health.state(), health.lag.findDataTime()?.seconds]).toEqual(['lagging', 4999])
    findLag(0, 6001)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['healthy', undefined])
    expect(changes.map(({ is }) => is)).toEqual(['down', 'back'])
  })

  test('that became a primary needs no second health check', () => {
    const { health, findLag, findPrimary } = createTestHost('a')
    findLag(Infinity)
    findPrimary()
    expect(health.state()).toBe('healthy')
  })

  test('that lags has data up to its clock less its lag, which the server rounds down to a second', () => {
    const { health, findLag } = createTestHost('a')
    findLag(100, 5000)
    expect(health.lag.findDataTime()).toEqual({ seconds: 4899, micros: 5 })
  })

  test('that has stopped has data up to the last instant that was read', () => {
    const { health, findLag } = createTestHost('a')
    findLag(2, 5000)
    findLag(Infinity, 6000)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['lagging', { seconds: 4997, micros: 5 }])
  })

  test('that had stopped before the first health check has data of an unknown age', () => {
    const { health, findLag } = createTestHost('a')
    findLag(Infinity, 5000)
    expect(health.lag.findDataTime()).toEqual({ seconds: 86_400, micros: 0 })
  })

  test('that lags stays lagging after an error', () => {
    const { health, findLag } = createTestHost('a')
    findLag(61)
    health.noteError()
    expect(health.state()).toBe('lagging')
  })

  test('with an unknown lag is used after those that show it, and is reported once', () => {
    const { health, changes, findLag } = createTestHost('a')
    findLag(undefined)
    findLag(undefined)
    expect(health.state()).toBe('unknown')
    expect(changes).toEqual([{ is: 'lag unknown', reason: undefined }])
  })

  test('that is a member of a group is read again after it was fresh for as long as it may not know better', () => {
    const { health, failCheck, note } = createTestHost('a')
    const noteAt = (seconds: number): string => {
      note({ isReplica: true, lagSeconds: 0, settleSeconds: 15, at: { seconds, micros: 5 } })
      return health.state()
    }
    // It can have been frozen just before this process started.
    expect([5000, 5000, 5014].map(noteAt)).toEqual(['lagging', 'lagging', 'lagging'])
    expect(noteAt(5015)).toBe('healthy')
    failCheck()
    const states = [6000, 6001, 6014].map(noteAt)
    expect(states).toEqual(['lagging', 'lagging', 'lagging'])
    expect(health.lag.findDataTime()?.seconds).toBe(5014)
    expect(noteAt(6015)).toBe('healthy')
  })

  test('that had no majority is read again after the longer time that its failure asks for', () => {
    const { health, note } = createTestHost('a')
    const noteAt = (seconds: number, more: Partial<HealthCheckResult> = {}): string => {
      note({ isReplica: true, lagSeconds: 0, settleSeconds: 15, at: { seconds, micros: 5 }, ...more })
      return health.state()
    }
    noteAt(5000)
    expect(noteAt(6000, { lagSeconds: Infinity, issue: 'no majority', settleSeconds: 60 })).toBe('down')
    expect([6001, 6017, 6060, 6061].map((at) => noteAt(at))).toEqual([
      'lagging',
      'lagging',
      'lagging',
      'healthy',
    ])
    expect(noteAt(7000, { lagSeconds: Infinity })).toBe('lagging')
    expect([7001, 7016].map((at) => noteAt(at))).toEqual(['lagging', 'healthy'])
  })

  test('whose address leads to several servers is reported once', () => {
    const { changes, note } = createTestHost('a')
    const at = { seconds: 5000, micros: 5 }
    for (const areSeveral of [false, true, true]) note({ isReplica: false, lagSeconds: 0, at, areSeveral })
    expect(changes).toEqual([{ is: 'several servers' }])
  })

  test('whose heartbeat is not known has data up to the last instant that was proved', () => {
    const { health, changes, findLag, note } = createTestHost('a')
    findLag(2, 5000)
    const at = { seconds: 6000, micros: 5 }
    note({ isReplica: true, lagSeconds: undefined, reason: 'no row', at })
    expect([health.state(), health.lag.findDataTime()?.seconds]).toEqual(['unknown', 4997])
    expect(changes).toEqual([{ is: 'lag unknown', reason: 'no row' }])
    findLag(0, 6001)
    findLag(0, 6002)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['healthy', undefined])
  })

  test('is not read before a second health check confirms its first lag', () => {
    const { health } = createTestHost('a')
    const check = { isReplica: true, lagSeconds: 0, at: { seconds: 5000, micros: 5 } }
    health.noteCheck(check, 0)
    expect([health.state(), health.isConfirmed()]).toEqual(['lagging', false])
    health.noteCheck(check, 0)
    expect([health.state(), health.isConfirmed()]).toEqual(['healthy', true])
  })

  test('is staler than a server that is no replica, by seconds', () => {
    const [primary, close, far, silent] = ['a', 'b', 'c', 'd'].map((name) => createTestHost(name))
    primary!.findPrimary()
    close!.findLag(0)
    far!.findLag(5)
    silent!.findLag(undefined)
    expect([primary, close, far, silent].map((host) => host!.health.lag.staleness())).toEqual([0, 1, 6, 1])
  })
})

describe('a member that is out of its cluster', () => {
  const at = { seconds: 5000, micros: 5 }
  const out = { isReplica: true, lagSeconds: Infinity, issue: 'The member is OFFLINE', at }

  test('is down although it answers, and is reported once with the reason', () => {
    const { health, changes, findLag, note } = createTestHost('a')
    findLag(0, 5000)
    note(out)
    note(out)
    health.noteAnswer()
    expect([health.state(), health.isUp(), health.isAnswering()]).toEqual(['down', false, true])
    expect(changes).toEqual([{ is: 'down', cause: new Error('The member is OFFLINE') }])
  })

  test('has data up to the last instant that was proved, also while it joins again', () => {
    const { health, changes, findLag, note } = createTestHost('a')
    findLag(0, 5000)
    note({ ...out, at: { seconds: 6000, micros: 5 } })
    const proved = { seconds: 4999, micros: 5 }
    expect(health.lag.findDataTime()).toEqual(proved)
    findLag(0, 7000)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['lagging', proved])
    findLag(0, 7001)
    expect([health.state(), health.lag.findDataTime()]).toEqual(['healthy', undefined])
    expect(changes.map(({ is }) => is)).toEqual(['down', 'back'])
  })
})
