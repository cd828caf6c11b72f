import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { runStatements, withAccount } from '../product/server.js'
import { afterFile } from '../support/after-file.js'
import { findSection, runCheck } from '../support/checking.js'
import { makeFolder } from '../support/folder.js'
import { proveMapping as prove } from '../support/prove-mapping.js'
import { bills, tickets } from '../support/mistake-shapes.js'
import type { Shape } from '../support/mistake-shapes.js'

/* What `check` says of a right mapping, and of the same mapping with one plausible mistake. */

const folder = makeFolder()

/** What stands in the mapping, what a mistaken one has in its place, and what is said of it. */
type Mistake = readonly [what: string, part: string, by: string, said: RegExp]

function describeShape(name: string, shape: Shape, mistakes: readonly Mistake[]): void {
  describe(name, () => {
    const database = `vitrine_mistakes_${name}_${process.pid}`
    const { adminUrl } = inject('server')
    const url = withAccount(adminUrl, { database })
    afterFile(() => runStatements(adminUrl, [`DROP DATABASE IF EXISTS ${database}`]))
    beforeAll(async () => {
      await runStatements(adminUrl, [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`])
      await runStatements(url, shape.statements)
    })

    test('the right mapping has no error and at most two warnings', async () => {
      const { errors, all } = await prove(url, shape.mapping)
      expect(errors).toEqual([])
      expect(all.length, all.join('\n')).toBeLessThanOrEqual(2)
    })

    test.runIf(name === 'tickets')('two times of change hide no row, and want two indexes', async () => {
      const first = 'updatedAt: { first: [first_changed, created_at] }'
      const mappingFile = join(folder, 'first.yaml')
      await writeFile(mappingFile, shape.mapping.replace('updatedAt: updated_at', first))
      const report = await runCheck({ readUrl: url, mappingFile })
      expect(report.ok).toBe(false)
      // Only that another column is later.
      expect(findSection(report, 'contradictions').findings.map(({ object }) => object)).toEqual([
        'registrations.fields.updatedAt',
      ])
      expect(findSection(report, 'cost').findings.map(({ fix }) => fix)).toEqual([
        'CREATE INDEX `ix_vitrine_sync` ON `tickets` (`account_id`, `first_changed`, `id`); ' +
          'CREATE INDEX `ix_vitrine_sync_unchanged` ON `tickets` (`account_id`, `first_changed`, `created_at`, `id`);',
      ])
    })

    test.each(mistakes)('%s', async (_, part, by, said) => {
      expect(shape.mapping).toContain(part)
      const { all } = await prove(
        url,
        shape.mapping
          .replace(part, by)
          .replace(by.includes('password_hash') ? "'people.password_*', " : '', ''),
      )
      expect(all.join('\n')).toMatch(said)
    })
  })
}

describeShape('tickets', tickets, [
  [
    'deleted rows are shown',
    'archived: { column: deleted_at, is: set }',
    'archived: []',
    /^error registrations.archived: tickets.deleted_at is set in 10 of 80 rows, and neither/m,
  ],
  [
    'every customer reads everything',
    'workspace: account_id\n  archived',
    "workspace: { constant: '1' }\n  archived",
    /^error registrations.workspace: every key reads every record; tables that could be the tenant: accounts/m,
  ],
  [
    'the buyer is taken for the tenant',
    'workspace: account_id\n  archived',
    'workspace: buyer_account\n  archived',
    /^error registrations.workspace: 4 of 4 events .* several workspaces/m,
  ],
  [
    'a person is taken for the tenant',
    'workspace: account_id\n  archived',
    'workspace: person_id\n  archived',
    /registrations.workspace: 70 workspaces for 70 records/,
  ],
  [
    'the zone is that of the server',
    "timezone: '+02:00'",
    "timezone: '+00:00'",
    /^error timezone: tickets.created_at of registrations is \+02:00 ahead of the TIMESTAMP created_utc/m,
  ],
  [
    'the zone is further west',
    "timezone: '+02:00'",
    "timezone: '-09:00'",
    /^error registrations.fields.updatedAt: contains a change \d+ seconds in the future/m,
  ],
  [
    'the creation is taken for the change',
    'updatedAt: updated_at',
    'updatedAt: { column: created_at, neverChanges: true }',
    /registrations.fields.updatedAt: tickets.updated_at is later than created_at in \d+ of 70 rows of the sample/,
  ],
  [
    'NULL until the first change',
    'updatedAt: updated_at',
    'updatedAt: first_changed',
    /^error registrations.fields.updatedAt: 54 of 80 rows are not shown, because first_changed is NULL/m,
  ],
  [
    'a lookup in the wrong table',
    'name: { from: people,',
    'name: { from: staff,',
    /^error registrations: tickets.person_id refers to people, and is looked up in staff/m,
  ],
  [
    'the name of the ticket',
    'name: { from: people, on: person_id, column: full_name }',
    'name: title',
    /registrations.fields.name: has only 1 different values/,
  ],
  [
    'an address as the name',
    'column: full_name',
    'column: mail',
    /^error registrations.fields.name: 70 of 70 names are e-mail/m,
  ],
  [
    'a barcode as the name',
    'name: { from: people, on: person_id, column: full_name }',
    'name: barcode',
    /^error registrations.fields.name: 70 of 70 names look like a key/m,
  ],
  [
    'a secret is shown',
    'column: full_name }\n',
    'column: password_hash }\n',
    /^error registrations.fields.name: shows people.password_hash, which looks like a secret/m,
  ],
  [
    'a number as the name',
    'name: { from: people, on: person_id, column: full_name }',
    'name: line',
    /^error registrations.fields.name: 70 of 70 names have no letter/m,
  ],
  [
    'a name as the address',
    'column: mail',
    'column: full_name',
    /^error registrations.fields.email: 70 of 70 e-mail addresses have no @/m,
  ],
  [
    'the address of the organizer',
    'email: { from: people, on: person_id, column: mail }',
    'email: contact',
    /registrations.fields.email: has only 1 different/,
  ],
  [
    'a key-value table with birthdays',
    'email: { from: people, on: person_id, column: mail }',
    'email: { from: ticket_meta, on: id, key: ticket_id, where: [{ column: meta_key, equals: 1 }], column: meta_value }',
    /ticket_meta.meta_value: has the values of other keys too, .*: 2$/m,
  ],
  [
    'the order is taken for the event',
    'eventId: event_id',
    'eventId: order_no',
    /registrations.fields.eventId: every one of 70 records/,
  ],
  [
    'a status that never changes',
    'status: { column: state, values: { 1: OPEN, 2: PAID, 3: VOID } }',
    'status: kind',
    /registrations.fields.status: all 70 records are paid/,
  ],
  [
    'codes of another product',
    'values: { 1: OPEN, 2: PAID, 3: VOID }',
    'values: { 7: OPEN }, otherwise: OTHER',
    /registrations.fields.status: .* OTHER/,
  ],
  [
    'a code is missing',
    ', 3: VOID }',
    ' }',
    /^error registrations: \d+ of 70 rows of the sample cannot be shown; most: status is not in the mapping/m,
  ],
  [
    'a missing code is named',
    ', 3: VOID }',
    ' }',
    /tickets.state has codes that the mapping does not list: 3 \(\d+ rows\)/,
  ],
  [
    'everybody is checked in',
    'checkedIn: used',
    'checkedIn: printed',
    /registrations.fields.checkedIn: all 70 records are checked in/,
  ],
  [
    'milliseconds as seconds',
    'createdAt: created_at',
    'createdAt: { column: made_ms, epoch: us }',
    /^error registrations.fields.createdAt: its newest time is shown as 1970/m,
  ],
  [
    'the test is turned round',
    'archived: { column: deleted_at, is: set }',
    'archived: { column: deleted_at, is: unset }',
    /registrations.archived: 70 of 80 rows are not shown, because deleted_at is NULL/,
  ],
  [
    'a test that no row passes',
    'table: tickets\n',
    'table: tickets\n  where: [{ column: kind, equals: free }]\n',
    /^error registrations: shows no record: all 80 rows are left out by registrations.where/m,
  ],
  [
    'zero dates hide rows',
    'archived: { column: deleted_at, is: set }',
    'archived: [{ column: deleted_at, is: set }, { column: hidden_at, is: set }]',
    /^error registrations.zeroDates: 8 of 80 rows are not shown, because hidden_at is a zero date/m,
  ],
  [
    'secrets are not forbidden',
    "'people.password_*', tickets.secret, ",
    '',
    /neverRead: 2 columns that look like secrets are outside it: people.password_hash, tickets.secret/,
  ],
  [
    'text of two character sets',
    'name: { from: people, on: person_id, column: full_name }',
    'name: city',
    /^error registrations.fields.name: 70 of 70 texts .* latin1/m,
  ],
  [
    'a key that is revoked stays valid',
    '\n  revokedAt: revoked_at',
    '',
    /apiKeys: api_keys has columns that can make a key invalid, and nothing reads them: revoked_at/,
  ],
  [
    'a member of staff as the tenant',
    'workspace: account_id\n  archived',
    'workspace: staff_id\n  archived',
    /registrations.workspace: its column has no name of a tenant; tables that could be it: accounts/,
  ],
  [
    'the venue as the event',
    'eventId: event_id',
    'eventId: venue_id',
    /registrations.fields.eventId: venue_id has no name of an event, and event_id leads to events/,
  ],
])

describeShape('bills', bills, [
  [
    'the one owner is not confirmed',
    ', confirmed: true',
    '',
    /^error invoices.workspace: every key reads every record; tables that could be the tenant: clients/m,
  ],
  [
    'test rows are shown',
    '{ column: is_test, equals: 0 }, ',
    '',
    /invoices.archived: bills.is_test is set in 4 of 80 rows/,
  ],
  [
    'cents as units',
    '{ column: amount, scale: 2 }',
    'amount',
    /invoices.fields.total: amount is an integer and shown without a fraction/,
  ],
  [
    'what is due as the total',
    '{ column: amount, scale: 2 }',
    'due_amount',
    /invoices.fields.total: \d+ of \d+ totals are 0/,
  ],
  [
    'hundredths of a yen',
    'total: { column: amount, scale: 2 }\n    currency: cur',
    'total: { column: yen, unit: minor }\n    currency: { constant: JPY }',
    /invoices.fields.total: all \d+ different totals in JPY end in 00/,
  ],
  [
    'one currency for two',
    'currency: cur',
    'currency: { constant: GBP }',
    /invoices.fields.currency: only GBP is shown, and .* EUR/,
  ],
  [
    'the customer as the number',
    'number: number',
    'number: client_ref',
    /invoices.fields.number: \d+ of \d+ invoices have the number of another/,
  ],
  [
    'the days are exchanged',
    'issueDate: issued\n    dueDate: due',
    'issueDate: due\n    dueDate: issued',
    /invoices.fields.dueDate: \d+ of \d+ invoices are due before/,
  ],
  [
    'bytes in another order',
    'as: uuid }',
    'as: uuid-swapped }',
    /^error invoices.fields.id: \d+ of \d+ UUIDs/m,
  ],
  [
    'a column that is all NULL',
    'createdAt: made',
    'createdAt: never',
    /^error invoices: \d+ of \d+ rows of the sample cannot be shown; most: createdAt is NULL/m,
  ],
  [
    'quotes are shown',
    '{ column: doc_type, equals: invoice }, ',
    '',
    /invoices.where: shows rows of every doc_type: invoice \(\d+\), quote \(4\)/,
  ],
  [
    'what is not approved is shown',
    ', { column: approved, equals: 1 }',
    '',
    /invoices.archived: bills.approved is 0 in 4 of 80 rows/,
  ],
  ['the tax as the total', '{ column: amount, scale: 2 }', 'tax', /invoices.fields.total: shows bills.tax/],
  [
    'the payment as the due day',
    'dueDate: due',
    'dueDate: paid_on',
    /invoices.fields.dueDate: shows bills.paid_on/,
  ],
])
