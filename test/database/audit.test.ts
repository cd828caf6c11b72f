import { describe, expect, test } from 'vitest'
import { splitFix, useAuditedProduct } from '../support/audited.js'

const { isMariaDb, fill, run, audit, listErrors } = useAuditedProduct()

/** What is granted, the object of the finding, its privilege, and a part of its problem. */
type Case = [title: string, given: string[], object: string, privilege: RegExp, problem?: RegExp]
const cases: Case[] = [
  ['a write on everything', ['GRANT INSERT, UPDATE ON *.* TO $u'], '*.*', /^INSERT, UPDATE$/],
  ['the right to see processes', ['GRANT PROCESS ON *.* TO $u'], '*.*', /^PROCESS$/],
  [
    'a write on the schema',
    ['GRANT DELETE, CREATE TEMPORARY TABLES ON `$db`.* TO $u'],
    '`$db`.*',
    /^DELETE, CREATE TEMPORARY TABLES$/,
  ],
  ['reading the whole schema', ['GRANT SELECT ON `$db`.* TO $u'], '`$db`.*', /^SELECT$/],
  [
    'everything on the schema, to be granted on',
    ['GRANT ALL ON `$db`.* TO $u WITH GRANT OPTION'],
    '`$db`.*',
    /ALL PRIVILEGES.*GRANT OPTION/,
  ],
  ['reading schemas by a pattern', ['GRANT SELECT ON `vitrine\\_%`.* TO $u'], '`vitrine\\_%`.*', /^SELECT$/],
  [
    'reading a whole table',
    ['GRANT SELECT ON `$db`.event_registrations TO $u'],
    '`$db`.`event_registrations`',
    /^SELECT$/,
  ],
  [
    'a table that is not mapped',
    ['GRANT SELECT (name) ON `$db`.workspaces TO $u'],
    '`$db`.`workspaces`',
    /^SELECT \(`name`\)$/,
  ],
  [
    'a write on a table',
    ['GRANT UPDATE, DROP ON `$db`.invoices TO $u'],
    '`$db`.`invoices`',
    /^UPDATE, DROP$/,
  ],
  [
    'a write on one mapped column',
    ['GRANT UPDATE (invoice_status) ON `$db`.invoices TO $u'],
    '`$db`.`invoices`',
    /^UPDATE \(`invoice_status`\)$/,
  ],
  [
    'a column that is not mapped',
    ['GRANT SELECT (attendee_phone) ON `$db`.event_registrations TO $u'],
    '`$db`.`event_registrations`',
    /^SELECT \(`attendee_phone`\)$/,
  ],
  [
    'a column of neverRead',
    ['GRANT SELECT (badge_qr_token, id) ON `$db`.event_registrations TO $u'],
    '`$db`.`event_registrations`',
    /^SELECT \(`badge_qr_token`\)$/,
  ],
  [
    'mapped columns that may be granted on',
    ['GRANT SELECT (id) ON `$db`.invoices TO $u WITH GRANT OPTION'],
    '`$db`.`invoices`',
    /^GRANT OPTION$/,
  ],
  ['a table of another schema', ['GRANT SELECT ON mysql.time_zone TO $u'], '`mysql`.`time_zone`', /^SELECT$/],
  ['nothing that may be granted on', ['GRANT USAGE ON *.* TO $u WITH GRANT OPTION'], '*.*', /^GRANT OPTION$/],
  [
    'a procedure',
    ['CREATE PROCEDURE `$db`.p() SELECT 1', 'GRANT EXECUTE ON PROCEDURE `$db`.p TO $u'],
    'PROCEDURE `$db`.`p`',
    /^EXECUTE$/,
  ],
  [
    'a function that may be altered',
    [
      'CREATE FUNCTION `$db`.f() RETURNS INT DETERMINISTIC RETURN 1',
      'GRANT EXECUTE, ALTER ROUTINE ON FUNCTION `$db`.f TO $u',
    ],
    'FUNCTION `$db`.`f`',
    /^EXECUTE, ALTER ROUTINE$/,
  ],
  [
    'another account by proxy',
    ['GRANT PROXY ON `other`@`localhost` TO $u'],
    '`other`@`localhost`',
    /^PROXY$/,
  ],
  [
    'a role that writes, not taken by default',
    ['CREATE ROLE `$role_a`', 'GRANT INSERT ON `$db`.invoices TO `$role_a`', 'GRANT `$role_a` TO $u'],
    '`$db`.`invoices`',
    /^INSERT$/,
    /through the role `\S+_a`/,
  ],
  [
    'a role within a role',
    [
      'CREATE ROLE `$role_a`',
      'CREATE ROLE `$role_b`',
      'GRANT SELECT ON `$db`.* TO `$role_b`',
      'GRANT `$role_b` TO `$role_a`',
      'GRANT `$role_a` TO $u',
    ],
    '`$db`.*',
    /^SELECT$/,
    /through the role `\S+_a`/,
  ],
  [
    'a role that may be given to others',
    ['CREATE ROLE `$role_a`', 'GRANT `$role_a` TO $u WITH ADMIN OPTION'],
    '`$role_a`',
    /^ADMIN OPTION$/,
  ],
]

