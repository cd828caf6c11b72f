import type { DescribedColumn, DescribedTable } from '../description.js'
import { findMinorDigits } from '../../values/money.js'
import { isSection } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { listCandidates } from './columns.js'
import type { Search, Written } from './columns.js'
import { listInDocuments } from './documents.js'
import type { Way } from './graph.js'
import { findSettings } from './key-values.js'
import { nouns } from './names.js'
import { listStemWords, toNoun } from './words.js'

/** What a currency that is not in the row is worth, and what its values say. */
const currencyPoints = { other: -3, qualified: -0.5, codes: 2, noCodes: -6 } as const

/** A table of currencies, or the tenant, event or customer that has one. */
export function weighCurrencyWay({ steps: [first, second], table }: Way): Evidence | undefined {
  const noun = toNoun(table.name)
  if (first !== undefined && nouns.currency.has(noun))
    return second === undefined
      ? [isQualified(first.column.name) ? currencyPoints.qualified : 0, 'a table of currencies']
      : [currencyPoints.other, `the currency of ${first.parent.name}`]
  const isOwner = [nouns.tenant, nouns.event, nouns.person, nouns.order].some((words) => words.has(noun))
  return isOwner && second === undefined ? [currencyPoints.other, `the currency of ${table.name}`] : undefined
}

/** Such as that of a company beside that of the row. */
function isQualified(name: string): boolean {
  return listStemWords(name).stem.length > 1
}

/** Whether the values of a currency are codes of ISO 4217: a name of a currency is none. */
export async function writeCurrency(
  { content }: Search,
  way: Way,
  column: DescribedColumn,
): Promise<Written> {
  const { codes } = await content.readCodes(way.table, column)
  const isCodes = codes.every(({ code }) => /^[A-Z]{3}$/i.test(code))
  const points = isCodes ? currencyPoints.codes : currencyPoints.noCodes
  const reason = isCodes ? 'its values have the form of ISO 4217' : 'its values are no codes of ISO 4217'
  return { reading: { column: column.name }, evidence: codes.length === 0 ? [] : [[points, reason]] }
}

/** The currency of a table of currencies or in a document, and one for all rows. */
export async function listCurrencies(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  const isTable = (way: Way): boolean => nouns.currency.has(toNoun(way.table.name))
  const found = await listCandidates(search, table, {
    rule: 'currencyCode',
    weighWay: (way) => (isTable(way) ? weighCurrencyWay(way) : undefined),
    write: writeCurrency,
  })
  return [
    ...found.filter(({ value }) => isSection(value)),
    ...(await listInDocuments(search, table, { rule: 'currency', weighWay: weighCurrencyWay })),
    ...(await listSettings(search)),
    {
      value: { constant: 'EUR' },
      label: '{ constant: EUR }, with the code of the one currency that the product uses',
      evidence: [[0, 'no row says which']],
    },
  ]
}

function isCurrency(code: string): boolean {
  return findMinorDigits(code) !== undefined
}

/** What a setting of the product is worth, and the rows that a table of settings has at most. */
const settings = { points: 3.5, rowsMax: 10_000 } as const

/** The one currency that the settings of the product name. */
async function listSettings({ graph, content }: Search): Promise<readonly Candidate[]> {
  const tables = [...graph.description.values()].filter(({ rows }) => rows <= settings.rowsMax)
  const found = await Promise.all(
    tables.map(async (table) => {
      const columns = findSettings(table)
      const codes = columns === undefined ? [] : await content.readCurrencies(table, columns)
      return codes.filter(isCurrency).map((code) => ({ code, table }))
    }),
  )
  const [first, ...others] = found.flat()
  if (first === undefined || others.some(({ code }) => code !== first.code)) return []
  return [
    {
      value: { constant: first.code },
      label: `{ constant: ${first.code} }, which is a setting in ${first.table.name}`,
      evidence: [[settings.points, `a setting in ${first.table.name}`]],
      verify: `is ${first.code}, a setting in ${first.table.name}, the currency of every invoice, also of old ones?`,
    },
  ]
}
