import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Finding } from '../../src/finding.js'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { ask } from '../support/ask.js'
import { useAuditedProduct } from '../support/audited.js'
import type { WholeMapping } from '../support/whole-mapping.js'

/*
 * Privileges that are not in SHOW GRANTS, and views and columns that hide what they read. Each case once passed the audit.
 */

const { database, fill, run, listErrors } = useAuditedProduct()

type Other = [title: string, privilege: string, object: string, expected: string]
const others = parse(readFileSync('test/database/audit-bypass.yaml', 'utf8')) as Other[]

const columns =
  'id, workspace_id, event_id, invoice_no, invoice_status, grand_total, currency_code, issue_date, due_date, archived_at, created_at, updated_at'

describe('grants of another account that apply to the session', () => {
  let own: string
  let other: string
  /** The sessions of this machine match the account with its own host first. */
  beforeAll(async () => {
    const [row] = await ask(database().adminUrl, 'select user() as who')
    const host = String(row?.['who']).split('@').at(-1)!
    const { username, password } = new URL(database().readUrl)
    other = fill('$u')
    own = `\`${username}\`@\`${host}\``
    await run(
      `CREATE USER ${own} IDENTIFIED BY '${password}'`,
      `GRANT SELECT (${columns}) ON \`$db\`.invoices TO ${own}`,
      `GRANT SELECT (id, workspace_id, event_id, reg_status, attendee_name, attendee_email, checked_in_at, archived_at, created_at, updated_at) ON \`$db\`.event_registrations TO ${own}`,
      `GRANT SELECT (workspace_id, key_hash, scopes, expires_at, revoked_at) ON \`$db\`.workspace_api_keys TO ${own}`,
    )
    return () => run(`DROP USER ${own}`)
  })

  test('are no finding where that account holds no more', async () => {
    expect(await listErrors()).toEqual([])
  })

  test.each(others)('are found: %s', async (_, privilege, object, expected) => {
    await run('CREATE PROCEDURE `$db`.p() SELECT 1', `GRANT ${privilege} ON ${object} TO ${other}`)
    const found = await listErrors()
    expect(found.map((finding) => finding.object).join(' ')).toMatch(new RegExp(expected))
    expect(found[0]!.fix).toMatch(/SELECT user, host FROM mysql\.user/)
  })

  test('are found where every table of the database is mapped, so that no other object shows them', async () => {
    await run('CREATE DATABASE `$db_aside`', 'RENAME TABLE `$db`.workspaces TO `$db_aside`.workspaces')
    const found: (readonly string[])[] = []
    for (const privilege of ['CREATE', 'DROP']) {
      await run(`GRANT ${privilege} ON \`$db\`.* TO ${other}`)
      found.push((await listErrors()).map(({ object }) => object))
      await run(`REVOKE ${privilege} ON \`$db\`.* FROM ${other}`)
    }
    await run('RENAME TABLE `$db_aside`.workspaces TO `$db`.workspaces', 'DROP DATABASE `$db_aside`')
    expect(found).toEqual([[fill('`$db`.*')], [fill('`$db`.*')]])
  })

  test('are found where a role that the account can take would hide them', async () => {
    await run(
      'CREATE ROLE `$role_a`',
      `GRANT \`$role_a\` TO ${own}`,
      `GRANT SELECT, INSERT ON \`$db\`.* TO ${other}`,
    )
    expect((await listErrors()).map(({ object }) => object)).toContain('event_registrations.badge_qr_token')
  })
})

describe('roles', () => {
  test('that add only GRANT OPTION to what the account holds are found', async () => {
    await run(
      'CREATE ROLE `$role_a`',
      'GRANT SELECT (id) ON `$db`.invoices TO `$role_a` WITH GRANT OPTION',
      'GRANT `$role_a` TO $u',
    )
    const found = await listErrors()
    expect(found).toEqual([expect.objectContaining({ object: fill('`$db`.`invoices`') })])
    expect(found[0]!.privilege).toContain('GRANT OPTION')
  })

  test('that a role holds and can grant to others are found', async () => {
    await run(
      'CREATE ROLE `$role_a`',
      'CREATE ROLE `$role_b`',
      'GRANT `$role_b` TO `$role_a` WITH ADMIN OPTION',
      'GRANT `$role_a` TO $u',
    )
    const found = await listErrors()
    expect(found).toEqual([expect.objectContaining({ object: fill('`$role_b`'), privilege: 'ADMIN OPTION' })])
  })
})

