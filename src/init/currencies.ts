import type { Candidate, Evidence } from './candidate.js'
import { listCandidates } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import type { DescribedTable } from '../database/description.js'
import type { Way } from './ways.js'
import { toNoun } from './words.js'

/** The code in a table of currencies. */
const codeRule: ColumnRule = {
  names: {
    9: 'code iso_?code iso iso_4217 alpha_?3 currency_code iso_alpha iso3 short_code abbreviation alphabetic_code',
    4: 'currency short_name abbr name symbol_code identifier',
  },
  not: /num|symbol/,
  kinds: ['text'],
  accepts: ({ length }) => length >= 3,
}

/** What a currency that is not in the row is worth. */
const otherPoints = -3

/** Codes in a table of currencies, of the invoice itself or of the tenant, event or customer. */
export function listCurrencyTables(search: Search, table: DescribedTable): readonly Candidate[] {
  const found = listCandidates(search, table, { column: codeRule, weighWay: weighTable })
  return found.filter(({ value }) => typeof value === 'object')
}

function weighTable({ steps: [first, second], table }: Way): Evidence | undefined {
  if (!/^(?:currency|waehrung|devise|moneda|valuta|moeda)$/.test(toNoun(table.name))) return undefined
  return first === undefined || second === undefined
    ? [0, 'a table of currencies']
    : [otherPoints, `the currency of ${first.parent.name}`]
}

/** The currency of the tenant, event or customer. */
export function weighCurrencyWay({ steps, table }: Way): Evidence | undefined {
  return steps.length === 1 ? [otherPoints, `the currency of ${table.name}`] : undefined
}
