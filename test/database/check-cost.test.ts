import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { CheckReport } from '../../src/tools/check/create-report.js'
import type { Section } from '../../src/tools/report/report.js'
import { printGrants } from '../../src/tools/commands/grants.js'
import type { Finding } from '../../src/finding.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection, rowsOf, runCheck } from '../support/checking.js'
import { startService, useThrowaway } from '../support/service.js'
import { listMapped } from '../support/readable-columns.js'
import { createClient } from '../support/client.js'

const names = listMapped('event_registrations')
const throwaway = useThrowaway()
let database: ProductDatabase

beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 2500 })
  // Before the server has counted the rows by itself, MySQL can choose another index for a view.
  await runStatements(database.adminUrl, ['ANALYZE TABLE event_registrations, invoices'])
})

const find = (report: CheckReport): Section => findSection(report, 'cost')
const findRow = (section: Section, collection: string, request: string) =>
  rowsOf(section, 'requests').find((row) => row['collection'] === collection && row['request'] === request)!

describe('a table with an index for paging', () => {
  test('has the cost of every kind of request, and reads no more rows than a page has', async () => {
    const section = find(await runCheck(database))
    expect(rowsOf(section, 'requests')).toHaveLength(2 * 6 + 1)
    for (const collection of ['registrations', 'invoices'])
      for (const request of ['list', 'list by updatedSince', 'list behind a cursor']) {
        const { readRows, sortedRows } = findRow(section, collection, request)
        // Archived and invalid rows are among those of a page.
        expect([Number(readRows) >= 26, Number(readRows) <= 60, sortedRows]).toEqual([true, true, 0])
      }
    expect(section.findings).toEqual([])
  })
})

test('a table without it is an error with the rows that were read, and the index fixes it', async () => {
  const own = await throwaway.createProduct('plain', { registrations: 2500 })
  await runStatements(own.adminUrl, ['ALTER TABLE event_registrations DROP INDEX ix_reg_sync'])
  const broken = await runCheck(own)
  expect(broken.ok).toBe(false)
  const [error, ...others] = find(broken).findings.filter(({ severity }) => severity === 'error')
  expect(others).toEqual([])
  expect(error!.object).toBe('event_registrations')
  expect(error!.problem).toMatch(/^list reads and sorts [\d,]{3,} rows for a page of 25$/)
  await runStatements(
    own.adminUrl,
    find(broken).findings.map(({ fix }) => fix),
  )
  const fixed = await runCheck(own)
  expect(find(fixed).findings).toEqual([])
  expect(fixed.ok).toBe(true)
})

test('few rows do not hide a missing index; until the mapping is proved it is a warning', async () => {
  const own = await throwaway.createProduct('plain', { registrations: 40 })
  await runStatements(own.adminUrl, ['ALTER TABLE invoices DROP INDEX ix_inv_sync'])
  const fix = 'CREATE INDEX `ix_vitrine_sync` ON `invoices` (`workspace_id`, `updated_at`, `id`);'
  expect(find(await runCheck(own)).findings).toMatchObject([{ severity: 'error', object: 'invoices', fix }])
  const wrong = await changeMapping(own, 'name: attendee_name', 'name: attendee_email')
  const { findings } = find(await runCheck(wrong))
  expect(findings.map(({ severity }) => severity)).toEqual(['warning'])
})

test('where a lookup finds the workspace, a missing index is a warning, and so is a view that reads more than the rows of one', async () => {
  const own = await throwaway.createProduct({
    schema: 'test/product/ticketing.sql',
    rows: 'test/product/ticketing-rows.sql',
    mapping: 'test/product/ticketing.yaml',
  })
  const { findings } = find(await runCheck(own))
  expect(findings.map(({ severity, fix }) => `${severity}: ${fix}`)).toEqual([
    'warning: CREATE INDEX `ix_vitrine_sync` ON `attendees` (`updated_at`, `id`, `event_id`);',
    'warning: CREATE INDEX `ix_vitrine_sync` ON `orders` (`is_invoiced`, `updated_at`, `id`, `event_id`);',
  ])
  await runStatements(own.adminUrl, [
    'ALTER TABLE attendees DROP FOREIGN KEY attendees_event_id_foreign, RENAME COLUMN event_id TO unused, RENAME TO tickets',
    "INSERT INTO accounts (id, first_name, last_name, email) SELECT id, '', '', '' FROM orders WHERE id < 1020",
    "INSERT INTO events (id, title, account_id) SELECT id, '', id FROM accounts WHERE id >= 1000",
    'UPDATE orders SET event_id = 1000 + id % 20',
    'ANALYZE TABLE accounts, events, orders, tickets',
  ])
  const checkView = async (join: string): Promise<readonly string[]> => {
    const select = `SELECT t.*, o.event_id FROM tickets t ${join} ON o.id = t.order_id`
    await runStatements(own.adminUrl, [`CREATE OR REPLACE VIEW attendees AS ${select}`])
    const { findings } = find(await runCheck({ ...own, readUrl: own.adminUrl }))
    return findings.filter(({ object }) => object === 'attendees').map(({ fix }) => fix)
  }
  expect(await checkView('JOIN orders o')).toEqual([])
  expect(await checkView('LEFT JOIN orders o FORCE INDEX (PRIMARY)')).toEqual([
    expect.stringContaining('JOIN without FORCE INDEX'),
  ])
})

