import { describe, expect, test } from 'vitest'
import { listDifference } from '../../../src/audit/compare-grants.js'
import type { AccountReading } from '../../../src/audit/compare-grants.js'
import { renderGrants } from '../../../src/audit/grants-sql.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml } from '../../support/plain-mapping.js'
import { buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)
const options = { requireTls: false, replicas: false }
const grantee = { ...options, user: 'vitrine', host: '%', database: 'shop' }

/** The grants that `vitrine grants` prints, as SHOW GRANTS lists them. */
const printed = [...renderGrants(mapping, grantee).matchAll(/^GRANT (.+) TO '/gm)].map(
  ([, grant = '']) => grant,
)

function build(grants: readonly string[], rest: Partial<AccountReading> = {}): AccountReading {
  const privileges = buildPrivileges(grants)
  return { exists: true, privileges, allowsPlain: false, objects: [], ...rest }
}

const list = (reading: AccountReading, changed: Partial<typeof options> = {}): readonly string[] =>
  listDifference(mapping, { ...options, ...changed }, reading)

describe('the difference', () => {
  test('revokes SHOW VIEW on a table that is neither mapped nor behind a view', () => {
    expect(list(build([...printed, 'SHOW VIEW ON `shop`.`old`']))).toEqual([
      'REVOKE SHOW VIEW ON `shop`.`old` FROM `vitrine`@`%`;',
    ])
  })

  test('revokes roles, but not those that the server gives to every account', () => {
    const privileges = buildPrivileges(printed, {
      roles: [true, false].map((revocable) => ({
        role: revocable ? '`a`@`%`' : '`b`@`%`',
        grantable: false,
        revocable,
      })),
    })
    expect(list(build([], { privileges }))).toEqual(['REVOKE `a`@`%` FROM `vitrine`@`%`;'])
  })
})
