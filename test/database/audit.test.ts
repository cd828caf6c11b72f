import { describe, expect, test } from 'vitest'
import { splitFix, useAuditedProduct } from '../support/audited.js'

const { isMariaDb, fill, run, audit, listErrors } = useAuditedProduct()

interface Case {
  readonly given: readonly string[]
  readonly object: string
  readonly privilege: RegExp
  readonly problem?: RegExp
}

const cases: Readonly<Record<string, Case>> = {
  'a write on everything': {
    given: ['GRANT INSERT, UPDATE ON *.* TO $u'],
    object: '*.*',
    privilege: /^INSERT, UPDATE$/,
  },
  'the right to see processes': {
    given: ['GRANT PROCESS ON *.* TO $u'],
    object: '*.*',
    privilege: /^PROCESS$/,
  },
  'a write on the schema': {
    given: ['GRANT DELETE, CREATE TEMPORARY TABLES ON `$db`.* TO $u'],
    object: '`$db`.*',
    privilege: /^DELETE, CREATE TEMPORARY TABLES$/,
  },
  'reading the whole schema': {
    given: ['GRANT SELECT ON `$db`.* TO $u'],
    object: '`$db`.*',
    privilege: /^SELECT$/,
    problem: /neverRead/,
  },
  'everything on the schema, to be granted on': {
    given: ['GRANT ALL ON `$db`.* TO $u WITH GRANT OPTION'],
    object: '`$db`.*',
    privilege: /ALL PRIVILEGES.*GRANT OPTION/,
  },
  'reading schemas by a pattern': {
    given: ['GRANT SELECT ON `vitrine\\_%`.* TO $u'],
    object: '`vitrine\\_%`.*',
    privilege: /^SELECT$/,
  },
  'reading a whole table': {
    given: ['GRANT SELECT ON `$db`.event_registrations TO $u'],
    object: '`$db`.`event_registrations`',
    privilege: /^SELECT$/,
    problem: /neverRead/,
  },
  'a table that is not mapped': {
    given: ['GRANT SELECT (name) ON `$db`.workspaces TO $u'],
    object: '`$db`.`workspaces`',
    privilege: /^SELECT \(`name`\)$/,
  },
  'a write on a table': {
    given: ['GRANT UPDATE, DROP ON `$db`.invoices TO $u'],
    object: '`$db`.`invoices`',
    privilege: /^UPDATE, DROP$/,
  },
  'a write on one mapped column': {
    given: ['GRANT UPDATE (invoice_status) ON `$db`.invoices TO $u'],
    object: '`$db`.`invoices`',
    privilege: /^UPDATE \(`invoice_status`\)$/,
  },
  'a column that is not mapped': {
    given: ['GRANT SELECT (attendee_phone) ON `$db`.event_registrations TO $u'],
    object: '`$db`.`event_registrations`',
    privilege: /^SELECT \(`attendee_phone`\)$/,
  },
  'a column of neverRead': {
    given: ['GRANT SELECT (badge_qr_token, id) ON `$db`.event_registrations TO $u'],
    object: '`$db`.`event_registrations`',
    privilege: /^SELECT \(`badge_qr_token`\)$/,
    problem: /neverRead/,
  },
  'mapped columns that may be granted on': {
    given: ['GRANT SELECT (id) ON `$db`.invoices TO $u WITH GRANT OPTION'],
    object: '`$db`.`invoices`',
    privilege: /^GRANT OPTION$/,
  },
  'a table of another schema': {
    given: ['GRANT SELECT ON mysql.time_zone TO $u'],
    object: '`mysql`.`time_zone`',
    privilege: /^SELECT$/,
  },
  'nothing that may be granted on': {
    given: ['GRANT USAGE ON *.* TO $u WITH GRANT OPTION'],
    object: '*.*',
    privilege: /^GRANT OPTION$/,
  },
  'a procedure': {
    given: ['CREATE PROCEDURE `$db`.p() SELECT 1', 'GRANT EXECUTE ON PROCEDURE `$db`.p TO $u'],
    object: 'PROCEDURE `$db`.`p`',
    privilege: /^EXECUTE$/,
  },
  'a function that may be altered': {
    given: [
      'CREATE FUNCTION `$db`.f() RETURNS INT DETERMINISTIC RETURN 1',
      'GRANT EXECUTE, ALTER ROUTINE ON FUNCTION `$db`.f TO $u',
    ],
    object: 'FUNCTION `$db`.`f`',
    privilege: /^EXECUTE, ALTER ROUTINE$/,
  },
  'another account by proxy': {
    given: ['GRANT PROXY ON `other`@`localhost` TO $u'],
    object: '`other`@`localhost`',
    privilege: /^PROXY$/,
  },
  'a role that writes, not taken by default': {
    given: ['CREATE ROLE `$role_a`', 'GRANT INSERT ON `$db`.invoices TO `$role_a`', 'GRANT `$role_a` TO $u'],
    object: '`$db`.`invoices`',
    privilege: /^INSERT$/,
    problem: /through the role `\S+_a`/,
  },
  'a role within a role': {
    given: [
      'CREATE ROLE `$role_a`',
      'CREATE ROLE `$role_b`',
      'GRANT SELECT ON `$db`.* TO `$role_b`',
      'GRANT `$role_b` TO `$role_a`',
      'GRANT `$role_a` TO $u',
    ],
    object: '`$db`.*',
    privilege: /^SELECT$/,
    problem: /through the role `\S+_a`.*neverRead/,
  },
  'a role that may be given to others': {
    given: ['CREATE ROLE `$role_a`', 'GRANT `$role_a` TO $u WITH ADMIN OPTION'],
    object: '`$role_a`',
    privilege: /^ADMIN OPTION$/,
  },
}

describe('the audit', () => {
  test('finds no error for the user that `vitrine grants` makes', async () => {
    const { findings, resolved } = await audit()
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(resolved).toBeDefined()
  })

  test.each(Object.entries(cases))('finds %s, with the statements that fix it', async (_, one) => {
    await run(...one.given)
    const findings = await listErrors()
    const found = findings.find(({ object }) => object.replace('@`%`', '') === fill(one.object))
    expect(found, JSON.stringify(findings)).toBeDefined()
    expect(found!.privilege).toMatch(one.privilege)
    if (one.problem !== undefined) expect(found!.problem).toMatch(one.problem)
    const fixing = new Set(findings.flatMap(({ fix }) => splitFix(fix)))
    await run(...fixing)
    expect(await listErrors()).toEqual([])
  })

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

  test('accepts a role with SELECT on mapped columns only', async () => {
    await run(
      'CREATE ROLE `$role_c`',
      'GRANT SELECT (id, invoice_no) ON `$db`.invoices TO `$role_c`',
      'GRANT `$role_c` TO $u',
    )
    expect(await listErrors()).toEqual([])
  })
})
