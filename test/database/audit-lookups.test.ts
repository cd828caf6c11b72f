import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { fillMapping } from '../../src/mapping/fill-keys.js'
import { loadMapping, openDatabase } from '../../src/service/load-configuration.js'
import { useAuditedProduct } from '../support/audited.js'

const { database, fill, run, audit, listErrors } = useAuditedProduct('ticketing')

test('the statements of grants satisfy the audit of a mapping with lookups', async () => {
  const { findings, resolved } = await audit()
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(resolved).toBeDefined()
})

describe('the table of a lookup', () => {
  test('may be read in its mapped columns only', async () => {
    await run('GRANT SELECT (title), UPDATE (code) ON `$db`.currencies TO $u')
    const found = await listErrors()
    await run(...found.map(({ fix }) => fix))
    expect(found.map(({ object, fix }) => [object, fix])).toEqual([
      [fill('`$db`.`currencies`'), expect.stringMatching(/^REVOKE .*(`title`|`code`).*(`title`|`code`)/)],
    ])
    expect(await listErrors()).toEqual([])
  })

  test('that may not be read is one error with the GRANT of all its mapped columns', async () => {
    const columns = '`id`, `name`'
    await run(`REVOKE SELECT (${columns}), SHOW VIEW ON \`$db\`.order_statuses FROM $u`)
    const found = await listErrors()
    const fix = found.find(({ object }) => object === 'order_statuses')?.fix.split(';')[0] ?? ''
    expect(fix).toBe(fill(`GRANT SELECT (${columns}) ON \`$db\`.\`order_statuses\` TO $u`))
    await run(fix)
    expect(await listErrors()).toEqual([])
  })

  test('whose key may not be read is an error with the GRANT of the key', async () => {
    await run('REVOKE SELECT (id), SHOW VIEW ON `$db`.currencies FROM $u')
    const found = await listErrors()
    const fixes = found.map(({ fix }) => fix.split(';')[0])
    expect(new Set(fixes)).toEqual(new Set([fill('GRANT SELECT (`id`) ON `$db`.`currencies` TO $u')]))
    await run(...fixes.slice(0, 1).map(String))
    expect(await listErrors()).toEqual([])
  })

  test('has neverRead as the mapped tables have: no mapping names such a column, and no user may read one', async () => {
    const mapping = await loadMapping(database().mappingFile)
    const forbidden = { ...mapping, neverRead: ['ORDERS.email', 'currencies.i*'] }
    const opened = await openDatabase(parseConfig({ DATABASE_URL: database().readUrl }))
    const filled = fillMapping(forbidden, opened.runQuery).finally(() => opened.close())
    const paths = ['registrations.fields.email', 'invoices.fields.currency.key']
    await expect(filled).rejects.toMatchObject({ issues: paths.map((path) => ({ path })) })
    await run('GRANT SELECT (business_name) ON `$db`.orders TO $u')
    const found = await listErrors()
    expect(found.map(({ object }) => object)).toContain('orders.business_name')
    expect(found.map(({ problem }) => problem).join()).toContain('neverRead forbids')
  })

  test('may not show a forbidden column through a generated one', async () => {
    await run(
      'ALTER TABLE orders ADD shown VARCHAR(255) GENERATED ALWAYS AS (CONCAT(business_name, first_name)) VIRTUAL',
      'GRANT SELECT (shown) ON `$db`.orders TO $u',
    )
    const found = await listErrors((mapping) => ({
      ...mapping,
      registrations: {
        ...mapping.registrations,
        fields: {
          ...mapping.registrations.fields,
          email: { from: 'orders', on: 'order_id', column: 'shown' },
        },
      },
    }))
    await run('ALTER TABLE orders DROP shown')
    expect(found.filter(({ object }) => object === 'orders.shown')).toEqual([
      expect.objectContaining({ problem: 'computed from business_name, which neverRead forbids' }),
    ])
  })

  test('cannot be a view, which has no unique key', async () => {
    await run(
      'CREATE VIEW codes AS SELECT id, code FROM currencies',
      'GRANT SELECT (id, code), SHOW VIEW ON `$db`.codes TO $u',
    )
    const found = await listErrors((mapping) => ({
      ...mapping,
      invoices: {
        ...mapping.invoices,
        fields: { ...mapping.invoices.fields, currency: { from: 'codes', on: 'event_id', column: 'code' } },
      },
    }))
    expect(found.map(({ object }) => object)).toContain('invoices.fields.currency.key')
  })
})
