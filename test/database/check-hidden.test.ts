import { beforeAll, describe, expect, test } from 'vitest'
import type { Section } from '../../src/tools/report/report.js'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, findSection, runCheck } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase

const archived = 'archived: { column: archived_at, is: set }'

beforeAll(async () => {
  const product = await throwaway.createProduct('plain', { registrations: 40 })
  await runStatements(product.adminUrl, [
    'ALTER TABLE invoices ADD erased TINYINT(1) NOT NULL DEFAULT 0, ADD seen_at DATETIME NOT NULL DEFAULT NOW()',
  ])
  // The account of the service may not read a new column.
  database = { ...product, readUrl: product.adminUrl }
})

/** The section with the mapping in which this stands in the place of `archived` of the invoices. */
async function checkInvoices(by: string, id: string): Promise<Section> {
  const old = `table: invoices\n  workspace: workspace_id\n  ${archived}`
  const changed = await changeMapping(database, old, old.replace(archived, by))
  return findSection(await runCheck(changed), id)
}

describe('a mapping that shows no record', () => {
  test('is a warning where the table has rows, with the parts of the mapping that hide them', async () => {
    const { findings, notes } = await checkInvoices('archived: { column: erased, is: set }', 'sample')
    expect(findings).toEqual([
      {
        severity: 'warning',
        object: 'invoices',
        problem: 'has rows, but the check found no invoices among them: lists can be empty',
        fix: 'correct invoices.archived, invoices.workspace: a record passes every test of where and none of archived, and has a workspace',
      },
    ])
    expect(notes).toEqual([])
    const where = await checkInvoices(
      'where: [{ column: invoice_status, equals: NOWHERE }]\n  archived: []',
      'sample',
    )
    expect(where.findings.map(({ fix }) => fix)).toEqual([
      expect.stringMatching(/^correct invoices\.where, invoices\.workspace:/),
    ])
  })

  test('is found by an account that may read only the mapped columns', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 20 })
    await runStatements(product.adminUrl, ['UPDATE event_registrations SET archived_at = updated_at'])
    const { findings } = findSection(await runCheck(product), 'sample')
    expect(findings.map(({ object, problem }) => `${object} ${problem}`)).toEqual([
      'event_registrations has rows, but the check found no registrations among them: lists can be empty',
    ])
  })

  test('is a note where the table has no row', async () => {
    const product = await throwaway.createProduct('plain', { registrations: 20 })
    await runStatements(product.adminUrl, ['DELETE FROM event_registrations'])
    const { findings, notes } = findSection(await runCheck(product), 'sample')
    expect([findings, notes]).toEqual([[], ['The table of registrations has no row.']])
  })
})

describe('a test of a column that cannot be NULL', () => {
  const listTests = async (by: string): Promise<readonly string[]> =>
    (await checkInvoices(by, 'provenance')).findings.map(({ object, problem }) => `${object}: ${problem}`)
  const places = (erased: string): string =>
    `where: [{ column: erased, is: unset }]\n  archived: { column: erased, is: ${erased} }`

  test('is a warning with the test and the type', async () => {
    expect(await listTests(places('set'))).toEqual([
      'invoices.where: the test "erased is unset" holds for no row: the column is tinyint(1) NOT NULL',
      'invoices.archived: the test "erased is set" holds for every row: the column is tinyint(1) NOT NULL',
    ])
  })

  test('is accepted where it can be NULL or a zero date, and where a value is compared', async () => {
    const tests =
      '[{ column: seen_at, is: set }, { column: due_date, is: unset }, { column: erased, equals: 1 }]'
    expect(await listTests(`archived: ${tests}`)).toEqual([])
  })

  test('is accepted of a view, which can describe its columns wrongly', async () => {
    await runStatements(database.adminUrl, ['CREATE VIEW shown_invoices AS SELECT * FROM invoices'])
    const viewed = await changeMapping(
      database,
      `table: invoices\n  workspace: workspace_id\n  ${archived}`,
      `table: shown_invoices\n  workspace: workspace_id\n  ${places('set')}`,
    )
    const { findings } = findSection(await runCheck(viewed), 'provenance')
    expect(findings.filter(({ problem }) => problem.includes('the test'))).toEqual([])
  })
})
