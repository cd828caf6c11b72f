import { expect, test } from 'vitest'
import { readReplicaState } from '../../../src/database/server-states.js'
import type { Dialect } from '../../../src/database/dialects.js'
import type { Row, Statement } from '../../../src/database/statement.js'

const readRows = (...rows: readonly Row[]) => readReplicaState(() => Promise.resolve(rows), 'mysql')

test('a server that is no replica has no lag', async () => {
  expect(await readRows()).toEqual({ isReplica: false, lagSeconds: 0 })
})

test('the lag of a replica is read under the column names of both servers', async () => {
  expect(await readRows({ Seconds_Behind_Source: '7' })).toEqual({ isReplica: true, lagSeconds: 7 })
  expect(await readRows({ Seconds_Behind_Master: 7 })).toEqual({ isReplica: true, lagSeconds: 7 })
})

test('a replica that has stopped has an infinite lag', async () => {
  for (const row of [{ Seconds_Behind_Source: null }, { Seconds_Behind_Master: null }, {}])
    expect((await readRows(row)).lagSeconds).toBe(Infinity)
})

test('the lag of a replica with several sources is the greatest of them', async () => {
  const rows = [
    { Seconds_Behind_Source: '1' },
    { Seconds_Behind_Source: '9' },
    { Seconds_Behind_Source: '0' },
  ]
  expect((await readRows(...rows)).lagSeconds).toBe(9)
  expect((await readRows(...rows, { Seconds_Behind_Source: null })).lagSeconds).toBe(Infinity)
})

test.each<[Dialect, readonly string[]]>([
  ['mysql', ['show replica status', 'show slave status']],
  ['mariadb', ['show all slaves status']],
])('a server of %s that rejects each of its statements has an unknown state', async (dialect, sql) => {
  const sent: string[] = []
  const reject = (statement: Statement): Promise<never> => {
    sent.push(statement.sql)
    return Promise.reject(Object.assign(new Error('You have an error in your SQL syntax'), { errno: 1064 }))
  }
  expect(await readReplicaState(reject, dialect)).toEqual({ isReplica: false, lagSeconds: undefined })
  expect(sent).toEqual(sql)
})

test('a lost connection is an error, and no other statement is tried', async () => {
  const sent: string[] = []
  const fail = (statement: Statement): Promise<never> => {
    sent.push(statement.sql)
    return Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  }
  await expect(readReplicaState(fail, 'mysql')).rejects.toThrow('ECONNRESET')
  expect(sent).toHaveLength(1)
})
