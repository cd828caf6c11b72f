import { execFileSync } from 'node:child_process'
import mysql from 'mysql2/promise'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { startVitrine } from '../product/start-vitrine.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import type { TestDatabase } from '../product/test-database.js'
import { afterFile } from '../support/after-file.js'
import { startThrowaway, useServer } from '../product/throwaway.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()

/** With what a dump can have: keys of every kind, triggers, counters, and times that move by themselves. */
const schema = `
USE mysql;
CREATE TABLE tenants (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL);
CREATE TABLE api_keys (
  nr INT AUTO_INCREMENT PRIMARY KEY, hash VARBINARY(64) NOT NULL, tenant INT NOT NULL, scopes VARCHAR(80) NOT NULL,
  label VARCHAR(20) NOT NULL, ends DATETIME NULL, revoked INT NOT NULL DEFAULT 0,
  FOREIGN KEY (tenant) REFERENCES tenants (id) ON DELETE CASCADE);
CREATE TABLE bills (
  id INT AUTO_INCREMENT PRIMARY KEY, tenant INT NOT NULL, total DECIMAL(9, 2) NOT NULL, state VARCHAR(8) NOT NULL,
  day DATE NOT NULL, made TIMESTAMP NOT NULL, twice DECIMAL(10, 2) AS (total * 2) STORED,
  changed TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  FOREIGN KEY (tenant) REFERENCES tenants (id) ON DELETE CASCADE);
CREATE TABLE history (what VARCHAR(40) NOT NULL);
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`absent\`@\`nowhere\`*/ /*!50003 TRIGGER bills_insert AFTER INSERT ON bills FOR EACH ROW
BEGIN
  INSERT INTO history VALUES ('made; a bill');
END */;;
CREATE TRIGGER bills_delete AFTER DELETE ON bills FOR EACH ROW INSERT INTO history VALUES ('gone') ;;
DELIMITER ;
CREATE DEFINER = absent@nowhere SQL SECURITY INVOKER VIEW open_bills AS SELECT id, total FROM bills WHERE state = 'OPEN'
`
const toBill = (
  id: number,
  tenant: number,
  cells: readonly [total: string, state: string, madeMs: number],
) => {
  const [total, state, madeMs] = cells
  const changed = new Date(9e11 + id)
  return { id, tenant, total, state, day: '2026-01-02', made: new Date(madeMs), changed }
}
const rows = {
  tenants: ['A', 'B'].map((name, at) => ({ id: at + 1, name })),
  bills: [toBill(7, 1, ['1.50', 'OPEN', 8e11]), toBill(9, 2, ['2.00', 'Paid', 9e11])],
}
const mapping: Mapping = {
  timezone: '+03:00',
  apiKeys: {
    table: 'api_keys',
    hash: { column: 'hash', algorithm: 'sha512', encoding: 'binary' },
    workspace: 'tenant',
    scopes: { column: 'scopes', format: 'comma' },
    prefix: 'sk_',
    expiresAt: 'ends',
    revokedAt: { column: 'revoked', epoch: 's' },
  },
  invoices: {
    table: 'bills',
    workspace: 'tenant',
    archived: [],
    eventId: null,
    fields: {
      ...{ id: 'id', number: 'id', status: 'state', total: 'total', currency: { constant: 'EUR' } },
      ...{ issueDate: 'day', dueDate: null, createdAt: 'made', updatedAt: 'changed' },
    },
  },
  neverRead: [],
}

/** Every row of every table, and the next numbers. */
async function readAll(product: TestDatabase): Promise<unknown> {
  const all: unknown[] = []
  for (const table of ['tenants', 'api_keys', 'bills', 'history'])
    all.push(await product.query(`SELECT * FROM ${table} ORDER BY 1`))
  const triggers = await product.query('SHOW TRIGGERS')
  return [...all, triggers.map((one) => [one['Trigger'], one['Statement']])]
}