describe('a view', () => {
  const columns = names.split(', ').map((name) => `r.${name}`)
  const replace = (name: string, expression: string): string =>
    columns.map((column) => (column === `r.${name}` ? `${expression} AS ${name}` : column)).join(', ')

  /** The findings about a view over the registrations. */
  const checkView = async (select: string): Promise<Section['findings']> => {
    const user = `'${new URL(database.readUrl).username}'@'%'`
    await runStatements(database.adminUrl, [
      `CREATE OR REPLACE VIEW viewed AS SELECT ${select}`,
      `GRANT SELECT (${names}), SHOW VIEW ON viewed TO ${user}`,
      `GRANT SHOW VIEW ON event_registrations TO ${user}`,
    ])
    const viewed = await changeMapping(database, 'table: event_registrations', 'table: viewed')
    return find(await runCheck(viewed)).findings.filter(({ object }) => object === 'viewed')
  }

  const slow = `${replace('updated_at', 'COALESCE(r.updated_at, r.created_at)')} FROM event_registrations r`
  const advice = /^map the tables behind the view instead, .* an index on \(workspace_id, updated_at, id\)/

  test('whose order no index serves is an error with what was measured, and the index that would serve', async () => {
    const [error] = await checkView(slow)
    expect(error).toMatchObject({ severity: 'error' })
    expect(error!.problem).toMatch(/^list reads and sorts [\d,]{3,} rows for a page of 25$/)
    expect(error!.fix).toMatch(advice)
  })
})

const { isMariaDb } = inject('server')
const [hide, show] = isMariaDb ? ['IGNORED', 'NOT IGNORED'] : ['INVISIBLE', 'VISIBLE']

test('an index that the optimizer does not use is not the one of lists, and check says how it is put into use again', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const alter = (how: string) => `ALTER TABLE \`event_registrations\` ALTER INDEX \`ix_reg_sync\` ${how}`
  await runStatements(product.adminUrl, [alter(hide)])
  const service = await startService(product)
  const metrics = (await service.ops.inject('/metrics')).body
  expect(metrics).toContain('vitrine_paging_index{collection="registrations"} 0')
  expect((await createClient(service).get('registrations')).body.data.length).toBeGreaterThan(0)
  const { findings } = findSection(await runCheck(product), 'cost')
  expect(findings.filter(({ object }) => object === 'event_registrations').map(({ fix }) => fix)).toContain(
    `${alter(show)};`,
  )
  expect(JSON.stringify(findings)).not.toMatch(/doesn't exist|no index helps/)
})

describe('a key-value table beside the registrations, with 20 rows for each, of which one is the e-mail address', () => {
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

  test('a key that the mapping file does not name is forbidden by neverRead as one that it names', async () => {
    const forbidden = await changeMapping(database, 'neverRead:', 'neverRead:\n  - meta.meta_id')
    const { mappingFile, readUrl } = forbidden
    const variables = { MAPPING_FILE: mappingFile, DATABASE_URL: readUrl }
    const account = { user: 'u', host: 'h', requireTls: false }
    const issues = [expect.objectContaining({ found: 'meta.meta_id, which neverRead forbids' })]
    await expect(runCheck(forbidden)).rejects.toMatchObject({ issues })
    await expect(printGrants(variables, account)).rejects.toMatchObject({ issues })
    await expect(startService(forbidden)).rejects.toMatchObject({ issues })
  })
})
