import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { products } from '../product/products.js'
import type { ProductDatabase, ProductName } from '../product/index.js'
import { afterFile } from '../support/after-file.js'
import { replacePart } from '../support/plain-mapping.js'
import { useThrowaway } from '../support/service.js'
import { runVitrine } from '../support/vitrine.js'
import type { Outcome } from '../support/vitrine.js'

/* Mapping files that contradict themselves or the database: every issue is named by its path, and nothing listens. */

const throwaway = useThrowaway()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-contradictions-'))
  afterFile(() => rm(folder, { recursive: true }))
})

type Change = readonly [part: string, by: string]

/** Serves a product with parts of its mapping file replaced. */
async function serve(name: ProductName, databaseUrl: string, changes: readonly Change[]): Promise<Outcome> {
  const text = await readFile(products[name].mappingFile, 'utf8')
  const file = join(folder, 'mapping.yaml')
  await writeFile(
    file,
    changes.reduce((changed, [part, by]) => replacePart(changed, part, by), text),
  )
  const outcome = await runVitrine(['serve'], {
    DATABASE_URL: databaseUrl,
    MAPPING_FILE: file,
    PORT: '0',
    OPS_PORT: '0',
  })
  // What a service logs when it listens.
  expect(outcome.stdout).not.toContain('"api"')
  return outcome
}

/** The paths that an error names, in their order. */
function listPaths({ stderr }: Outcome): readonly string[] {
  return [...stderr.matchAll(/^\s*([A-Za-z][\w.[\]]*): found /gm)].map(([, path]) => path ?? '')
}

describe('without a database, the start ends with 78', () => {
  const nowhere = 'mysql://nobody@127.0.0.1:1/none'

  test('and names every part whose shape is wrong', async () => {
    const outcome = await serve('ticketing', nowhere, [
      ['      otherwise: ATTENDING\n', ''],
      ['email: { from: orders, on: order_id, column: email }', 'email: orders.email'],
      ['sum: [amount, booking_fee, organiser_booking_fee, taxamt]', 'sum: []'],
      [
        'status: { from: order_statuses, on: order_status_id, column: name }',
        'status: { from: order_statuses }',
      ],
      ['dueDate: null', 'dueDate: { column: created_at, epoch: days }'],
    ])
    expect(outcome.status).toBe(78)
    const paths = listPaths(outcome).join(' ')
    for (const path of ['status', 'email']) expect(paths).toContain(`registrations.fields.${path}`)
    for (const path of ['status', 'total', 'dueDate']) expect(paths).toContain(`invoices.fields.${path}`)
    expect(outcome.stderr).toContain('{ from: TABLE, on: COLUMN')
  })

  test('and names every column of a lookup, of a condition or of a part that neverRead forbids', async () => {
    const forbidden = [
      'orders.email',
      '*.account_id',
      'attendees.is_refunded',
      'orders.taxamt',
      'orders.is_invoiced',
    ]
    const outcome = await serve('ticketing', nowhere, [
      ['neverRead:\n', `neverRead:\n${forbidden.map((one) => `  - '${one}'\n`).join('')}`],
    ])
    expect(outcome.status).toBe(78)
    const text = outcome.stderr
    for (const column of [
      'orders.email',
      'events.account_id',
      'account_api_tokens.account_id',
      'attendees.is_refunded',
      'orders.taxamt',
      'orders.is_invoiced',
    ])
      expect(text).toContain(`${column}, which neverRead forbids`)
  })

  test('where neither collection is mapped', async () => {
    const text = await readFile(products.invoicing.mappingFile, 'utf8')
    const section = text.slice(text.indexOf('invoices:\n'), text.indexOf('neverRead:'))
    const outcome = await serve('invoicing', nowhere, [[section, '']])
    expect([outcome.status, listPaths(outcome)]).toEqual([78, ['registrations']])
  })
})

describe('with a database that does not bear it out, the start ends with 1', () => {
  let database: ProductDatabase
  beforeAll(async () => {
    database = await throwaway.createProduct('ticketing', { registrations: 20 })
  })

  test('and names every lookup and part that cannot be served, with the option that could', async () => {
    const outcome = await serve('ticketing', database.readUrl, [
      ['email: { from: orders,', 'email: { from: buyers,'],
      [
        'name: { from: orders, on: order_id, columns',
        'name: { from: orders, on: order_id, key: event_id, columns',
      ],
      ['sum: [amount,', 'sum: [order_reference,'],
      [
        'status: { from: order_statuses, on: order_status_id,',
        'status: { from: order_statuses, on: order_reference,',
      ],
      ['number: order_reference', 'number: amount'],
      ['dueDate: null', 'dueDate: order_status_id'],
    ])
    expect(outcome.status).toBe(1)
    for (const path of [
      'registrations.fields.name.key',
      'invoices.fields.total',
      'invoices.fields.status.on',
      'invoices.fields.number',
      'invoices.fields.dueDate',
    ])
      expect(outcome.stderr).toContain(`${path}: found `)
    expect(outcome.stderr).toContain('buyers: the table does not exist')
    expect(outcome.stderr).toMatch(/invoices\.fields\.dueDate: found .*epoch/)
  })
})
