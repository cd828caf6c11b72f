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
