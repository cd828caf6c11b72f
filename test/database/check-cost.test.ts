import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckReport, CheckSection } from '../../src/check/report.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, runCheck } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase

beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 2500 })
  // Before the server has counted the rows by itself, MySQL can choose another index for a view.
  await runStatements(database.adminUrl, ['ANALYZE TABLE event_registrations, invoices'])
})

const find = ({ sections }: CheckReport): CheckSection => sections.find(({ id }) => id === 'cost')!
const rowsOf = (section: CheckSection, id: string) => section.tables.find((table) => table.id === id)!.rows
const findRow = (section: CheckSection, collection: string, request: string, page = 'first') =>
  rowsOf(section, 'requests').find(
    (row) => row['collection'] === collection && row['request'] === request && row['page'] === page,
  )!

describe('a table with an index for paging', () => {
  test('has the cost of every kind of request, and reads no more rows than a page has', async () => {
    const section = find(await runCheck(database))
    expect(rowsOf(section, 'requests')).toHaveLength(2 * (8 + 4 + 1) + 1)
    for (const collection of ['registrations', 'invoices']) {
      for (const request of ['list', 'list by updatedSince']) {
        const { readRows, sortedRows } = findRow(section, collection, request)
        // Archived and invalid rows are among those of a page.
        expect([Number(readRows) >= 26, Number(readRows) <= 60, sortedRows]).toEqual([true, true, 0])
      }
      const deep = findRow(section, collection, 'list', 'deep')
      expect([Number(deep['readRows']) <= 60, deep['sortedRows']]).toEqual([true, 0])
    }
    expect(findRow(section, 'registrations', 'list by eventId')['index']).toBe('ix_reg_event')
    expect(section.findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('has a warning for a filter that no index serves, with the index and its size', async () => {
    const section = find(await runCheck(database))
    const fixes = section.findings.map(({ object, fix }) => [object, fix])
    expect(fixes).toContainEqual([
      'event_registrations',
      'CREATE INDEX `ix_vitrine_status_sync` ON `event_registrations` (`workspace_id`, `reg_status`, `updated_at`, `id`);',
    ])
    for (const { severity, problem } of section.findings) {
      expect(severity).toBe('warning')
      expect(problem).toMatch(
        /a rare value reads all .*An index is optional; it takes (less than 1|about \d+) MB$/,
      )
    }
  })
})

test.each(['awkward', 'ticketing', 'accounting', 'membership', 'invoicing'] as const)(
  'the tables of the %s product have no error',
  async (name) => {
    const report = await runCheck(await throwaway.createProduct(name, { registrations: 1500 }))
    expect(find(report).findings.filter(({ severity }) => severity === 'error')).toEqual([])
    const provenance = report.sections.find(({ id }) => id === 'provenance')!
    const looked = provenance.findings.map(({ object }) => object)
    expect(looked.includes('registrations.fields: name, email')).toBe(
      ['ticketing', 'membership'].includes(name),
    )
    expect(report.ok).toBe(true)
  },
)

test('a table without it is an error with the rows that were read, and the index fixes it', async () => {
  const own = await throwaway.createProduct('plain', { registrations: 2500 })
  await runStatements(own.adminUrl, ['ALTER TABLE event_registrations DROP INDEX ix_reg_sync'])
  const broken = await runCheck(own)
  expect(broken.ok).toBe(false)
  const [error, ...others] = find(broken).findings.filter(({ severity }) => severity === 'error')
  expect(others).toEqual([])
  expect(error!.object).toBe('event_registrations')
  expect(error!.problem).toMatch(
    /^list reads and sorts [\d,]{3,} rows for a page of 25\. The index is needed/,
  )
  await runStatements(
    own.adminUrl,
    find(broken).findings.map(({ fix }) => fix),
  )
  const fixed = await runCheck(own)
  expect(find(fixed).findings).toEqual([])
  expect(fixed.ok).toBe(true)
})

test('few rows do not hide a missing index, and the report says so', async () => {
  const own = await throwaway.createProduct('plain', { registrations: 40 })
  await runStatements(own.adminUrl, ['ALTER TABLE invoices DROP INDEX ix_inv_sync'])
  const section = find(await runCheck(own))
  expect(section.findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      object: 'invoices',
      fix: 'CREATE INDEX `ix_vitrine_sync` ON `invoices` (`workspace_id`, `updated_at`, `id`);',
    }),
  )
  expect(section.notes.join()).toMatch(/do not show in numbers what a larger database will/)
})

describe('a view', () => {
  const names =
    'id, workspace_id, event_id, reg_status, attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at'
  const columns = names.split(', ').map((name) => `r.${name}`)
  const replace = (name: string, expression: string): string =>
    columns.map((column) => (column === `r.${name}` ? `${expression} AS ${name}` : column)).join(', ')

  /** The findings about a view over the registrations. */
  const checkView = async (select: string): Promise<CheckSection['findings']> => {
    const user = `'${new URL(database.readUrl).username}'@'%'`
    await runStatements(database.adminUrl, [
      'CREATE TABLE IF NOT EXISTS words (word VARCHAR(24) CHARACTER SET ascii PRIMARY KEY, label VARCHAR(24) CHARACTER SET ascii)',
      'INSERT IGNORE INTO words SELECT DISTINCT reg_status, reg_status FROM event_registrations',
      `CREATE OR REPLACE VIEW viewed AS SELECT ${select}`,
      `GRANT SELECT (${names}), SHOW VIEW ON viewed TO ${user}`,
      `GRANT SHOW VIEW ON event_registrations TO ${user}`,
      `GRANT SHOW VIEW ON words TO ${user}`,
    ])
    const viewed = await changeMapping(database, 'table: event_registrations', 'table: viewed')
    return find(await runCheck(viewed)).findings.filter(({ object }) => object === 'viewed')
  }

  test('of bare columns of one table is as good as the table', async () => {
    const findings = await checkView(`${columns.join(', ')} FROM event_registrations r`)
    const errors = findings.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ problem }) => problem)).toEqual([])
  })

  test('with coalesce in the order is an error that says so', async () => {
    const [error] = await checkView(
      `${replace('updated_at', 'COALESCE(r.updated_at, r.created_at)')} FROM event_registrations r`,
    )
    expect(error).toMatchObject({ severity: 'error' })
    expect(error!.problem).toMatch(/rows for a page of 25: updatedAt is the expression COALESCE/)
    expect(error!.fix).toMatch(
      /^map the table behind the view instead, with updatedAt: one column of the table/,
    )
  })

  test('with a subquery in the select list and no index is an error with the lookup that replaces it', async () => {
    const [error] = await checkView(
      `${replace('reg_status', '(SELECT w.label FROM words w WHERE w.word = r.reg_status)')} FROM event_registrations r IGNORE INDEX (ix_reg_sync, ix_reg_event)`,
    )
    expect(error).toMatchObject({ severity: 'error' })
    expect(error!.problem).toContain('status is a subquery')
    expect(error!.fix).toContain('status: { from: words, on: reg_status, key: word, column: label }')
    expect(error!.fix).toContain(
      'CREATE INDEX `ix_vitrine_sync` ON `event_registrations` (`workspace_id`, `updated_at`, `id`);',
    )
  })

  test('that joins a table without an index is an error with the table, and the lookup that replaces it', async () => {
    await runStatements(database.adminUrl, [
      'CREATE TABLE loose_words AS SELECT DISTINCT reg_status AS word, reg_status AS label FROM event_registrations',
      `GRANT SHOW VIEW ON loose_words TO '${new URL(database.readUrl).username}'@'%'`,
    ])
    const [error] = await checkView(
      `${replace('reg_status', 'w.label')} FROM event_registrations r LEFT JOIN loose_words w ON w.word = r.reg_status`,
    )
    expect(error).toMatchObject({ severity: 'error' })
    expect(error!.problem).toMatch(/the view joins loose_words, which the server may read whole/)
    expect(error!.fix).toContain('status: { from: loose_words, on: reg_status, key: word, column: label }')
  })

  test('whose definition is hidden is an error with the index for the table behind it', async () => {
    const user = `'${new URL(database.readUrl).username}'@'%'`
    await runStatements(database.adminUrl, [
      `CREATE VIEW hidden AS SELECT ${replace('updated_at', 'COALESCE(r.updated_at, r.created_at)')} FROM event_registrations r`,
      `GRANT SELECT (${names}) ON hidden TO ${user}`,
    ])
    const viewed = await changeMapping(database, 'table: event_registrations', 'table: hidden')
    const [error] = find(await runCheck(viewed)).findings.filter(({ object }) => object === 'hidden')
    expect(error).toMatchObject({ severity: 'error' })
    expect(error!.fix).toMatch(/table behind it.*\(`workspace_id`, `updated_at`, `id`\)/)
  })
})

test('a view whose rows cannot be read in time is an error', async () => {
  const own = await throwaway.createProduct('plain', { registrations: 300 })
  const user = `'${new URL(own.readUrl).username}'@'%'`
  const names =
    'id, workspace_id, event_id, reg_status, attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at'
  await runStatements(own.adminUrl, [
    `CREATE VIEW slow AS SELECT ${names} FROM event_registrations WHERE BENCHMARK(100000, SHA2(id, 256)) = 0`,
    `GRANT SELECT (${names}), SHOW VIEW ON slow TO ${user}`,
    `GRANT SHOW VIEW ON event_registrations TO ${user}`,
  ])
  const viewed = await changeMapping(own, 'table: event_registrations', 'table: slow')
  const { findings } = find(await runCheck(viewed, { DATABASE_QUERY_TIMEOUT_MS: '200' }))
  expect(findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      object: 'slow',
      problem: expect.stringMatching(/^no workspace could be found/) as string,
      fix: expect.stringMatching(/^map the table behind the view instead, with where: /) as string,
    }),
  )
})
