import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { ask } from '../support/ask.js'
import { useAuditedProduct } from '../support/audited.js'
import { listMapped } from '../support/readable-columns.js'
import type { WholeMapping } from '../support/whole-mapping.js'

/*
 * Privileges that are not in SHOW GRANTS, and what the mapping reads: a view, and a column that is computed, can show another column than
 * their names say. Each case once passed the audit, or is what it must not refuse.
 */

const { database, fill, run, listErrors } = useAuditedProduct()

type Other = [title: string, privilege: string, object: string, expected: string]
const others = parse(readFileSync('test/database/audit-bypass.yaml', 'utf8')) as Other[]

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
      ...['invoices', 'event_registrations', 'workspace_api_keys'].map(
        (table) => `GRANT SELECT (${listMapped(table)}) ON \`$db\`.${table} TO ${own}`,
      ),
    )
    return () => run(`DROP USER ${own}`)
  })

  test('are not a finding where that account holds no more', async () => {
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

interface Case {
  readonly given: readonly string[]
  readonly undo?: readonly string[]
  /** The tables and the column that are mapped in the place of the product's own. */
  readonly registrations?: string
  readonly invoices?: string
  readonly number?: string
  readonly neverRead?: readonly string[]
  readonly found?: string
}
const cases = parse(readFileSync('test/database/audit-views.yaml', 'utf8')) as Record<string, Case>

const [registrations, invoices] = ['event_registrations', 'invoices'].map(listMapped) as [string, string]
const lists: Readonly<Record<string, string>> = {
  registrations,
  invoices,
  forbidden: registrations.replace('attendee_name', 'badge_qr_token AS attendee_name'),
  computed: registrations.replace('attendee_name', 'ref AS attendee_name'),
  hashed: invoices.replace('invoice_no', 'einv_hash AS invoice_no'),
  called: invoices.replace('invoice_no', 'leak(id) AS invoice_no'),
  joined: invoices.replaceAll(/(^|, )(\w)/g, '$1b.$2').replace('b.invoice_no', 'b.einv_hash AS invoice_no'),
}
const expand = (sql: string): string =>
  sql.replaceAll(/\$(\w{6,})/g, (text, name: string) => lists[name] ?? text)

const toChange =
  (one: Case) =>
  (same: WholeMapping): Mapping => {
    const { neverRead } = same
    const { fields } = same.invoices
    return {
      ...same,
      neverRead: [...neverRead, ...(one.neverRead ?? [])],
      registrations: { ...same.registrations, table: one.registrations ?? same.registrations.table },
      invoices: {
        ...same.invoices,
        table: one.invoices ?? same.invoices.table,
        fields: { ...fields, number: one.number ?? fields['number'] },
      },
    }
  }

test.each(Object.entries(cases))('%s is an error, where it must be one', async (_, one) => {
  await run(...one.given.map(expand))
  const errors = await listErrors(toChange(one)).finally(() => run(...(one.undo ?? [])))
  const unmapped = [fill('`$db`.`event_registrations`'), fill('`$db`.`invoices`')]
  const lines = errors
    .filter(({ object, privilege }) => !unmapped.includes(object) || privilege === 'SHOW VIEW')
    .map(({ object, privilege, problem, fix }) => `${object}: ${privilege}: ${problem}; ${fix}`)
  if (one.found === undefined) expect(lines).toEqual([])
  else expect(lines.join('\n')).toMatch(new RegExp(fill(one.found), 'i'))
})