describe('a product of one’s own', () => {
  let product: TestDatabase
  beforeAll(async () => {
    product = await throwaway.createProduct({ schema: { text: schema }, rows, mapping })
  })

  test('reset brings the first rows of a dump back, and Vitrine goes on with the keys, of which one is revoked', async () => {
    // The first lines of mariadb-dump: no delimiter follows the first one.
    const head = `/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n/*M!999999\\- again, as with --compact */ \n`
    const fill = `CREATE PROCEDURE fill () INSERT INTO tenants VALUES (1, 'A'); CALL fill ();
/* by hand */ CREATE TEMPORARY TABLE more (id INT); INSERT INTO more VALUES (2);
INSERT INTO tenants SELECT id, 'B' FROM more; /*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;`
    const script = `${head}${schema}; ${fill}`
    const bills = { bills: rows.bills.map(({ id: _id, ...bill }) => bill) }
    const other = await throwaway.createProduct({ schema: { text: script }, rows: bills, mapping })
    const vitrine = await startVitrine({ databaseUrl: other.readUrl, mapping })
    afterFile(() => vitrine.stop())
    const mint = (revoked: number): Promise<string> =>
      other.mintKey({ workspace: '2', scopes: ['invoices.read'], columns: { label: 'x', revoked } })
    const [key, revoked] = [await mint(0), await mint(8e8)]
    const read = async (own = key): Promise<unknown> => {
      const headers = { authorization: `Bearer ${own}` }
      const answer = await fetch(`${vitrine.url}/api/public/v1/invoices`, { headers })
      return [answer.status, ((await answer.json()) as { data?: unknown }).data]
    }
    const first = [await read(), await readAll(other)]
    expect(first[0]).toMatchObject([200, [{ id: '2' }]])
    expect(await read(revoked)).toEqual([401, undefined])
    await other.query('DELETE FROM bills')
    await other.query("UPDATE tenants SET name = 'C'")
    await other.query('DELETE FROM api_keys')
    expect(await read()).toEqual([401, undefined])
    const forgotten = await mysql.createConnection(other.adminUrl)
    await forgotten.query('START TRANSACTION')
    await forgotten.query('SELECT id FROM bills')
    await expect(other.reset()).rejects.toThrow(
      /^reset: another session has an open transaction on the table bills; end it/,
    )
    await forgotten.end()
    await other.reset()
    expect([await read(), await readAll(other)]).toEqual(first)
  })

  test('a key without the value that a column needs is an error that names the column', async () => {
    const input = { workspace: '1', scopes: ['invoices.read'] } as const
    await expect(product.mintKey(input)).rejects.toThrow(
      /^mintKey: api_keys\.label needs a value; give it in `columns`$/,
    )
  })
})

test('an option that a function does not have, or of another kind, is an error that names both', async () => {
  const { createProduct } = throwaway
  const own = { schema: { text: 'CREATE TABLE a (b DATETIME)' }, mapping }
  const { mintKey, query } = await createProduct('plain', { registrations: 1 })
  const scopes = ['invoices.read']
  const calls: readonly (readonly [(given: never) => Promise<unknown>, object, RegExp])[] = [
    [startThrowaway, { engine: 'postgres' }, /^startThrowaway: engine must be 'mysql' or 'mariadb'$/],
    [
      createProduct,
      { ...own, row: [] },
      /^createProduct: there is no option row; .*\{ schema, rows, mapping }$/,
    ],
    [createProduct, { ...own, rows: { a: [{ b: NaN }] } }, /column b of the table a must be .* or null$/],
    [createProduct, { ...own, schema: { text: 1 } }, /^createProduct: schema must be the name of a file/],
    [(values) => query('SELECT ?', values), [[1]], /^query: value 1 must be text, .* or null$/],
    [mintKey, { scopes }, /^mintKey: workspace is missing$/],
    [mintKey, { workspace: '7', scopes: ['invoice.read'] }, /^mintKey: scopes must be a list of /],
    [
      startVitrine,
      { databaseUrl: '', mapping, env: { SYNC_OVERLAP: '0' } },
      /^startVitrine: env has SYNC_OVERLAP, .*; did you mean SYNC_OVERLAP_SECONDS\?$/,
    ],
    [
      startVitrine,
      { databaseUrl: '', mapping, env: { LOG_LEVEL: 'warn' } },
      /^startVitrine: env has LOG_LEVEL, which is always info here$/,
    ],
  ]
  for (const [call, given, message] of calls) await expect(call(given as never)).rejects.toThrow(message)
})

