import mysql from 'mysql2/promise'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import type { Database } from '../../src/database/database.js'
import { Problem } from '../../src/errors.js'
import { withDatabase } from '../../src/tools/commands/with-database.js'
import { useThrowaway } from '../support/service.js'
import { countLockedOut, killSessions } from '../support/server-sessions.js'

const throwaway = useThrowaway()

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
