import { beforeAll, describe, expect, test } from 'vitest'
import { printGrants } from '../../src/tools/commands/grants.js'
import type { Finding } from '../../src/finding.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection, rowsOf, runCheck } from '../support/checking.js'
import { startService, useThrowaway } from '../support/service.js'

/* a key-value table beside the registrations, with 20 rows for each, of which one is the e-mail address. */

const throwaway = useThrowaway()
let database: ProductDatabase

beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 600 })
  const user = `'${new URL(database.readUrl).username}'@'%'`
  const keys = Array.from({ length: 19 }, (_, at) => `SELECT 'k${at}' AS k`).join(' UNION ALL ')
  await runStatements(database.adminUrl, [
    `CREATE TABLE meta (meta_id BIGINT AUTO_INCREMENT PRIMARY KEY, registration_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       meta_key VARCHAR(100) NULL, meta_value LONGTEXT NULL, KEY by_registration (registration_id))`,
    `INSERT INTO meta (registration_id, meta_key, meta_value) SELECT r.id, k.k, 'x' FROM event_registrations r, (${keys}) k`,
    `INSERT INTO meta (registration_id, meta_key, meta_value) SELECT id, '_email', attendee_email FROM event_registrations`,
    'ANALYZE TABLE meta',
    `REVOKE SELECT (attendee_email) ON event_registrations FROM ${user}`,
    `GRANT SELECT (meta_id, registration_id, meta_key, meta_value), SHOW VIEW ON meta TO ${user}`,
  ])
  const lookup = `{ from: meta, on: id, key: registration_id, where: [{ column: meta_key, equals: _email }], column: meta_value }`
  database = await changeMapping(database, 'email: attendee_email', `email: ${lookup}`)
})

test('the rows of a key-value table are named as those of the lookup, with the index that leaves most of them out', async () => {
  const before = await runCheck(database)
  const cost = findSection(before, 'cost')
  expect(before.ok, JSON.stringify(cost.findings)).toBe(true)
  const [list] = rowsOf(cost, 'requests')
  expect(Number(list!['readRows'])).toBeGreaterThan(26 * 20)
  const isOfMeta = ({ object }: Finding): boolean => object === 'meta'
  const [warning, ...others] = cost.findings.filter(isOfMeta)
  expect(others).toEqual([])
  expect(warning!.problem).toMatch(/^list reads .*\d{3} rows for a page of 25$/)
  expect(warning!.fix).toBe(
    'CREATE INDEX `ix_vitrine_registration_id_meta_key` ON `meta` (`registration_id`, `meta_key`);',
  )

  await runStatements(database.adminUrl, [warning!.fix])
  const after = findSection(await runCheck(database), 'cost')
  expect(after.findings.filter(isOfMeta)).toEqual([])
  expect(Number(rowsOf(after, 'requests')[0]!['readRows'])).toBeLessThan(26 * 10)
})

test('lines that no index finds are named with the index that does', async () => {
  const user = `'${new URL(database.readUrl).username}'@'%'`
  await runStatements(database.adminUrl, [
    `CREATE TABLE bill_lines (id BIGINT AUTO_INCREMENT PRIMARY KEY, invoice_id CHAR(26) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
       net DECIMAL(12, 2) NOT NULL)`,
    'INSERT INTO bill_lines (invoice_id, net) SELECT id, 1 FROM invoices UNION ALL SELECT id, 2 FROM invoices',
    `GRANT SELECT (invoice_id, net), SHOW VIEW ON bill_lines TO ${user}`,
  ])
  const total = 'total: { from: bill_lines, key: invoice_id, sum: [net] }'
  const summed = await changeMapping(database, 'total: grand_total', total)
  const before = await runCheck(summed)
  const isOfLines = ({ object }: Finding): boolean => object === 'bill_lines'
  const [warning, ...others] = findSection(before, 'cost').findings.filter(isOfLines)
  expect(others).toEqual([])
  expect(warning!.fix).toBe('CREATE INDEX `ix_vitrine_invoice_id` ON `bill_lines` (`invoice_id`);')
  await runStatements(database.adminUrl, [warning!.fix])
  expect(findSection(await runCheck(summed), 'cost').findings.filter(isOfLines)).toEqual([])
})

test('grants names the primary key of the table if the database shows it, and says what it takes it to be otherwise', async () => {
  const { mappingFile, adminUrl } = database
  const account = { user: 'u', host: 'h', requireTls: false }
  const print = (url: string): Promise<string> =>
    printGrants({ MAPPING_FILE: mappingFile, DATABASE_URL: url }, account)
  const known = await print(adminUrl)
  expect(known).toMatch(/^GRANT SELECT \(.*`meta_id`.*\) ON (?:`\w+`\.)?`meta`/m)
  expect(known).not.toContain('taken to be')
  // The user of DATABASE_URL is often the one that these statements will make.
  const stranger = new URL(adminUrl)
  stranger.username = 'not_yet'
  for (const url of ['', stranger.href]) {
    const assumed = await print(url)
    expect(assumed).toMatch(/^GRANT SELECT \(.*`id`.*\) ON (?:`\w+`\.)?`meta`/m)
    expect(assumed).toContain('\n--   id is taken to be its primary key. ')
  }
})

describe('a key that the mapping file does not name', () => {
  test('is forbidden by neverRead as one that it names', async () => {
    const forbidden = await changeMapping(database, 'neverRead:', 'neverRead:\n  - meta.meta_id')
    const { mappingFile, readUrl } = forbidden
    const variables = { MAPPING_FILE: mappingFile, DATABASE_URL: readUrl }
    const account = { user: 'u', host: 'h', requireTls: false }
    const issues = [expect.objectContaining({ found: 'meta.meta_id, which neverRead forbids' })]
    await expect(runCheck(forbidden)).rejects.toMatchObject({ issues })
    await expect(printGrants(variables, account)).rejects.toMatchObject({ issues })
    await expect(startService(forbidden)).rejects.toMatchObject({ issues })
  })

  test('is not taken for id where a table is forbidden', async () => {
    const forbidden = await changeMapping(database, 'neverRead:', 'neverRead:\n  - meta.id')
    expect((await runCheck(forbidden)).sections.length).toBeGreaterThan(2)
  })
})
