import { expect, test } from 'vitest'
import { listReplicationStatements, toReplication } from '../../../src/database/replica-lag-sql.js'

test('a server that copies no other is no replica, and never behind', () => {
  expect(toReplication([])).toEqual({ isReplica: false, lagSeconds: 0 })
})

test('a replica is as far behind as it says, in the words of either server', () => {
  expect(toReplication([{ Seconds_Behind_Source: '7' }])).toEqual({ isReplica: true, lagSeconds: 7 })
  expect(toReplication([{ Seconds_Behind_Master: 7 }])).toEqual({ isReplica: true, lagSeconds: 7 })
})

test('a replica that has stopped lags without bound', () => {
  expect(toReplication([{ Seconds_Behind_Source: null }]).lagSeconds).toBe(Infinity)
  expect(toReplication([{ Seconds_Behind_Master: null }]).lagSeconds).toBe(Infinity)
  expect(toReplication([{}]).lagSeconds).toBe(Infinity)
})

test('a replica of several servers is as far behind as it is behind the worst', () => {
  const rows = [
    { Seconds_Behind_Source: '1' },
    { Seconds_Behind_Source: '9' },
    { Seconds_Behind_Source: '0' },
  ]
  expect(toReplication(rows).lagSeconds).toBe(9)
  expect(toReplication([...rows, { Seconds_Behind_Source: null }]).lagSeconds).toBe(Infinity)
})

test('each server is asked in its own words, old ones of MySQL in the old', () => {
  expect(listReplicationStatements('mysql').map(({ sql }) => sql)).toEqual([
    'show replica status',
    'show slave status',
  ])
  expect(listReplicationStatements('mariadb').map(({ sql }) => sql)).toEqual(['show all slaves status'])
})
