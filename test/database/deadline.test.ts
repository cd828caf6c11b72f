import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import { startNetwork } from '../support/network.js'
import { listSessions } from '../support/server-sessions.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
const pollOptions = { timeout: 60_000 }
const ask = (sql: string) => ({ sql, values: [] })

test('a session whose statement passed the deadline of the client is never used again', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const network = await startNetwork(product.readUrl)
  const limits = { DATABASE_POOL_SIZE: '1', DATABASE_QUERY_TIMEOUT_MS: '1000' }
  const database = openDatabase(parseConfig({ DATABASE_URL: network.url, ...limits }))
  const admin = await mysql.createConnection({ uri: product.adminUrl })
  try {
    const [first] = await database.runQuery(ask('select connection_id() as id'))
    network.set({ do: 'freeze' })
    // The server answers at once; the network holds the answer back.
    await expect(database.runQuery(ask("select 'late' as answer"))).rejects.toMatchObject({
      code: 'database_unavailable',
      cause: { code: 'PROTOCOL_DEADLINE' },
    })
    const [next] = await database.runQuery(ask('select connection_id() as id'))
    expect(next?.['id']).not.toBe(first?.['id'])
    network.set({ do: 'pass' })
    await expect
      .poll(() => listSessions(admin, new URL(product.readUrl).username), pollOptions)
      .toEqual([Number(next?.['id'])])
    for (const answer of ['a', 'b', 'c'])
      expect(await database.runQuery(ask(`select '${answer}' as answer`))).toEqual([{ answer }])
    expect(await database.runQuery(ask('select connection_id() as id'))).toEqual([next])
  } finally {
    await admin.end()
    await database.close()
  }
})
