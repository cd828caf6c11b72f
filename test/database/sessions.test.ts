import mysql from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/mapping/load-configuration.js'
import { parseConfig } from '../../src/config.js'
import type { Database } from '../../src/database/database.js'
import { Problem } from '../../src/errors.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { createClient } from '../support/client.js'
import { startService, useThrowaway } from '../support/service.js'
import { countLockedOut, killSessions } from '../support/server-sessions.js'

const throwaway = useThrowaway()

async function withDatabase<Result>(
  url: string,
  env: Readonly<Record<string, string>>,
  use: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(parseConfig({ DATABASE_URL: url, ...env }))
  try {
    return await use(database)
  } finally {
    await database.close()
  }
}

const ask = (sql: string) => ({ sql, values: [] })

describe('a session', () => {
  test('only reads, even for a user who could write', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 100 })
    await withDatabase(product.adminUrl, {}, async ({ runQuery }) => {
      await expect(runQuery(ask("update invoices set invoice_no = 'x'"))).rejects.toThrow(
        /READ ONLY transaction/,
      )
      await expect(runQuery(ask('delete from invoices'))).rejects.toThrow(/READ ONLY transaction/)
      expect(await runQuery(ask('select count(*) as `n` from invoices'))).toEqual([{ n: '40' }])
    })
  })

  test('is in UTC, in utf8mb4 and strict, on every connection of the pool', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 100 })
    await withDatabase(product.readUrl, {}, async ({ runQuery }) => {
      const sql =
        'select connection_id() as id, @@time_zone as zone, @@character_set_client as charset, @@sql_mode as mode, sleep(0.05) as nap'
      const sessions = await Promise.all(
        Array.from({ length: 10 }, async () => (await runQuery(ask(sql)))[0]!),
      )
      expect(new Set(sessions.map((session) => session['id'])).size).toBeGreaterThan(3)
      for (const session of sessions) {
        expect([session['zone'], session['charset']]).toEqual(['+00:00', 'utf8mb4'])
        expect(session['mode']).toContain('STRICT_ALL_TABLES')
      }
    })
  })

  test('is set up anew after its connection was killed', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 100 })
    await withDatabase(product.readUrl, { DATABASE_POOL_SIZE: '1' }, async ({ runQuery }) => {
      const [first] = await runQuery(ask('select connection_id() as id'))
      await runStatements(product.adminUrl, [`KILL ${String(first!['id'])}`])
      // The driver may learn of it before or while the next statement is sent.
      await runQuery(ask('select 1')).catch(() => undefined)
      const [next] = await runQuery(ask('select connection_id() as id, @@time_zone as zone'))
      expect(next!['id']).not.toBe(first!['id'])
      expect(next!['zone']).toBe('+00:00')
    })
  })

  test('that is killed fails its statement at once', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 100 })
    const [lock, admin] = await Promise.all([1, 2].map(() => mysql.createConnection(product.adminUrl)))
    await lock!.query('LOCK TABLES event_registrations WRITE')
    await withDatabase(product.readUrl, {}, async ({ runQuery }) => {
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
    await withDatabase(product.adminUrl, { DATABASE_QUERY_TIMEOUT_MS: '1000' }, async ({ runQuery }) => {
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

test('one request too many in the line is a 503 overloaded with Retry-After', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(product, { env: { DATABASE_POOL_SIZE: '1', DATABASE_QUEUE_LIMIT: '1' } })
  const client = createClient(service)
  await client.get('registrations')
  const lock = await mysql.createConnection({ uri: product.adminUrl })
  await lock.query('LOCK TABLES event_registrations WRITE')
  // Of different lists, since the same one would wait once for all.
  const answers = Promise.all(
    Array.from({ length: 5 }, (_, at) => client.get('registrations', { limit: at + 1 })),
  )
  // The first waits for the table and the second for its connection; the others have been refused by then.
  await expect
    .poll(async () => (await service.ops.inject('/metrics')).body)
    .toContain('vitrine_database_waiting 1')
  await lock.query('UNLOCK TABLES')
  await lock.end()
  const done = await answers
  expect(done.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503])
  for (const answer of done.filter(({ status }) => status === 503)) {
    expect([answer.body.code, Number(answer.headers['retry-after'])]).toEqual(['overloaded', 1])
  }
})

test('a database that does not answer is a 503, and the service comes back with it', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const service = await startService(product, { env: { KEY_CACHE_TTL_SECONDS: '0' } })
  const client = createClient(service)
  expect((await client.get('registrations')).status).toBe(200)
  const user = new URL(product.readUrl).username
  await runStatements(product.adminUrl, [`ALTER USER '${user}'@'%' ACCOUNT LOCK`])
  const admin = await mysql.createConnection({ uri: product.adminUrl })
  await killSessions(admin, user, 'KILL CONNECTION')
  await admin.end()
  await expect.poll(async () => (await client.get('registrations')).status).toBe(503)
  const { body, headers } = await client.get('registrations')
  expect([body.code, headers['retry-after']]).toEqual(['database_unavailable', '1'])
  const readiness = async (): Promise<number> => (await service.ops.inject('/readyz')).statusCode
  await expect.poll(readiness).toBe(503)
  expect((await service.ops.inject('/livez')).statusCode).toBe(200)
  await runStatements(product.adminUrl, [`ALTER USER '${user}'@'%' ACCOUNT UNLOCK`])
  expect((await client.get('registrations')).status).toBe(200)
  await expect.poll(readiness).toBe(200)
})

describe('the user that `grants` describes', () => {
  const attempts: Readonly<Record<string, (database: ProductDatabase) => readonly string[]>> = {
    plain: () => [
      'SELECT badge_qr_token FROM event_registrations',
      'SELECT attendee_phone FROM event_registrations',
      'SELECT * FROM event_registrations',
      "SELECT id FROM event_registrations WHERE badge_qr_token LIKE 'C%'",
      'SELECT einv_hash FROM invoices',
      'SELECT subtotal FROM invoices',
      'SELECT name FROM workspaces',
      'SELECT label FROM workspace_api_keys',
      "UPDATE invoices SET invoice_no = 'x'",
      'DELETE FROM invoices',
      "INSERT INTO workspaces VALUES ('a', 'b')",
      'CREATE TABLE mine (id INT)',
      'DROP TABLE invoices',
      'CREATE TEMPORARY TABLE mine (id INT)',
      'SELECT * FROM mysql.user',
      "SELECT invoice_no FROM invoices INTO OUTFILE '/tmp/vitrine-never'",
    ],
    awkward: () => [
      'SELECT gate_token FROM `attendees?`',
      'SELECT note FROM tokens',
      'SELECT cleared_xml FROM bills',
      'UPDATE bills SET bill_no = 1',
    ],
  }

  test.each(['plain', 'awkward'] as const)(
    'can read nothing else of the %s product and write nothing',
    async (name) => {
      const database = await throwaway.createProduct(name, { registrations: 100 })
      const connection = await mysql.createConnection({ uri: database.readUrl })
      for (const sql of attempts[name]!(database)) {
        await expect(connection.query(sql), sql).rejects.toThrow(/denied|INSERT command|Access/)
      }
      await connection.end()
    },
  )
})