describe('a view', () => {
  const overView = (same: WholeMapping): Mapping => ({
    ...same,
    invoices: { ...same.invoices, table: 'public_bills' },
  })

  const shown = (number: string): string => columns.replace('invoice_no', `${number} AS invoice_no`)
  const grants = [`GRANT SELECT (${columns}), SHOW VIEW ON \`$db\`.public_bills TO $u`]

  /** Without the findings of the table behind it, whose columns are no longer mapped. */
  async function evaluate(definition: string): Promise<readonly string[]> {
    await run(definition, ...grants)
    const findings = await listErrors(overView)
    return findings
      .filter(({ object }) => object !== fill('`$db`.`invoices`'))
      .map(({ object, problem }) => `${object}: ${problem}`)
  }

  const from = (table: string, number: string): string =>
    `CREATE VIEW public_bills AS SELECT ${shown(number)} FROM ${table}`

  test('that shows a forbidden column by a straight join is an error', async () => {
    const bills = shown('einv_hash').replaceAll(/(^|, )(\w)/g, '$1b.$2')
    const found = await evaluate(
      `CREATE VIEW public_bills AS SELECT ${bills} FROM workspaces w STRAIGHT_JOIN invoices b ON w.id = b.workspace_id`,
    )
    expect(found.join()).toMatch(/a view that reads invoices\.einv_hash/)
  })

  test('is parsed with any setting of sql_quote_show_create', async () => {
    await run('SET GLOBAL sql_quote_show_create = 0')
    const found = await evaluate(from('invoices', 'einv_hash'))
    await run('SET GLOBAL sql_quote_show_create = 1')
    expect(found.join()).toMatch(/a view that reads invoices\.einv_hash/)
  })

  test('that calls a stored function is an error, because the text of the function is hidden', async () => {
    await run(
      'CREATE FUNCTION leak(wanted CHAR(26)) RETURNS TEXT READS SQL DATA RETURN (SELECT einv_hash FROM invoices WHERE id = wanted LIMIT 1)',
    )
    const found = await evaluate(from('invoices', 'leak(id)'))
    expect(found.join()).toMatch(/calls the function leak/)
  })

  test('with a common table expression is refused, because its name could be a hidden table', async () => {
    const definition = `CREATE VIEW public_bills AS WITH part AS (SELECT ${columns} FROM invoices) SELECT ${columns} FROM part`
    expect(await evaluate(definition)).toEqual([
      expect.stringContaining('`part`: read by a view, or a name of its WITH') as unknown,
    ])
  })

  test('that cannot be read because its DEFINER does not exist is an error', async () => {
    await run('CREATE USER $role_c@localhost', 'GRANT SELECT ON `$db`.invoices TO $role_c@localhost')
    const found = await evaluate(
      `CREATE DEFINER = $role_c@localhost VIEW public_bills AS SELECT ${columns} FROM invoices`,
    )
    await run('DROP USER $role_c@localhost')
    const gone = (await listErrors(overView)).map(({ object, problem }) => `${object}: ${problem}`)
    expect(found).toEqual([])
    expect(gone.join()).toMatch(/public_bills: cannot be read/)
  })
})

describe('a MERGE table that shows a forbidden column of another table under another name', () => {
  const merge = [
    'CREATE TABLE `$db`.old (id INT, secret VARCHAR(20)) ENGINE = MyISAM',
    'CREATE TABLE `$db`.merged (id INT, number VARCHAR(20)) ENGINE = MERGE UNION = (`$db`.old)',
  ]
  const withSecret = (same: WholeMapping): WholeMapping => ({
    ...same,
    neverRead: [...same.neverRead, 'old.secret'],
  })

  async function find(table: string): Promise<readonly string[]> {
    const found = await listErrors((same) => {
      const { invoices, ...rest } = withSecret(same)
      return { ...rest, invoices: { ...invoices, table } }
    })
    return found.map(({ object, problem }) => `${object}: ${problem}`)
  }

  test('is an error, whether or not its definition can be seen', async () => {
    await run(...merge, 'GRANT SELECT (id), SHOW VIEW ON `$db`.merged TO $u')
    const seen = await find('merged')
    await run('REVOKE SHOW VIEW ON `$db`.merged FROM $u')
    expect(seen.join()).toMatch(/`merged`: a table of the storage engine MRG_MyISAM/i)
    expect((await find('merged')).join()).toMatch(/`merged`: a table of the storage engine MRG_MyISAM/i)
  })

  test('is an error behind a view too', async () => {
    await run(
      ...merge,
      'CREATE VIEW shown_bills AS SELECT id, number FROM merged',
      'GRANT SELECT (id), SHOW VIEW ON `$db`.shown_bills TO $u',
      'GRANT SELECT (id), SHOW VIEW ON `$db`.merged TO $u',
    )
    const found = await find('shown_bills')
    expect(found.join()).toMatch(/`merged`: a table of the storage engine MRG_MyISAM/i)
  })
})

describe('a generated column that is computed in two steps from a forbidden one', () => {
  const change = (same: WholeMapping): Mapping => ({
    ...same,
    invoices: { ...same.invoices, fields: { ...same.invoices.fields, number: 'shown' } },
  })

  async function find(shown: string, wanted?: string): Promise<readonly Finding[]> {
    await run(
      `ALTER TABLE invoices ADD hidden VARCHAR(80) GENERATED ALWAYS AS (CONCAT(einv_hash, '')) VIRTUAL, ADD shown VARCHAR(90) ${shown}`,
      'GRANT SELECT (shown) ON `$db`.invoices TO $u',
    )
    // The number's own column is no longer mapped, which is found as well.
    const found = (await listErrors(change)).filter(
      ({ object, privilege }) => privilege === wanted || object !== fill('`$db`.`invoices`'),
    )
    await run('ALTER TABLE invoices DROP shown, DROP hidden')
    return found
  }

  test.each([
    ['', "GENERATED ALWAYS AS (CONCAT(hidden, '`x`')) VIRTUAL"],
    ['a stored one', "GENERATED ALWAYS AS (CONCAT(hidden, '')) STORED"],
    ['a default', "DEFAULT (CONCAT(einv_hash, ''))"],
  ])('is an error: %s', async (_, shown) => {
    expect(await find(shown)).toEqual([
      expect.objectContaining({
        object: 'invoices.shown',
        problem: 'computed from einv_hash, which neverRead forbids',
      }),
    ])
  })

  test('is an error where the column between is hidden', async () => {
    await run('REVOKE SHOW VIEW ON `$db`.invoices FROM $u')
    const found = await find("GENERATED ALWAYS AS (CONCAT(hidden, '')) VIRTUAL", 'SHOW VIEW')
    await run('GRANT SHOW VIEW ON `$db`.invoices TO $u')
    expect(found.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^a table with computed columns: its definition cannot be seen/),
    ])
    const seen = await find('GENERATED ALWAYS AS (CONCAT(invoice_status, subtotal)) VIRTUAL')
    expect(seen).toEqual([])
  })
})
