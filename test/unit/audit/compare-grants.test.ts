import { expect, test } from 'vitest'
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

test('the difference revokes roles, but not those that the server gives to every account', () => {
  const privileges = buildPrivileges(printed, {
    roles: [
      { role: '`a`@`%`', grantable: false, revocable: true },
      { role: '`b`@`%`', grantable: false, revocable: false },
    ],
  })
  const reading: AccountReading = { exists: true, privileges, allowsPlain: false, objects: [] }
  expect(listDifference(mapping, options, reading)).toEqual(['REVOKE `a`@`%` FROM `vitrine`@`%`;'])
})
