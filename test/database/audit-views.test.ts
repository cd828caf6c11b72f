import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Mapping } from '../../src/mapping/mapping-schema.js'
import { useAuditedProduct } from '../support/audited.js'
import type { WholeMapping } from '../support/whole-mapping.js'
import { listMapped } from '../support/readable-columns.js'

/*
 * What the mapping reads: a view, and a column that is computed, can show another column than their names say. Each case once passed
 * the audit, or is what it must not refuse.
 */

const { fill, run, listErrors } = useAuditedProduct()

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
