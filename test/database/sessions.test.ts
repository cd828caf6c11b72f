import mysql from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import type { Database } from '../../src/database/database.js'
import { Problem } from '../../src/problems.js'
import { withDatabase } from '../../src/tools/commands/with-database.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { startNetwork } from '../support/network.js'
import { startService, useThrowaway } from '../support/service.js'
import { countLockedOut, killSessions, listSessions } from '../support/server-sessions.js'
import type { Network } from '../support/network.js'
import type { TestService } from '../support/service.js'

/* The connections of a service, and their loss. `npm run faults` does worse to its server. */

const throwaway = useThrowaway()
const pollOptions = { timeout: 60_000 }

const use = (
  url: string,
  env: Readonly<Record<string, string>>,
  task: (database: Database) => Promise<void>,
) => withDatabase(parseConfig({ DATABASE_URL: url, ...env }), task)
const ask = (sql: string) => ({ sql, values: [] })

describe('a session', () => {
  test('only reads, even for a user who could write', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 100 })
    await use(product.adminUrl, {}, async ({ runQuery }) => {
      await expect(runQuery(ask("update invoices set invoice_no = 'x'"))).rejects.toThrow(
        /READ ONLY transaction/,
      )
      await expect(runQuery(ask('delete from invoices'))).rejects.toThrow(/READ ONLY transaction/)
      expect(await runQuery(ask('select count(*) as `n` from invoices'))).toEqual([{ n: '40' }])
    })
  })

  test('that is killed fails its statement at once', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 100 })
    const [lock, admin] = await Promise.all([1, 2].map(() => mysql.createConnection(product.adminUrl)))
    await lock!.query('LOCK TABLES event_registrations WRITE')
    await use(product.readUrl, {}, async ({ runQuery }) => {
      const failed = runQuery(ask('select count(*) from event_registrations')).catch(
        (error: unknown) => error,
      )
      await expect.poll(() => countLockedOut(admin!)).toBe(1)
      await killSessions(admin!, new URL(product.readUrl).username, 'KILL CONNECTION')
      const { cause } = (await failed) as Problem
      expect(cause).toMatchObject({ code: expect.not.stringMatching('PROTOCOL_DEADLINE') as unknown })
    })
    await Promise.all([lock!.end(), admin!.end()])
  })

  test("ends a statement that takes too long, as the server's own limit", async () => {
    const product = await throwaway.createProduct('plain', { registrations: 400 })
    await use(product.adminUrl, { DATABASE_QUERY_TIMEOUT_MS: '1000' }, async ({ runQuery }) => {
      const slow = ask(
        'select max(sha2(concat(a.id, b.id, c.id, d.id), 512)) from invoices a, invoices b, invoices c, invoices d',
      )
      const problem: unknown = await runQuery(slow).catch((error: unknown) => error)
      expect(problem).toBeInstanceOf(Problem)
      expect((problem as Problem).code).toBe('database_unavailable')
      // MySQL 3024, MariaDB 1969.
      expect([3024, 1969]).toContain(((problem as Problem).cause as { errno: number }).errno)
      expect(await runQuery(ask('select 1 as one'))).toEqual([{ one: expect.anything() as unknown }])
    })
  })
})

test('a session whose statement passed the deadline of the client is never used again', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const network = await startNetwork(product.readUrl)
  const limits = { DATABASE_POOL_SIZE: '1', DATABASE_QUERY_TIMEOUT_MS: '1000' }
  const admin = await mysql.createConnection({ uri: product.adminUrl })
  await use(network.url, limits, async ({ runQuery }) => {
    const [first] = await runQuery(ask('select connection_id() as id'))
    network.set({ do: 'freeze' })
    // The server answers at once; the network holds the answer back.
    await expect(runQuery(ask("select 'late' as answer"))).rejects.toMatchObject({
      code: 'database_unavailable',
      cause: { code: 'PROTOCOL_DEADLINE' },
    })
    const [next] = await runQuery(ask('select connection_id() as id'))
    expect(next?.['id']).not.toBe(first?.['id'])
    network.set({ do: 'pass' })
    await expect
      .poll(() => listSessions(admin, new URL(product.readUrl).username), pollOptions)
      .toEqual([Number(next?.['id'])])
    for (const answer of ['a', 'b', 'c'])
      expect(await runQuery(ask(`select '${answer}' as answer`))).toEqual([{ answer }])
    expect(await runQuery(ask('select connection_id() as id'))).toEqual([next])
  })
  await admin.end()
})

