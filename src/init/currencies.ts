import { countPoints, pointsMin, toColumnName } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { listCandidates } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import type { DescribedTable } from '../database/description.js'
import type { Way } from './ways.js'
import { toNoun, toSnake } from './words.js'

/** The code in a table of currencies. */
const codeRule: ColumnRule = {
  names: {
    9: 'code iso_?code iso iso_4217 alpha_?3 currency_code iso_alpha iso3 short_code abbreviation alphabetic_code',
    4: 'currency short_name abbr name symbol_code identifier',
  },
  not: /num|symbol/,
  kinds: ['text'],
  accepts: ({ length }) => length >= 3,
  looksLike: 'currency',
}

/** What a currency that is not in the row is worth, and one of which an own column is sometimes empty. */
const weights = { other: -3, first: 3 } as const

/** Codes in a table of currencies, of the invoice itself or of the tenant, event or customer. */
export async function listCurrencyTables(
  search: Search,
  table: DescribedTable,
): Promise<readonly Candidate[]> {
  const found = await listCandidates(search, table, { column: codeRule, weighWay: weighTable })
  return found.filter(({ value }) => typeof value === 'object')
}

function weighTable({ steps, table }: Way): Evidence | undefined {
  const isOther = steps.some(({ column }) => /base|from|exchange|multicurrency/i.test(column.name))
  if (isOther || !/^(?:currency|waehrung|devise|moneda|valuta|moeda)$/.test(toNoun(table.name)))
    return undefined
  const [first, second] = steps
  return first === undefined || second === undefined
    ? [0, 'a table of currencies']
    : [weights.other, `the currency of ${first.parent.name}`]
}

/** A column that some rows leave empty, and then the currency of the tenant, event or customer. */
export async function listFirstCurrencies(
  { content }: Search,
  table: DescribedTable,
  found: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const own = found.find(({ value }) => typeof value === 'string')
  const home = found.find(({ value }) => typeof value === 'object')
  if (own === undefined || home === undefined) return []
  const profile = (await content.readProfile(table)).get(toColumnName(own.value) ?? '')
  if (profile === undefined) return []
  const { rows, filled } = profile
  if (filled === 0 || filled === rows || countPoints(home) < pointsMin) return []
  const reason = `empty in ${Math.ceil((1 - filled / rows) * 100)}% of the rows that were read, which take ${home.label}`
  return [
    {
      value: { first: [own.value, home.value] },
      label: `${own.label}, or else ${home.label}`,
      evidence: [...own.evidence, [weights.first, reason]],
      verify: `is an invoice without ${own.label} in the currency of ${home.label}?`,
    },
  ]
}

/** The currency of the tenant, event or customer. */
export function weighCurrencyWay({ steps, table }: Way): Evidence | undefined {
  if (steps.length !== 1 || steps.some(({ column }) => /creat|updat|user/.test(toSnake(column.name))))
    return undefined
  return [weights.other, `the currency of ${table.name}`]
}
