import { beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/tools/report/report.js'
import { runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { changeMapping, findSection, runCheck } from '../support/checking.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let database: ProductDatabase

beforeAll(async () => {
  database = await throwaway.createProduct('awkward', { registrations: 60 })
})

/** What the check finds about the unit of totals. */
async function listUnitFindings(of = database): Promise<readonly Finding[]> {
  return findSection(await runCheck(of), 'sample').findings.filter(
    ({ object }) => object === 'bills.amount_minor',
  )
}

/** Gives some invoices these totals in a currency; all others are in SAR. */
async function setTotals(currency: string, totals: readonly number[]): Promise<void> {
  await runStatements(database.adminUrl, [
    "UPDATE bills SET cur = 'SAR', amount_minor = 100000",
    ...totals.map(
      (total) =>
        `UPDATE bills SET cur = '${currency}', amount_minor = ${total} WHERE cur = 'SAR' ORDER BY uid LIMIT 1`,
    ),
  ])
}

describe('unit: minor', () => {
  test('has no finding for the unchanged product', async () => {
    expect(await listUnitFindings()).toEqual([])
  })

  test.each([
    ['JPY', 0, '100000 JPY', '1000 JPY'],
    ['jpy', 0, '100000 JPY', '1000 JPY'],
    ['KWD', 3, '100.000 KWD', '1000.000 KWD'],
  ])('with totals in %s that all end in 00 is a warning', async (currency, digits, shown, meant) => {
    await setTotals(currency, [100_000, 2500, -300, 0])
    const [finding, ...others] = await listUnitFindings()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ severity: 'warning' })
    expect(finding!.problem).toMatch(/^all 3 different totals in (JPY|KWD) end in 00/)
    expect(finding!.problem).toContain(`${digits} digits: a stored 100000 is shown as ${shown}`)
    expect(finding!.fix).toContain(`a stored 100000 means ${meant}`)
    expect(finding!.fix).toContain('write { column: amount_minor, scale: 2 } instead of unit: minor')
  })

  test.each([
    ['a currency with hundredths', 'EUR', [100_000, 2500, 300]],
    ['a total that does not end in 00', 'JPY', [100_000, 2500, 300, 1250]],
    ['fewer than three different totals', 'JPY', [100_000, 2500, 2500, 0]],
    ['no currency of ISO 4217', 'QQQ', [100_000, 2500, 300]],
  ])('with %s has no finding', async (_, currency, totals) => {
    await setTotals(currency, totals)
    expect(await listUnitFindings()).toEqual([])
  })

  test('with a constant currency is evaluated with it', async () => {
    await setTotals('JPY', [100_000, 2500, 300])
    const constantly = (code: string): Promise<ProductDatabase> =>
      changeMapping(database, 'currency: cur', `currency: { constant: ${code} }`)
    expect(await listUnitFindings(await constantly('JPY'))).toHaveLength(1)
    expect(await listUnitFindings(await constantly('SAR'))).toEqual([])
  })

  test('is not evaluated where totals are in major units', async () => {
    await setTotals('JPY', [100_000, 2500, 300])
    const file = await changeMapping(database, 'unit: minor', 'unit: major')
    expect(await listUnitFindings(file)).toEqual([])
  })
})
