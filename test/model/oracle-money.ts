import { toOptions } from './mapping.js'
import type { Given, Option } from './mapping.js'
import type { Cell } from './product.js'

/** An exact decimal: `units` times 10 to the power of -`scale`. */
interface Decimal {
  readonly units: bigint
  readonly scale: number
}

/** Of the currencies that products of the model use; ISO 4217. */
const minorDigits: Readonly<Record<string, number>> = {
  SAR: 2,
  USD: 2,
  KWD: 3,
  BHD: 3,
  JPY: 0,
  CLF: 4,
  HRK: 2,
}

/** A currency in capitals; undefined for what ISO 4217 does not list. */
export function toCurrency(cell: Cell): string | undefined {
  if (cell === null || !/^[A-Za-z]{3}$/.test(cell)) return undefined
  const code = cell.toUpperCase()
  return code in minorDigits ? code : undefined
}

/**
 * A total as the contract writes it.
 *
 * @param cells those of the parts, in order.
 * @returns undefined where it cannot be shown.
 */
export function toTotal(option: Option, cells: readonly Cell[], currency: string): string | undefined {
  const digits = minorDigits[currency]!
  const amounts = listParts(option).map((part, at) => {
    const cell = cells[at] ?? null
    return cell === null && option.nullIsZero === true ? zero : toAmount(toOptions(part), cell, digits)
  })
  const present = amounts.filter((amount) => amount !== undefined)
  if (present.length < amounts.length) return undefined
  return format(present.reduce(add, zero), digits)
}

/** The parts that a total is the sum of. */
export function listParts(option: Option): readonly Given[] {
  return option.sum ?? [option]
}

const zero: Decimal = { units: 0n, scale: 0 }

function toAmount(part: Option, cell: Cell, digits: number): Decimal | undefined {
  if (cell === null) return undefined
  // An exponent is for doubles alone.
  if (part.text === 'decimal')
    return /^-?\d+(\.\d+)?$/.test(cell) && cell.replace(/[-.]/g, '').length <= 65 ? parse(cell) : undefined
  const stored = parse(cell)
  if (stored === undefined) return undefined
  if (part.unit === 'minor') return { units: stored.units, scale: stored.scale + digits }
  if (part.scale !== undefined) return { units: stored.units, scale: stored.scale + part.scale }
  return part.float === undefined ? stored : round(stored, part.float)
}

function parse(text: string): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const units = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 }
}

/** Half up means away from zero. */
function round({ units, scale }: Decimal, digits: number): Decimal {
  if (scale <= digits) return { units, scale }
  const step = 10n ** BigInt(scale - digits)
  const size = units < 0n ? -units : units
  const rounded = (size + step / 2n) / step
  return { units: units < 0n ? -rounded : rounded, scale: digits }
}

function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  const widen = ({ units, scale: own }: Decimal): bigint => units * 10n ** BigInt(scale - own)
  return { units: widen(one) + widen(other), scale }
}

/** The exact sum of cells; NULL where there is none, or one is NULL. */
export function sumCells(cells: readonly Cell[]): Cell {
  const amounts = cells.map((cell) => (cell === null ? undefined : parse(cell)))
  const present = amounts.filter((amount) => amount !== undefined)
  return present.length === 0 || present.length < amounts.length ? null : format(present.reduce(add, zero), 0)
}

/** At least so many decimals, and more only where they are not zero. */
function format({ units, scale }: Decimal, digits: number): string {
  const size = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const whole = size.slice(0, size.length - scale)
  const fraction = size
    .slice(size.length - scale)
    .replace(/0+$/, '')
    .padEnd(digits, '0')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
