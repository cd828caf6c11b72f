import { describe, expect, test } from 'vitest'
import { listBehindViews, listDifference, listHiddenViews } from '../../../src/audit/compare-grants.js'
import type { AccountReading } from '../../../src/audit/compare-grants.js'
import type { DefinedObject } from '../../../src/audit/definitions.js'
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
  return { exists: true, privileges, mandatoryRoles: [], allowsPlain: false, objects: [], ...rest }
}

const list = (reading: AccountReading, changed: Partial<typeof options> = {}): readonly string[] =>
  listDifference(mapping, { ...options, ...changed }, reading)

test('nothing differs where the account has exactly what grants prints, whatever the case of the columns', () => {
  expect(list(build(['USAGE ON *.*', ...printed]))).toEqual([])
  expect(list(build(printed.map((grant) => grant.replace('`grand_total`', '`Grand_Total`'))))).toEqual([])
})

describe('the difference', () => {
  test('revokes first, and grants all columns again after SELECT on the whole table', () => {
    const statements = list(build([...printed, 'SELECT ON `shop`.`invoices`']))
    expect(statements).toHaveLength(2)
    expect(statements[0]).toBe('REVOKE SELECT ON `shop`.`invoices` FROM `vitrine`@`%`;')
    expect(statements[1]).toMatch(
      /^GRANT SELECT \(.*`grand_total`.*\) ON `shop`\.`invoices` TO `vitrine`@`%`;$/,
    )
  })

  test('grants SHOW VIEW again after ALL PRIVILEGES on the table', () => {
    const rest = printed.filter((grant) => !grant.includes('`invoices`'))
    const statements = list(build([...rest, 'ALL PRIVILEGES ON `shop`.`invoices`']))
    expect(statements[0]).toBe('REVOKE ALL PRIVILEGES ON `shop`.`invoices` FROM `vitrine`@`%`;')
    expect(statements.at(-1)).toBe('GRANT SHOW VIEW ON `shop`.`invoices` TO `vitrine`@`%`;')
  })

  test('does not count privileges on the schema, which it revokes', () => {
    const statements = list(build(['SELECT, SHOW VIEW ON `shop`.*']))
    expect(statements[0]).toBe('REVOKE SELECT, SHOW VIEW ON `shop`.* FROM `vitrine`@`%`;')
    expect(statements.slice(1)).toHaveLength(printed.length)
  })

  test('revokes SHOW VIEW on a table that is neither mapped nor behind a view', () => {
    expect(list(build([...printed, 'SHOW VIEW ON `shop`.`old`']))).toEqual([
      'REVOKE SHOW VIEW ON `shop`.`old` FROM `vitrine`@`%`;',
    ])
  })

  test('revokes roles, but not those that the server gives to every account', () => {
    const privileges = buildPrivileges(printed, {
      roles: ['`a`@`%`', '`b`@`%`'].map((role) => ({ role, grantable: false })),
    })
    const reading = build([], { privileges, mandatoryRoles: ['`b`@`%`'] })
    expect(list(reading)).toEqual(['REVOKE `a`@`%` FROM `vitrine`@`%`;'])
  })

  test('adds the replica privilege and TLS where they are missing', () => {
    const wanted = { replicas: true, requireTls: true }
    const group = [
      'SELECT (MEMBER_ID, MEMBER_STATE) ON `performance_schema`.`replication_group_members`',
      'SELECT (CHANNEL_NAME, SERVICE_STATE, APPLYING_TRANSACTION, APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP) ON `performance_schema`.`replication_applier_status_by_worker`',
    ]
    expect(list(build(printed, { allowsPlain: true }), wanted)).toEqual([
      expect.stringMatching(/^GRANT .*REPLICATION CLIENT.* ON \*\.\* TO/),
      expect.stringContaining('performance_schema.replication_group_members'),
      expect.stringContaining('performance_schema.replication_applier_status_by_worker'),
      'ALTER USER `vitrine`@`%` REQUIRE SSL;',
    ])
    expect(list(build([...printed, ...group, 'REPLICATION CLIENT ON *.*']), wanted)).toEqual([])
  })
})

describe('the objects behind mapped views', () => {
  const table = { kind: 'table', columns: new Map() } as const
  const toObject = (
    name: string,
    definition: DefinedObject['definition'],
    mapped: boolean,
  ): DefinedObject => ({
    database: 'shop',
    name,
    mapped,
    behindView: !mapped,
    definition,
    engine: definition.kind === 'table' ? 'InnoDB' : undefined,
  })

  test('need SHOW VIEW, in any schema', () => {
    const other = { ...toObject('events', table, false), database: 'crm' }
    const reading = build(printed, { objects: [toObject('invoices', table, true), other] })
    expect(listBehindViews(reading)).toEqual([other])
    expect(list(reading)).toEqual(['GRANT SHOW VIEW ON `crm`.`events` TO `vitrine`@`%`;'])
  })

  test('are not known where the definition of a view is hidden', () => {
    const objects = [
      toObject('a', { kind: 'hidden', type: 'VIEW' }, true),
      toObject('b', { kind: 'hidden', type: '' }, false),
      toObject('c', { kind: 'hidden', type: 'BASE TABLE' }, true),
    ]
    expect(listHiddenViews(build(printed, { objects })).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})
