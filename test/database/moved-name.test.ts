import { describe, expect, test } from 'vitest'
import { runStatements, useServer, withAccount } from '../product/index.js'
import { startJanitor } from '../product/janitor.js'
import { startLocalServer } from '../product/local-server.js'
import { setUpProduct } from '../product/throwaway.js'
import { createClient } from '../support/client.js'
import { localPrograms } from '../support/local-programs.js'
import { startProxy } from '../support/proxy.js'
import { startService } from '../support/service.js'

/* A host name moves to a new server while the old one lives on: new connections reach another server than open ones. */

describe.each(Object.entries(localPrograms))(
  'a host name that moves from one %s to another',
  (name, program) => {
    if (program === undefined) {
      process.stderr.write(
        `Skipped: a moved name with ${name}, which this machine has not; see .ci/mysql.sh\n`,
      )
      test.skip('no server could be started', () => undefined)
      return
    }

    test('is followed to the rows of the new server, and no request fails', async () => {
      const janitor = startJanitor()
      const [old, next] = [await startLocalServer(program, janitor), await startLocalServer(program, janitor)]
      const product = await useServer(old).createProduct('plain', { registrations: 20 })
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
      await service.close()
      await janitor.finish()
    })
  },
)
