import { expect, test } from 'vitest'
import { runStatements, withAccount } from '../product/index.js'
import { startLocalServer } from '../product/local-server.js'
import { setUpProduct } from '../product/throwaway.js'
import { createClient } from '../support/client.js'
import { findProgramOfRun } from '../support/local-programs.js'
import { startProxy } from '../support/proxy.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
const program = findProgramOfRun()

/* The old server lives on: new connections reach another server than open ones. */
test.skipIf(program === undefined)(
  'a host name that moves to another server is followed to its rows, and no request fails',
  async () => {
    const next = await startLocalServer(program!, { add: throwaway.undo })
    const product = await throwaway.createProduct('plain', { registrations: 20 })
    const { username: user, password, pathname } = new URL(product.readUrl)
    const database = pathname.slice(1)
    await runStatements(next.adminUrl, [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`])
    const nextUrl = withAccount(next.adminUrl, { database })
    await setUpProduct(nextUrl, { product: product.product, truth: product.truth, user, password })
    const proxy = await startProxy(product.readUrl)
    const service = await startService(
      { ...product, readUrl: proxy.url },
      { env: { DATABASE_CONNECTION_MAX_AGE_SECONDS: '1', DATABASE_QUERY_TIMEOUT_MS: '60000' } },
    )
    const client = createClient(service)
    const id = String((await client.get('registrations', { limit: 1 })).body.data[0]?.['id'])
    await runStatements(nextUrl, [`UPDATE event_registrations SET id = 'NEW' WHERE id = '${id}'`])
    proxy.move(next.port)
    const statuses = new Set<number>()
    await expect
      .poll(async () => {
        statuses.add((await client.get('registrations', { limit: 5 })).status)
        return (await client.get('registrations/NEW')).status
      })
      .toBe(200)
    expect(statuses).toEqual(new Set([200]))
    expect((await client.get(`registrations/${id}`)).status).toBe(404)
  },
)
