import { describe, expect, test } from 'vitest'
import { parseConfig } from '../../src/config.js'
import { fillMapping } from '../../src/mapping/fill-keys.js'
import { loadMapping, openDatabase } from '../../src/mapping/load-configuration.js'
import { useAuditedProduct } from '../support/audited.js'

const { database, fill, run, listErrors } = useAuditedProduct('ticketing')

describe('the table of a lookup', () => {
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
})
