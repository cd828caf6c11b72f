import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import mysql from 'mysql2/promise'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import { expectDown } from '../support/down.js'
import { countLockedOut } from '../support/server-sessions.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

test('a request in flight is answered, and its connection does not hold up the end of the service', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(database, { env: { DATABASE_QUERY_TIMEOUT_MS: '60000' } })
  const origin = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const admin = await mysql.createConnection({ uri: database.adminUrl })
  // A caller that keeps its connections, as proxies do.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string): Promise<[IncomingMessage]> => {
    const headers = { authorization: `Bearer ${keys.both}` }
    return once(get(`${origin}${path}`, { agent, headers }), 'response') as Promise<[IncomingMessage]>
  }
  const [before] = await ask(`${base}/invoices?limit=1`)
  before.resume()
  await once(before, 'end')
  expect(before.headers.connection).toBe('keep-alive')

  await admin.query('LOCK TABLES event_registrations WRITE')
  const answer = ask(`${base}/registrations`)
  await expect.poll(() => countLockedOut(admin), { timeout: 60_000 }).toBe(1)
  const closed = service.close()
  await expectDown(origin)
  await admin.query('UNLOCK TABLES')
  const [after] = await answer
  after.resume()
  expect([after.statusCode, after.headers.connection]).toEqual([200, 'close'])
  await closed
  await admin.end()
  agent.destroy()
})
