import {
  canFollow,
  describeColumn,
  describeReference,
  findByRule,
  listDirect,
  listLookups,
  toLookup,
} from './column-rule.js'
import type { ColumnRule, FoundColumn } from './column-rule.js'
import { sortByScore } from './candidate.js'
import type { Candidate, MappingValue } from './candidate.js'
import type { DescribedColumn, DescribedTable } from './description.js'
import type { FindReferences, Reference } from './references.js'
import { rules } from './rules.js'
import { listTableWords, toSnake } from './words.js'

const minor = '(?:_in)?_?(?:cents?|minor|pence|subunits?|minor_units?)'

const totalRule: ColumnRule = {
  names: [
    [
      new RegExp(
        `^(?:grand_total|total_amount|amount_total|total_ttc|invoice_total|document_total)(?:${minor})?$`,
      ),
      10,
    ],
    [
      new RegExp(
        `^(?:total|total_gross|gross_total|gross_amount|amount_gross|gross|total_price)(?:${minor})?$`,
      ),
      9.5,
    ],
    [
      new RegExp(`^total_(?:incl?|including|inc)_(?:tax|vat)(?:${minor})?$|^total_with_tax$|^final_amount$`),
      9.5,
    ],
    [/^(?:total|amount|price)_(?:e\d|x\d+|micros|mills|milli|fils|bp)$/, 9],
    [new RegExp(`^(?:amount|invoice_amount|payable_amount|total_value|total_sum)(?:${minor})?$`), 8],
    [new RegExp(`^(?:sum|price|value|charge|fee_amount|cost)(?:${minor})?$`), 4],
  ],
  not: /sub_?total|net|tax(?!.*incl)|vat(?!.*incl)|discount|paid|balance|_due|due_|refund|base_|exchange|commission|words|currency/,
  kinds: ['decimal', 'integer', 'float'],
  accepts: ({ kind, type }) => kind !== 'integer' || /^(?:int|bigint)/i.test(type),
}

/** The total of an invoice: a column, or the sum of its parts. */
export function listTotals(table: DescribedTable): readonly Candidate[] {
  const columns = findByRule(table, totalRule).map((found) => toTotal(table, found))
  return sortByScore([...columns, ...listSums(table)])
}

function toTotal(table: DescribedTable, { column, score, reasons }: FoundColumn): Candidate {
  const amount = toAmount(column)
  return {
    value: amount.value,
    label: `${table.name}.${column.name}`,
    score,
    reasons: [...reasons, ...amount.reasons],
    ...(amount.verify === undefined ? {} : { verify: amount.verify }),
  }
}

type Amount = Pick<Candidate, 'value' | 'reasons' | 'verify'>

/** How an amount of a column is written: as it is, rounded, in minor units, or with a fixed scale. */
function toAmount(column: DescribedColumn): Amount {
  const { name, kind } = column
  if (kind === 'decimal') return { value: name, reasons: [] }
  if (kind === 'float') return toFloatAmount(column)
  const text = `${toSnake(name)} ${column.comment.toLowerCase()}`
  const scale = findScale(text)
  if (scale !== undefined)
    return {
      value: { column: name, scale },
      reasons: [`an integer; its name or comment gives ${scale} decimals`],
    }
  if (/(?:^|_|\b)(?:cents?|minor|pence|subunits?|minor_units?)(?:_|\b|$)/.test(text))
    return {
      value: { column: name, unit: 'minor' },
      reasons: ['an integer of minor units, by its name or comment'],
    }
  return {
    value: { column: name, scale: 2 },
    reasons: ['an integer, taken for hundredths'],
    verify: `what does 100 in ${name} mean? Hundredths in every currency (scale: 2), minor units of the currency (unit: minor), or whole units (scale: 0)?`,
  }
}

function toFloatAmount({ name, type }: DescribedColumn): Amount {
  const digits = /\(\d+,(\d+)\)/.exec(type)?.[1]
  // No currency has more than 4 decimals, and zeros at the end are not shown.
  if (digits === undefined)
    return { value: { column: name, float: 4 }, reasons: ['a floating-point number, rounded to 4 decimals'] }
  return {
    value: { column: name, float: Number(digits) },
    reasons: [`a floating-point number, rounded to the ${digits} decimals of its type`],
  }
}

const scaleWords: readonly (readonly [words: RegExp, scale: number])[] = [
  [/(?:^|_|\b)(?:micros|millionths?)(?:_|\b|$)/, 6],
  [/(?:^|_|\b)(?:mills?|millis|thousandths?|fils)(?:_|\b|$)/, 3],
  [/\bten-?thousandths\b/, 4],
  [/\bhundredths\b/, 2],
]

/** The decimals that a name such as `amount_e4` or a comment such as `x 10000`, `scale 4` or `4 decimals` gives. */
function findScale(text: string): number | undefined {
  const word = scaleWords.find(([words]) => words.test(text))
  if (word !== undefined) return word[1]
  const digits = /(?:_e|\be|10\^|scale[ =:_]*(?:of )?)(\d)\b|(\d) decimals?/.exec(text)
  if (digits !== null) return Number(digits[1] ?? digits[2])
  const factor = /(?:_x|[x*×] ?|1\/)(10+)\b/.exec(text)?.[1]
  return factor === undefined ? undefined : factor.length - 1
}

