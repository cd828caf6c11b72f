import type { Candidate } from './candidate.js'
import { findColumns, weighType } from './column-rule.js'
import type { ColumnRule, Written } from './column-rule.js'
import type { DescribedColumn, DescribedTable } from '../database/description.js'
import { writeOwn } from './ways.js'
import { toSnake } from './words.js'

const minor = '(?:_in)?_?(?:cents?|minor|pence|subunits?|minor_units?)'
const taxed = '(?:incl?|including|inc|with)_?(?:tax|vat|gst)'
const kinds = ['decimal', 'integer', 'float'] as const

/** Small integers hold no amounts, and long texts are no numbers. */
function canHoldAmount({ kind, type, length }: DescribedColumn): boolean {
  if (kind === 'text') return /^(?:var)?char/i.test(type) && length <= 64
  return kind !== 'integer' || /^(?:int|bigint)/i.test(type)
}

/** The column of a grand total. What was paid is no total, but an order that was paid with tax is. */
export const totalRule: ColumnRule = {
  names: {
    10: `(?:grand_total|total_amount|amount_total|total_ttc|invoice_total|document_total)(?:${minor})?
      gesamtbetrag(?:_brutto)? (?:total_)?bruttobetrag betrag_brutto montant_ttc importe_total totale_documento total_factura
      total_(?:paid_)?tax_incl total_paid_${taxed} totaal_incl(?:_btw)? total_${taxed} valor_total`,
    9.5: `(?:total|total_gross|gross_total|gross_amount|amount_gross|gross|total_price)(?:${minor})?
      total_with_tax final_amount brutto summe_brutto brutto_summe montant_total totale totaal monto_total
      amount_incl(?:_tax|_vat)? amount_tax_incl bedrag_incl(?:_btw)? gesamtsumme`,
    9: '(?:total|amount|price)_(?:e\\d|x\\d+|micros|mills|milli|fils|bp)',
    8: `(?:amount|invoice_amount|payable_amount|total_value|total_sum)(?:${minor})? betrag montant importe importo
      bedrag valor kwota belop monto summe total_order (?:order|fee|fees|bill|cart|price|sum)_total`,
    4: `(?:sum|price|value|charge|fee_amount|cost|fee)(?:${minor})? preis prix precio prezzo prijs`,
  },
  not: /sub_?total|^net|_net$|tax_excl|excl|tax(?!_incl|.*incl)(?<!with_tax)|vat(?!.*incl)(?<!with_vat)|discount|paid(?!_tax_incl|_inc|_with)|balance|_due|due_|refund|base_|exchange|commission|words|currency|shipping|multicurrency|netto|tva|remise|iva$|quantity/,
  kinds: [...kinds, 'text'],
  accepts: canHoldAmount,
}

/** How an amount of a column is written: as it is, as decimal text, rounded, in minor units, or with a fixed scale. */
export function writeAmount(column: DescribedColumn): Written {
  const { name, kind, type } = column
  if (kind === 'decimal') return { reading: { column: name } }
  if (kind === 'text') return toWritten({ column: name, text: 'decimal' }, 'decimal numbers as text')
  if (kind === 'float') {
    // No currency has more than 4 decimals, and zeros at the end are not shown.
    const float = Math.min(4, Number(/\(\d+,(\d+)\)/.exec(type)?.[1] ?? 4))
    return toWritten({ column: name, float }, `a floating-point number, rounded to ${float} decimals`)
  }
  const text = `${toSnake(name)} ${column.comment.toLowerCase()}`
  const scale = findScale(text)
  if (scale !== undefined)
    return toWritten({ column: name, scale }, `an integer; its name or comment gives ${scale} decimals`)
  if (/(?:^|_|\b)(?:cents?|minor|pence|subunits?|minor_units?)(?:_|\b|$)/.test(text))
    return toWritten({ column: name, unit: 'minor' }, 'an integer of minor units, by its name or comment')
  return {
    ...toWritten({ column: name, scale: 2 }, 'an integer, taken for hundredths'),
    verify: `what does 100 in ${name} mean? Hundredths in every currency (scale: 2), minor units of the currency (unit: minor), or whole units (scale: 0)?`,
  }
}

function toWritten(reading: Written['reading'], reason: string): Written {
  return { reading, evidence: [[0, reason]] }
}

/** The decimals that a name such as `amount_e4` or a comment such as `x 10000`, `scale 4` or `4 decimals` gives. */
function findScale(text: string): number | undefined {
  const digits = /(?:_e|\be|10\^|scale[ =:_]*(?:of )?)(\d)\b|(\d) decimals?/.exec(text)
  if (digits !== null) return Number(digits[1] ?? digits[2])
  const factor = /(?:_x|[x*×] ?|1\/)(10+)\b/.exec(text)?.[1]
  return factor === undefined ? undefined : factor.length - 1
}

const netRule: ColumnRule = {
  names: {
    9: `sub_?total[a-z0-9_]* net net_total total_net net_amount amount_net total_ht amount_excl_tax total_excl_tax
      netto nettobetrag betrag_netto netto_betrag base_imponible imponibile montant_ht bedrag_excl`,
    6: 'amount base_amount price fee_base base betrag importe',
  },
  not: /discount|paid|balance/,
  kinds,
}
const taxRule: ColumnRule = {
  names: {
    9: `(?:tax|vat|gst)_?(?:amount|amt|total|sum)? total_(?:tax|vat|tva) mwst(?:_betrag)? ust steuer(?:betrag)?
      tva montant_tva iva importe_iva btw(?:_bedrag)?`,
  },
  kinds,
}
const feeRule: ColumnRule = {
  names: {
    8: '(?:[a-z0-9_]+_)?(?:fees?|surcharge|shipping|handling|versand|porto)(?:_(?:amount|total))?',
  },
  not: /rate|percent|refund/,
  kinds,
}

/** Net amount, tax and fees, where no column has the total. */
export function listSums(table: DescribedTable): readonly Candidate[] {
  const [net] = findColumns(table, netRule)
  const others = [...findColumns(table, taxRule).slice(0, 1), ...findColumns(table, feeRule)]
  if (net === undefined || others.length === 0) return []
  const parts = [net, ...others].map(({ column }) => column)
  const label = parts.map(({ name }) => name).join(' + ')
  const discount = table.columns.find(
    ({ name, kind }) => /discount|rabatt|remise/i.test(name) && kind !== 'text',
  )
  const reason = `the sum of ${parts.map((column) => `${column.name} ${weighType(column)[1]}`).join(', ')}`
  const sum = parts.map((part) => writeOwn(writeAmount(part).reading))
  return [
    {
      value: { sum, ...(parts.some(({ nullable }) => nullable) ? { nullIsZero: true } : {}) },
      label,
      evidence: [[9, reason]],
      verify: `is the total ${label}${discount === undefined ? '' : `, although there is ${discount.name}`}?`,
    },
  ]
}
