import { expect, test } from 'vitest'
import { useAuditedProduct } from '../support/audited.js'

/*
 * Tests that change the whole server run when no other test does: what every account is granted here would be a
 * finding of every audit on the same server.
 */

const { isMariaDb, fill, run, listErrors, compare } = useAuditedProduct()

test('the audit finds what is granted to every account: PUBLIC on MariaDB, mandatory roles on MySQL', async () => {
  const [give, take] = isMariaDb()
    ? [['GRANT INSERT ON `$db`.invoices TO PUBLIC'], ['REVOKE INSERT ON `$db`.invoices FROM PUBLIC']]
    : [
        [
          'CREATE ROLE `$role_c`',
          'GRANT INSERT ON `$db`.invoices TO `$role_c`',
          "SET GLOBAL mandatory_roles = '$role_c'",
        ],
        ["SET GLOBAL mandatory_roles = ''"],
      ]
  await run(...give)
  const [findings, printed] = await Promise.all([listErrors(), compare()]).finally(() => run(...take))
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({ object: fill('`$db`.`invoices`'), privilege: 'INSERT' })
  // The statements of a mandatory role are those of its variable.
  if (isMariaDb()) expect(printed).toEqual([fill('REVOKE INSERT ON `$db`.`invoices` FROM PUBLIC')])
  expect(findings[0]!.problem).toMatch(isMariaDb() ? /PUBLIC, so to every account/ : /through the role/)
})