const netRule: ColumnRule = {
  names: [
    [
      /^(?:sub_?total|net|net_total|total_net|net_amount|amount_net|total_ht|amount_excl_tax|total_excl_tax)/,
      9,
    ],
    [/^(?:amount|base_amount|price|fee_base|base)$/, 6],
  ],
  not: /discount|paid|balance/,
  kinds: totalRule.kinds,
}
const taxRule: ColumnRule = {
  names: [[/^(?:tax|vat|gst)(?:_?(?:amount|amt|total|sum))?$|^total_(?:tax|vat)$/, 9]],
  kinds: totalRule.kinds,
}
const feeRule: ColumnRule = {
  names: [[/(?:^|_)(?:fees?|surcharge|shipping|handling)(?:_(?:amount|total))?$/, 8]],
  kinds: totalRule.kinds,
}

/** Net amount, tax and fees, where no column has the total. */
function listSums(table: DescribedTable): readonly Candidate[] {
  const [net] = findByRule(table, netRule)
  const taxes = findByRule(table, taxRule).slice(0, 1)
  const fees = findByRule(table, feeRule)
  if (net === undefined || taxes.length + fees.length === 0) return []
  const parts = [net, ...taxes, ...fees].map(({ column }) => column)
  // Beside a net amount, tax is apart. A plain amount may include it, but hardly where fees are apart too.
  const isNet = !/^(?:amount|price)$/.test(toSnake(net.column.name))
  const isApart = isNet || (taxes.length > 0 && fees.length > 0)
  const names = parts.map(({ name }) => name).join(' + ')
  const discount = table.columns.find(({ name, kind }) => /discount/i.test(name) && kind !== 'text')
  const nullIsZero = parts.some(({ nullable }) => nullable)
  return [
    {
      value: { sum: parts.map((column) => toAmount(column).value), ...(nullIsZero ? { nullIsZero } : {}) },
      label: names,
      score: isApart ? 9 : 6,
      reasons: [`the sum of ${parts.map((column) => `${column.name} ${describeColumn(column)}`).join(', ')}`],
      verify: `is the total ${names}${discount === undefined ? '' : `, although there is ${discount.name}`}?`,
    },
  ]
}

const currencyCodeRule: ColumnRule = {
  names: [
    [
      /^(?:code|iso_code|iso|iso_4217|alpha_?3|currency_code|iso_alpha|iso3|short_code|abbreviation|alphabetic_code)$/,
      9,
    ],
    [/^(?:currency|short_name|abbr|name|symbol_code|identifier)$/, 4],
  ],
  kinds: ['text'],
  accepts: ({ length }) => length >= 3,
}

/** The currency of an invoice: a column, a table of currencies, or that of the tenant, event or customer. */
export function listCurrencies(table: DescribedTable, findReferences: FindReferences): readonly Candidate[] {
  const references = findReferences(table).filter(canFollow)
  const parents = references.flatMap((first) =>
    findReferences(first.target)
      .filter((second) => canFollow(second) && isCurrencyTable(second))
      .flatMap((second) => {
        const on = toLookup(first, first.column.name, { column: second.column.name })
        return listCodes(second, on, ` by ${first.column.name}`).map((candidate) => ({
          ...candidate,
          score: candidate.score - 5 + weighParent(first),
        }))
      }),
  )
  return sortByScore([
    ...listDirect(table, rules.currency),
    ...references
      .filter(isCurrencyTable)
      .flatMap((reference) => listCodes(reference, reference.column.name, '')),
    ...listLookups(table, rules.currency, {
      findReferences,
      weigh: (reference) => weighParent(reference) - 4,
    }),
    ...parents,
  ])
}

function isCurrencyTable({ target, column }: Reference): boolean {
  return listTableWords(target.name).at(-1) === 'currency' && !/base|from|exchange/i.test(column.name)
}

function listCodes(reference: Reference, on: MappingValue, by: string): readonly Candidate[] {
  return findByRule(reference.target, currencyCodeRule).map(({ column, score }) => ({
    value: toLookup(reference, on, { column: column.name }),
    label: `${reference.target.name}.${column.name} by ${reference.column.name}${by}`,
    score: score + (column.length === 3 ? 1 : 0),
    reasons: [describeReference(reference), describeColumn(column)],
  }))
}

/** The tenant or event that issued an invoice rather than its customer. */
function weighParent({ target }: Reference): number {
  const noun = listTableWords(target.name).at(-1) ?? ''
  if (/^(?:event|order|booking)$/.test(noun)) return 1
  return /^(?:account|company|organi[sz]ation|tenant|workspace|team|shop|store|business|club)$/.test(noun)
    ? 1.5
    : 0
}
