import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { withAccount } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { useThrowaway } from '../support/service.js'
import { spawnVitrine } from '../support/vitrine.js'

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 40 })
})

const start = (url: string) => spawnVitrine(['serve'], { DATABASE_URL: url, PORT: '0', OPS_PORT: '0' })

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it at once with 0 while the database does not answer',
  async (signal) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { child, stdout, ended } = start(
      `mysql://user:x@127.0.0.1:${String((silent.address() as AddressInfo).port)}/none`,
    )
    await once(silent, 'connection')
    child.kill(signal)
    expect(await ended).toBe(0)
    expect(stdout()).toContain('"msg":"closing"')
    silent.close()
  },
)

test('a database that cannot be reached ends it with 1', async () => {
  const { stdout, ended } = start('mysql://user:x@127.0.0.1:1/none')
  expect(await ended).toBe(1)
  expect(JSON.parse(stdout())).toMatchObject({
    level: 60,
    reason: 'connect ECONNREFUSED 127.0.0.1:1',
    msg: 'the start failed',
  })
})

test('an account that is rejected ends it with 1, and no password is printed', async () => {
  const { stdout, ended } = start(withAccount(database.readUrl, { password: 'not-it' }))
  expect(await ended).toBe(1)
  expect(JSON.parse(stdout())).toEqual({
    level: 60,
    time: expect.any(Number) as unknown,
    reason: expect.stringMatching(/^Access denied/) as unknown,
    msg: 'the start failed',
  })
  expect(stdout()).not.toContain('not-it')
})
