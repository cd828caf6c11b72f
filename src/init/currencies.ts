import { rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { listCandidates } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import type { DescribedTable } from './description.js'
import { rules } from './rules.js'
import { tenantWords } from './vocabulary.js'
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

/** What the way to a currency is worth. */
const weights = { table: 0, second: -4, other: -4, tenant: 1.5, sale: 1 } as const

/** The currency of an invoice: a column, a table of currencies, or that of the tenant, event or customer. */
export async function listCurrencies(search: Search, table: DescribedTable): Promise<readonly Candidate[]> {
  const tables = await listCandidates(search, table, codeRule, { weighWay: weighTable })
  const columns = await listCandidates(search, table, rules.currency, { weighWay: weighOther })
  const found = tables.filter(({ value }) => typeof value === 'object')
  const constant: Candidate = {
    value: { constant: 'EUR' },
    label: '{ constant: EUR }, with the code of the one currency that the product uses',
    evidence: [{ points: 0, reason: 'no row says which' }],
  }
  return [...rankCandidates([...columns, ...found]), constant]
}

function weighTable({ steps, table }: Way): Evidence | undefined {
  const isOther = steps.some(({ column }) => /base|from|exchange|multicurrency/i.test(column.name))
  if (isOther || !/^(?:currency|waehrung|devise|moneda|valuta|moeda)$/.test(toNoun(table.name)))
    return undefined
  const [first] = steps
  if (steps.length < 2 || first === undefined)
    return { points: weights.table, reason: 'a table of currencies' }
  return { points: weights.second + weighOwner(first.parent), reason: `the currency of ${first.parent.name}` }
}

function weighOther({ steps, table }: Way): Evidence | undefined {
  if (steps.length !== 1 || steps.some(({ column }) => /creat|updat|user/.test(toSnake(column.name))))
    return undefined
  return { points: weights.other + weighOwner(table), reason: `the currency of ${table.name}` }
}

/** The tenant or event that issued an invoice rather than its customer. */
function weighOwner({ name }: DescribedTable): number {
  const noun = toNoun(name)
  if (/^(?:event|order|booking)$/.test(noun)) return weights.sale
  return (tenantWords[noun] ?? 0) >= 4 ? weights.tenant : 0
}
