import { beforeAll, expect, test } from 'vitest'
import type { ProductDatabase } from '../product/index.js'
import { runStatements } from '../product/server.js'
import { changeMapping, runCheck, sectionIds } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 20 })
})

const columns = {
  workspace_api_keys: 'workspace_id, key_hash, scopes, expires_at, revoked_at',
  event_registrations:
    'id, workspace_id, event_id, reg_status, attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at',
  invoices:
    'id, workspace_id, event_id, invoice_no, invoice_status, grand_total, currency_code, issue_date, due_date, archived_at, created_at, updated_at',
}

/** With SQL SECURITY INVOKER a reader of the view needs grants on the table. */
test.each(Object.keys(columns) as (keyof typeof columns)[])(
  'a view over %s that only its definer can read is an error, and the check has all sections',
  async (table) => {
    const user = `'${new URL(database.readUrl).username}'@'%'`
    const names = columns[table]
    await runStatements(database.adminUrl, [
      `CREATE SQL SECURITY INVOKER VIEW viewed AS SELECT ${names} FROM ${table}`,
      `REVOKE SELECT (${names}) ON ${table} FROM ${user}`,
      `GRANT SELECT (${names}), SHOW VIEW ON viewed TO ${user}`,
    ])
    const report = await runCheck(await changeMapping(database, `table: ${table}`, 'table: viewed'))
    await runStatements(database.adminUrl, [
      'CREATE OR REPLACE SQL SECURITY DEFINER VIEW viewed AS SELECT 1 AS id',
      `REVOKE SELECT (${names}), SHOW VIEW ON viewed FROM ${user}`,
      'DROP VIEW viewed',
      `GRANT SELECT (${names}) ON ${table} TO ${user}`,
    ])
    expect(report.sections.map(({ id }) => id)).toEqual(sectionIds)
    expect(report.ok).toBe(false)
    const findings = report.sections.flatMap((section) => section.findings)
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        object: 'viewed',
        problem: expect.stringMatching(/^SELECT: /) as string,
      }),
    )
  },
)

test('the ids that several records behind a view have are counted, by the collation of the column', async () => {
  const { adminUrl } = database
  const names = columns.invoices
  const user = `'${new URL(database.readUrl).username}'@'%'`
  await runStatements(adminUrl, [
    `CREATE TABLE copies AS SELECT ${names} FROM invoices`,
    'ALTER TABLE copies MODIFY id VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL',
    `CREATE VIEW viewed AS SELECT ${names} FROM copies`,
    `GRANT SELECT (${names}), SHOW VIEW ON viewed TO ${user}`,
  ])
  const mapped = await changeMapping(database, 'table: invoices', 'table: viewed')
  const readIds = async () => {
    const sample = (await runCheck(mapped)).sections.find(({ id }) => id === 'sample')!
    return sample.findings.filter(({ object }) => object === 'viewed.id').map(({ problem }) => problem)
  }
  expect(await readIds()).toEqual([])
  await runStatements(adminUrl, [
    'INSERT INTO copies SELECT * FROM copies ORDER BY id LIMIT 3',
    // Neither an archived row nor one without an id counts, and a record in another case does.
    'UPDATE copies SET archived_at = created_at ORDER BY id LIMIT 2',
    'UPDATE copies SET id = NULL WHERE archived_at IS NULL ORDER BY id DESC LIMIT 2',
    'UPDATE copies SET id = lower(id) WHERE archived_at IS NULL ORDER BY id LIMIT 1',
  ])
  expect(await readIds()).toEqual([expect.stringMatching(/^2 of the ids have several records/)])
})