test('requests wait for the connections that the account may have, where the pool is larger', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const user = decodeURIComponent(new URL(product.readUrl).username)
  await runStatements(product.adminUrl, [`ALTER USER '${user}'@'%' WITH MAX_USER_CONNECTIONS 3`])
  const { get } = createClient(await startService(product, { env: { DATABASE_POOL_SIZE: '20' } }))
  const limits = Array.from({ length: 60 }, (_, at) => at + 1)
  const answers = await Promise.all(limits.map((limit) => get('registrations', { limit })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a table that is being altered is a 503 for those who want it, and for no other request', async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(database, {
    env: { DATABASE_QUERY_TIMEOUT_MS: '1000', DATABASE_POOL_SIZE: '2' },
  })
  const client = createClient(service)
  expect((await client.get('invoices')).status).toBe(200)
  const lock = await mysql.createConnection({ uri: database.adminUrl })
  await lock.query('LOCK TABLES event_registrations WRITE')
  expect((await client.get('registrations')).body.code).toBe('database_unavailable')
  expect((await client.get('invoices')).status).toBe(200)
  await lock.query('UNLOCK TABLES')
  await lock.end()
  expect((await client.get('registrations')).status).toBe(200)
})

/** Two callers that read all the time; `stop` returns every status that they got. */
function startTraffic(client: Client): { stop: () => Promise<ReadonlySet<number>> } {
  const statuses = new Set<number>()
  let isOn = true
  const call = async (limit: number): Promise<void> => {
    while (isOn) statuses.add((await client.get('registrations', { limit })).status)
  }
  const calls = [1, 2, 3].map(call)
  return {
    stop: async () => {
      isOn = false
      await Promise.all(calls)
      return statuses
    },
  }
}

test('sessions follow a host name that moves, and no request fails meanwhile', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const network = await startNetwork(product.readUrl)
  const service = await startService(
    { ...product, readUrl: network.url },
    { env: { DATABASE_CONNECTION_MAX_AGE_SECONDS: '1', DATABASE_QUERY_TIMEOUT_MS: '60000' } },
  )
  const traffic = startTraffic(createClient(service))
  for (let moves = 0; moves < 3; moves += 1) {
    await expect.poll(() => network.connections.size, pollOptions).toBeGreaterThan(0)
    const old = [...network.connections]
    await expect.poll(() => old.every((socket) => socket.destroyed), pollOptions).toBe(true)
  }
  expect(await traffic.stop()).toEqual(new Set([200]))
  // A connection that is not used is closed, and not replaced.
  await expect.poll(() => network.connections.size, pollOptions).toBe(0)
  // A server logs connections that end without a word.
  expect(network.countQuits()).toBeGreaterThan(3)
})

/* The only host of the database is lost: an operator sees it in the log and in the metrics, with or without traffic. */
let network: Network

async function startBehindNetwork(): Promise<TestService> {
  const database = await throwaway.createProduct('plain', { registrations: 20 })
  network = await startNetwork(database.readUrl)
  return startService({ ...database, readUrl: network.url }, { env: { DATABASE_QUERY_TIMEOUT_MS: '2000' } })
}

const readGauge = async (service: TestService, name: string): Promise<number> => {
  const { body } = await service.ops.inject('/metrics')
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (-?\\d+)$`, 'm').exec(body)?.[1])
}
const countLines = (service: TestService, text: string): number =>
  service.logLines().filter(({ msg }) => msg === text).length

test('without traffic, its loss and its return are a log line each, and in the metrics', async () => {
  const service = await startBehindNetwork()
  expect(await readGauge(service, 'vitrine_ready')).toBe(1)
  expect(await readGauge(service, 'vitrine_database_up')).toBe(1)
  await network.close()
  await expect.poll(() => countLines(service, 'the database does not answer')).toBe(1)
  await expect.poll(() => readGauge(service, 'vitrine_ready')).toBe(0)
  expect(await readGauge(service, 'vitrine_database_up')).toBe(0)
  expect((await service.ops.inject('/readyz')).json()).toMatchObject({
    reasons: ['the database does not answer'],
  })
  await network.open()
  await expect.poll(() => countLines(service, 'the database answers again')).toBe(1)
  expect(await readGauge(service, 'vitrine_ready')).toBe(1)
  expect(countLines(service, 'the database does not answer')).toBe(1)
  for (const text of [
    'requests cannot all be answered: /readyz returns 503',
    'requests can be answered again: /readyz returns 200',
  ])
    expect([text, countLines(service, text)]).toEqual([text, 1])
})

test('a connection that is lost while it prepares a statement gives back one slot', async () => {
  const service = await startBehindNetwork()
  const client = createClient(service)
  network.set({ do: 'cut' })
  for (let sent = 0; sent < 3; sent += 1) expect((await client.get('registrations')).status).toBe(503)
  expect(await readGauge(service, 'vitrine_database_active')).toBe(0)
  network.set({ do: 'pass' })
  expect((await client.get('registrations')).status).toBe(200)
})

test('an error behind an answer fails no other request, and ends no process', async () => {
  const client = createClient(await startBehindNetwork())
  expect((await client.get('registrations')).status).toBe(200)
  network.set({ do: 'follow', error: { number: 4031, sqlState: 'HY000' } })
  // The second one opens a session, whose first answer is followed too.
  const answers = await Promise.all([client.get('registrations'), client.get('registrations', { limit: 1 })])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
  network.set({ do: 'pass' })
  for (let sent = 0; sent < 3; sent += 1) expect((await client.get('registrations')).status).toBe(200)
})
