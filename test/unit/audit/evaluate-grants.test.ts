import { describe, expect, test } from 'vitest'
import { evaluateGrants } from '../../../src/audit/evaluate-grants.js'
import { readMapping } from '../../../src/mapping/read-mapping.js'
import { plainYaml } from '../../support/plain-mapping.js'
import { buildGrant, buildPrivileges } from '../../support/privileges.js'

const mapping = readMapping(plainYaml)

test.each([
  ['first', ['PROCESS ON *.* WITH GRANT OPTION', 'SUPER ON *.*']],
  ['last', ['PROCESS ON *.*', 'SUPER ON *.* WITH GRANT OPTION']],
])(
  'grants on one object are one finding, with the grant option of whichever line has it: the %s',
  (_, grants) => {
    const [finding, ...others] = evaluateGrants(mapping, buildPrivileges(grants))
    expect([finding?.privilege, others]).toEqual(['PROCESS, SUPER, GRANT OPTION', []])
  },
)

describe('what a grant reaches', () => {
  const problemOf = (grant: string): string => evaluateGrants(mapping, buildPrivileges([grant]))[0]!.problem
  const forbidden = 'reaches columns that neverRead forbids'

  test.each([
    'SELECT (`einv_hash`) ON `shop`.`invoices`',
    'SELECT ON `shop`.`invoices`',
    'SELECT ON `sh%`.*',
    'ALL PRIVILEGES ON *.*',
  ])('includes a column of neverRead: %s', (grant) => {
    expect(problemOf(grant)).toContain(forbidden)
  })

  test.each([
    'SELECT (`other`) ON `shop`.`invoices`',
    'SELECT ON `other`.`invoices`',
    'SELECT ON `other`.*',
    'INSERT ON `shop`.`invoices`',
  ])('includes none: %s', (grant) => {
    expect(problemOf(grant)).not.toContain(forbidden)
  })
})

describe('the holder of a grant', () => {
  test('decides from what it is revoked', () => {
    const fixes = [
      buildGrant('INSERT ON `shop`.`invoices`'),
      buildGrant('INSERT ON `shop`.`invoices`', { kind: 'public' }),
      buildGrant('INSERT ON `shop`.`invoices`', { kind: 'role', role: '`r`', revocable: true }),
    ].map((grant) => evaluateGrants(mapping, buildPrivileges([grant]))[0]?.fix)
    expect(fixes).toEqual([
      'REVOKE INSERT ON `shop`.`invoices` FROM `vitrine`@`%`;',
      'REVOKE INSERT ON `shop`.`invoices` FROM PUBLIC;',
      'REVOKE `r` FROM `vitrine`@`%`;',
    ])
  })

  test('makes the open test databases of MariaDB a warning, unless the service reads one of them', () => {
    const open = buildGrant('INSERT ON `test`.*', { kind: 'public' })
    const severityAt = (database: string): unknown =>
      evaluateGrants(mapping, buildPrivileges([open], { database }))[0]?.severity
    expect([severityAt('shop'), severityAt('test'), severityAt('test_shop')]).toEqual([
      'warning',
      'error',
      'error',
    ])
    const grantable = evaluateGrants(mapping, buildPrivileges([{ ...open, grantable: true }]))
    expect(grantable[0]?.severity).toBe('error')
  })
})

test('the fix for an administrator is another account, because its privileges must stay', () => {
  const roles = [{ role: '`r`', grantable: true, revocable: true }]
  const findings = evaluateGrants(mapping, buildPrivileges(['ALL PRIVILEGES ON *.*'], { roles }))
  expect(findings.map(({ fix }) => fix)).toEqual(Array(2).fill(expect.stringContaining('`vitrine grants`')))
})

test('a line of SHOW GRANTS that cannot be parsed is an error', () => {
  expect(evaluateGrants(mapping, buildPrivileges([], { unparsedLines: 1 }))).toMatchObject([
    { severity: 'error', privilege: 'SHOW GRANTS' },
  ])
})