describe('the audit', () => {
  test('finds no error for the user that `vitrine grants` makes', async () => {
    const { findings, resolved } = await audit()
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(resolved).toBeDefined()
  })

  test.each(cases)(
    'finds %s, with the statements that fix it',
    async (_, given, object, privilege, problem = /./) => {
      await run(...given)
      const findings = await listErrors()
      const found = findings.find((one) => one.object.replace('@`%`', '') === fill(object))
      expect(found, JSON.stringify(findings)).toBeDefined()
      expect(found!.privilege).toMatch(privilege)
      expect(found!.problem).toMatch(problem)
      const fixing = new Set(findings.flatMap(({ fix }) => splitFix(fix)))
      await run(...fixing)
      expect(await listErrors()).toEqual([])
    },
  )

  test('finds a role that is taken by default', async () => {
    const set = isMariaDb() ? 'SET DEFAULT ROLE `$role_a` FOR $u' : 'SET DEFAULT ROLE `$role_a` TO $u'
    await run(
      'CREATE ROLE `$role_a`',
      'GRANT SELECT ON `$db`.invoices TO `$role_a`',
      'GRANT `$role_a` TO $u',
      set,
    )
    expect((await listErrors()).map(({ object }) => object)).toEqual(
      expect.arrayContaining([fill('`$db`.`invoices`'), 'invoices.einv_signed_xml']),
    )
  })

  test('names each column of neverRead that can be selected', async () => {
    await run('GRANT SELECT ON `$db`.invoices TO $u')
    const findings = await listErrors()
    await run(...findings.slice(0, 1).flatMap(({ fix }) => splitFix(fix)))
    expect(findings.slice(1).map(({ object }) => object)).toEqual([
      'invoices.einv_submission_id',
      'invoices.einv_signed_xml',
      'invoices.einv_hash',
      'invoices.einv_cleared_at',
    ])
    expect(await listErrors()).toEqual([])
  })

  test('refuses no usual account: with TLS and limits, and with roles that give nothing more, active or not', async () => {
    await run(
      'ALTER USER $u REQUIRE SSL WITH MAX_USER_CONNECTIONS 50',
      'CREATE ROLE `$role_a`',
      'CREATE ROLE `$role_c`',
      'GRANT SELECT (id, invoice_no) ON `$db`.invoices TO `$role_c`',
      'GRANT USAGE ON *.* TO $u',
      'GRANT `$role_a` TO $u',
      'GRANT `$role_c` TO $u',
      `SET DEFAULT ROLE \`$role_c\` ${isMariaDb() ? 'FOR' : 'TO'} $u`,
    )
    await run('ALTER USER $u REQUIRE NONE')
    expect(await listErrors()).toEqual([])
  })
})
