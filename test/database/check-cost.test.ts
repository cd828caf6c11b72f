import { beforeAll, describe, expect, test } from 'vitest'
import type { CheckReport } from '../../src/tools/check/create-report.js'
import type { Section } from '../../src/tools/report/report.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection, rowsOf, runCheck } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'
import { listMapped } from '../support/readable-columns.js'

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
  const section = find(await runCheck(own))
  expect(section.findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      object: 'invoices',
      fix: 'CREATE INDEX `ix_vitrine_sync` ON `invoices` (`workspace_id`, `updated_at`, `id`);',
    }),
  )
  const wrong = await changeMapping(own, 'name: attendee_name', 'name: attendee_email')
  const { findings } = find(await runCheck(wrong))
  expect(findings.map(({ severity }) => severity)).toEqual(['warning'])
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

test('a view whose rows cannot be read in time is an error', async () => {
  const own = await throwaway.createProduct('plain', { registrations: 300 })
  const user = `'${new URL(own.readUrl).username}'@'%'`
  await runStatements(own.adminUrl, [
    `CREATE VIEW slow AS SELECT ${names} FROM event_registrations WHERE BENCHMARK(1000000, SHA2(id, 256)) = 0`,
    `GRANT SELECT (${names}), SHOW VIEW ON slow TO ${user}`,
    `GRANT SHOW VIEW ON event_registrations TO ${user}`,
  ])
  const viewed = await changeMapping(own, 'table: event_registrations', 'table: slow')
  const report = await runCheck(viewed, { DATABASE_QUERY_TIMEOUT_MS: '1000' })
  expect(findSection(report, 'contradictions').findings).toContainEqual(
    expect.objectContaining({
      severity: 'error',
      object: 'slow',
      problem: expect.stringMatching(/^cannot be read: /) as string,
    }),
  )
})
