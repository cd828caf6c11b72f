import { beforeAll, expect, test } from 'vitest'
import { StaleServerError } from '../../src/database/verified-session.js'
import { createAccount } from '../../src/database/account.js'
import { createPool, endPool } from '../../src/database/pool.js'
import { createSessionPool } from '../../src/database/session-pool.js'
import type { Statement } from '../../src/database/statement.js'
import type { SessionPool } from '../../src/database/session-pool.js'
import { parseConfig } from '../../src/config.js'
import type { ProductDatabase } from '../product/index.js'
import { afterFile } from '../support/after-file.js'
import { useThrowaway } from '../support/service.js'

/* What a proxy can do to a session, which is verified here before each statement. */

const throwaway = useThrowaway()
let product: ProductDatabase
beforeAll(async () => {
  product = await throwaway.createProduct('plain', { registrations: 10 })
})

type PoolConfig = Parameters<typeof createSessionPool>[1]

function open(requireFresh?: PoolConfig['requireFresh']): SessionPool {
  const { database } = parseConfig({ DATABASE_URL: product.readUrl })
  const pool = createPool(
    { ...database, account: createAccount(database), tlsCa: undefined },
    database.hosts[0]!,
  )
  afterFile(() => endPool(pool))
  const config = { queryTimeoutMs: 5000, maxAgeMs: 60_000, verifyAfterMs: 0 }
  return createSessionPool(pool, requireFresh === undefined ? config : { ...config, requireFresh })
}

const ask = (sql: string): Statement => ({ sql, values: [] })

test('a session that is not what it was set up to be is not used, and the error says so', async () => {
  const sessions = open()
  const [first] = await sessions.run(ask('select connection_id() as id'))
  expect(await sessions.run(ask('select connection_id() as id'))).toEqual([first])
  await sessions.run(ask("set time_zone = '+03:00'"))
  const failure: unknown = await sessions.run(ask('select 1')).catch((error: unknown) => error)
  expect((failure as Error).cause).toMatchObject({
    message: expect.stringMatching(/time_zone is not \+00:00; to fix it: .*docs\/deploy\.md/) as string,
  })
  const [next] = await sessions.run(ask('select connection_id() as id, @@time_zone as zone'))
  expect(next).toMatchObject({ zone: '+00:00' })
  expect(next!['id']).not.toEqual(first!['id'])
})

test('a session at a server that is behind is replaced by one at another server', async () => {
  const stale = new Set<unknown>()
  let latest: unknown
  const sessions = open(async (run) => {
    const [row] = await run(ask('select connection_id() as id'))
    latest = row!['id']
    if (stale.has(latest)) throw new StaleServerError('behind')
  })
  const [first] = await sessions.run(ask('select connection_id() as id'))
  expect(first!['id']).toEqual(latest)
  stale.add(latest)
  const [next] = await sessions.run(ask('select connection_id() as id'))
  expect(next!['id']).not.toEqual(first!['id'])
})
