import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/audit/finding.js'
import type { CheckReport } from '../../src/check/report.js'
import { check } from '../../src/commands/check.js'
import { runStatements } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
let folder: string
let database: ProductDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-check-'))
  database = await throwaway.createProduct('awkward', { registrations: 60 })
})
afterAll(() => rm(folder, { recursive: true }))

/** What the check finds about the unit of totals. */
async function listUnitFindings(mappingFile = database.mappingFile): Promise<readonly Finding[]> {
  const { text } = await check({
    variables: { DATABASE_URL: database.readUrl, MAPPING_FILE: mappingFile },
    json: true,
    htmlFile: undefined,
    colour: false,
    clock: Date.now,
  })
  const { sections } = JSON.parse(text) as CheckReport
  const { findings } = sections.find(({ id }) => id === 'sample')!
  return findings.filter(({ object }) => object === 'bills.amount_minor')
}

/** The mapping file with another text for a part of it. */
async function changeMapping(part: string, by: string): Promise<string> {
  const text = await readFile(database.mappingFile, 'utf8')
  expect(text).toContain(part)
  const file = join(folder, `${crypto.randomUUID()}.yaml`)
  await writeFile(file, text.replace(part, by))
  return file
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
    expect(finding).toMatchObject({ severity: 'warning', privilege: null })
    expect(finding!.problem).toMatch(/^all 3 different totals in (JPY|KWD) end in 00/)
    expect(finding!.problem).toContain(`${digits} digits: a stored 100000 is shown as ${shown}`)
    expect(finding!.fix).toContain(`a stored 100000 means ${meant}`)
    expect(finding!.fix).toContain('unit: minor does not fit')
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
    const constantly = (code: string): Promise<string> =>
      changeMapping('currency: cur', `currency: { constant: ${code} }`)
    expect(await listUnitFindings(await constantly('JPY'))).toHaveLength(1)
    expect(await listUnitFindings(await constantly('SAR'))).toEqual([])
  })

  test('is not evaluated where totals are in major units', async () => {
    await setTotals('JPY', [100_000, 2500, 300])
    const file = await changeMapping('unit: minor', 'unit: major')
    expect(await listUnitFindings(file)).toEqual([])
  })
})
