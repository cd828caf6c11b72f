import { describe, expect, test } from 'vitest'
import { ranks } from '../../../src/database/host-health.js'
import { createTestHost } from '../../support/hosts.js'

describe('a host', () => {
  test('is well until something else is known', () => {
    const { health, changes } = createTestHost('a')
    expect([health.rank(), health.isUp(), health.lag.lagSeconds()]).toEqual([ranks.well, true, undefined])
    expect(changes).toEqual([])
  })

  test('that fails a look is down, and told of once', () => {
    const { health, changes, miss } = createTestHost('a')
    miss()
    miss()
    expect([health.rank(), health.isUp()]).toEqual([ranks.down, false])
    expect(changes.map(({ is }) => is)).toEqual(['down'])
  })

  test('that was down is back after two looks, and in between is doubted', () => {
    const { health, changes, miss, see } = createTestHost('a')
    miss()
    see(0)
    expect([health.rank(), health.isUp()]).toEqual([ranks.doubted, false])
    see(0)
    expect([health.rank(), health.isUp()]).toEqual([ranks.well, true])
    expect(changes.map(({ is }) => is)).toEqual(['down', 'back'])
  })

  test('that was doubted is well after one look, if that began after the doubt', () => {
    const { health, changes, see } = createTestHost('a')
    const before = health.countDoubts()
    health.doubt()
    health.noteLook({ isReplica: true, lagSeconds: 0, at: { seconds: 0, micros: 0 } }, before)
    expect([health.rank(), health.isSettled()]).toEqual([ranks.doubted, false])
    see(0)
    expect([health.rank(), health.isSettled()]).toEqual([ranks.well, true])
    expect(changes).toEqual([])
  })

  test('that seems down and answers all the same is asked before those that do not', () => {
    const { health, miss } = createTestHost('a')
    miss()
    health.noteAnswer()
    expect([health.rank(), health.isUp()]).toEqual([ranks.doubted, false])
  })
})

describe('a replica', () => {
  test('lags beyond the limit alone, and is told of when it begins and ends', () => {
    const { health, changes, see } = createTestHost('a')
    see(60)
    expect([health.rank(), health.lag.findDataTime()]).toEqual([ranks.well, undefined])
    see(61)
    expect(health.rank()).toBe(ranks.lagging)
    see(90)
    see(3)
    expect(health.rank()).toBe(ranks.well)
    expect(changes).toEqual([
      { is: 'lagging', lagSeconds: 61 },
      { is: 'caught up', lagSeconds: 3 },
    ])
  })

  test('that lags has data up to its clock less its lag, which the server cut to a second', () => {
    const { health, see } = createTestHost('a')
    see(100, 5000)
    expect(health.lag.findDataTime()).toEqual({ seconds: 4899, micros: 5 })
  })

  test('that has stopped has data up to what it told last', () => {
    const { health, see } = createTestHost('a')
    see(2, 5000)
    see(Infinity, 6000)
    expect([health.rank(), health.lag.findDataTime()]).toEqual([ranks.lagging, { seconds: 4997, micros: 5 }])
  })

  test('that had stopped before anybody looked has data of nobody knows when', () => {
    const { health, see } = createTestHost('a')
    see(Infinity, 5000)
    expect(health.lag.findDataTime()).toEqual({ seconds: 86_400, micros: 0 })
  })

  test('that lags and is doubted still counts as lagging', () => {
    const { health, see } = createTestHost('a')
    see(61)
    health.doubt()
    expect(health.rank()).toBe(ranks.lagging)
  })

  test('that does not tell its lag counts as fresh, and is told of once', () => {
    const { health, changes, see } = createTestHost('a')
    see(undefined)
    see(undefined)
    expect(health.rank()).toBe(ranks.well)
    expect(changes).toEqual([{ is: 'not telling its lag' }])
  })

  test('is staler than a server that is none, by the second', () => {
    const [primary, close, far, silent] = ['a', 'b', 'c', 'd'].map(createTestHost)
    primary!.seePrimary()
    close!.see(0)
    far!.see(5)
    silent!.see(undefined)
    expect([primary, close, far, silent].map((host) => host!.health.lag.staleness())).toEqual([0, 1, 6, 1])
  })
})