test('rows and statements can have a zero date, on every server', async () => {
  const bills = [{ ...rows.bills[0], day: '0000-00-00' }, rows.bills[1]!]
  const tables = { tenants: rows.tenants, bills }
  const { query } = await throwaway.createProduct({ schema: { text: schema }, rows: tables, mapping })
  await query("UPDATE bills SET day = '2026-00-00' WHERE id = ?", [9])
  expect(await query('SELECT day FROM bills')).toEqual([{ day: '0000-00-00' }, { day: '2026-00-00' }])
})

test('stop removes a database and its user, although a transaction is open', async () => {
  const other = useServer(inject('server'))
  const { adminUrl, readUrl } = await other.createProduct({ schema: { text: schema }, mapping })
  const forgotten = await mysql.createConnection(adminUrl)
  forgotten.on('error', () => undefined)
  await forgotten.query('START TRANSACTION')
  await forgotten.query('SELECT id FROM bills')
  await other.stop()
  await expect(mysql.createConnection(adminUrl)).rejects.toThrow(/Unknown database/)
  await expect(mysql.createConnection(readUrl)).rejects.toThrow(/Access denied/)
  forgotten.destroy()
})

test('stop resolves although the server rejects a statement that removes something', async () => {
  const other = useServer(inject('server'))
  other.undo({ do: 'sql', url: other.adminUrl, statements: ['DROP DATABASE vitrine_absent'] })
  await other.stop()
})

const twice = 'CREATE TABLE a (b INT);\n\nCREATE TABLE a (b INT)'
const wrong = { ...mapping, apiKeys: { ...mapping.apiKeys, revokedAt: 'never' } }
const foreign = { ...wrong, invoices: { ...mapping.invoices!, workspace: 'no_column' } }
describe('a fault is an error that names it', () => {
  test.each<[what: string, schema: string | { text: string }, of: Mapping, message: RegExp]>([
    [
      'a statement',
      { text: twice },
      mapping,
      /^schema, line 3: .*ER_TABLE_EXISTS_ERROR.*\n {2}CREATE TABLE a/s,
    ],
    ['a file', 'CREATE TABLE a (b INT)', mapping, /a string is the name of a file/],
    [
      'the mapping against the schema',
      { text: schema },
      foreign,
      /apiKeys\.revokedAt: .*invoices\.workspace/s,
    ],
  ])('of %s', async (_, text, of, message) => {
    await expect(throwaway.createProduct({ schema: text, mapping: of })).rejects.toThrow(message)
  })

  test('of a start: the reason, and what Vitrine printed', async () => {
    const product = await throwaway.createProduct({ schema: { text: schema }, mapping })
    const started = startVitrine({ databaseUrl: product.adminUrl, mapping: product.mappingFile })
    await expect(started).rejects.toThrow(
      /did not start\. It printed:\n.*"findings":.*ALL PRIVILEGES: administers the server/s,
    )
    const env = { PORT: new URL(product.readUrl).port }
    await expect(
      startVitrine({ databaseUrl: product.readUrl, mapping: product.mappingFile, env }),
    ).rejects.toThrow(/did not start: HOST or PORT: .*\. It printed:/)
  })
})

const dump = ['mariadb-dump', 'mysqldump'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
const canDump = dump !== undefined && inject('server').isMariaDb

test.skipIf(!canDump)(`a dump loads${canDump ? '' : ': skipped, no mariadb-dump here'}`, async () => {
  const from = await throwaway.createProduct({ schema: { text: schema }, rows, mapping })
  const { hostname, port, username, password, pathname } = new URL(from.adminUrl)
  const account = [`-h${hostname}`, `-P${port}`, `-u${username}`, '--protocol=tcp']
  const env = { ...process.env, MYSQL_PWD: password }
  const args = [...account, '--databases', pathname.slice(1)]
  const text = execFileSync(dump!, args, { encoding: 'utf8', env })
  expect(text).toContain('DEFINER')
  const product = await throwaway.createProduct({ schema: { text }, mapping })
  expect(await readAll(product)).toEqual(await readAll(from))
  expect(await product.query('SELECT id FROM open_bills')).toEqual([{ id: 7 }])
})
