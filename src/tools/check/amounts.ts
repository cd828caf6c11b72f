import { findMinorDigits } from '../../values/money.js'
import type { MoneyColumn } from '../../collections/money-fields.js'
import { isFlag } from '../facts/columns.js'
import { recordsMin, sayShare } from './evidence.js'
import type { Evidence, Said, Witness } from './evidence.js'

/* Totals: their unit against their fractions, and what they are made of. */

/** What totals can say: the functions of `rules.yaml`. */
export const amountFinds = {
  partOfTotal: findWhole,
  netTotal: findNet,
  fractions: findFractions,
  rounded: findRounded,
  hundredths: findHundredths,
}

/** The columns of a total. */
function listParts({ sample: { collection } }: Evidence): readonly MoneyColumn[] {
  const { parts = [] } = collection.fields['total'] as { readonly parts?: readonly MoneyColumn[] }
  return parts
}

/** A column of amounts, record by record; NaN where there is none. */
type Amounts = readonly [name: string, values: readonly number[]]

/** Whether a column of the table itself has amounts that differ from record to record. */
export function isAmount({ isOwn, column }: Witness): boolean {
  const isNumber = /decimal|float|integer/.test(column.kind) && !isFlag(column) && column.distinct > 5
  return isOwn && isNumber && column.reference === undefined && !column.extra.includes('auto_increment')
}

/** Amounts of rounded parts differ by this much. */
const tolerance = 0.021

/** A column that makes another one with what is mapped: a net, a tax; or a part of the sum that has another one in it. */
function findWhole(evidence: Evidence): Said {
  const amounts = evidence.witnesses
    .filter(isAmount)
    .map(({ path, cells }): Amounts => [path, cells.map((cell) => Number(cell ?? NaN))])
  const parts = listParts(evidence).map(({ column }) => column.name)
  const isSum = parts.length > 1
  const isPart = ([name]: Amounts): boolean => parts.includes(name)
  // A sum has the whole among its parts; of one column the whole is outside.
  const pairs = amounts
    .filter(isPart)
    .flatMap((part) =>
      amounts.flatMap((all) => (isPart(all) === isSum && all !== part ? [[part, all] as const] : [])),
    )
  for (const [part, all] of pairs)
    for (const other of amounts) {
      const rows = part[1].flatMap((value, at) => {
        const [added = NaN, sum = NaN] = [other[1][at], all[1][at]]
        const isSome = Math.abs(added) > tolerance && Math.abs(value) > tolerance
        return Number.isNaN(value + added + sum)
          ? []
          : [{ isSome, isEqual: Math.abs(value + added - sum) <= tolerance }]
      })
      const filled = rows.filter(({ isSome }) => isSome).length
      const isFound = filled >= Math.max(recordsMin, rows.length / 2) && rows.every(({ isEqual }) => isEqual)
      const fix = isSum ? `leave ${part[0]} out of the sum` : `map ${all[0]}, if it is the grand total`
      if (isFound && !isPart(other))
        return [filled, `${part[0]} + ${other[0]} is ${all[0]} in ${filled} of ${rows.length} rows`, fix]
    }
  return undefined
}

/** A net beside a tax, by their names. */
function findNet(evidence: Evidence): Said {
  const { witnesses } = evidence
  const [{ column: part } = {}, ...others] = listParts(evidence)
  const isNet = witnesses.some(
    ({ isOwn, column }) => isOwn && column.name === part?.name && column.roles.has('net'),
  )
  const tax = witnesses.find(({ isOwn, column }) => isOwn && column.roles.has('tax'))
  if (!isNet || tax === undefined || others.length > 0) return undefined
  const rows = tax.cells.filter((cell) => Number(cell ?? 0) !== 0).length
  return sayShare(rows, tax.cells.length, 0.2, `records have a ${tax.path} that is not in the total`)
}

/** The decimals of the currency of each record. */
function listDigits({ sample: { shown } }: Evidence): readonly number[] {
  return shown.map(({ record: { currency } }) => findMinorDigits(String(currency)) ?? 2)
}

/** More decimals than the currency has. */
function findFractions(evidence: Evidence, values: readonly string[]): Said {
  const digits = listDigits(evidence)
  const found = values.filter((total, at) => (total.split('.')[1] ?? '').length > (digits[at] ?? 2)).length
  return sayShare(found, values.length, 0.2, 'totals have more decimals than their currency')
}

/** A stored fraction that is not shown. */
function findRounded(evidence: Evidence, values: readonly string[]): Said {
  const [part, ...others] = listParts(evidence)
  const stored = evidence.witnesses.find(({ path }) => path === part?.column.name)?.cells ?? []
  const isRounded = part?.form.kind === 'float' && others.length === 0
  const digits = listDigits(evidence)
  const found = values.filter(
    (total, at) => Math.abs(Number(total) - Number(stored[at] ?? total)) > 0.6 * 10 ** -(digits[at] ?? 2),
  ).length
  return isRounded
    ? sayShare(found, values.length, 0.05, 'totals are stored with fractions that are not shown')
    : undefined
}

/** An integer column whose numbers are shown as they are, in a currency that has hundredths. */
function findHundredths(evidence: Evidence, values: readonly string[]): Said {
  const [part, ...others] = listParts(evidence)
  const isInteger = part?.column.kind === 'integer' && part.form.kind === 'major' && others.length === 0
  const totals = values.filter((total) => total.includes('.')).map(Number)
  const large = totals.filter((total) => Math.abs(total) >= 100).length
  if (!isInteger || large < Math.max(recordsMin, values.length / 2)) return undefined
  const range = `${Math.min(...totals)} … ${Math.max(...totals)}`
  return [large, `${part.column.name} is an integer and shown without a fraction: ${range}`]
}
