import type { Cell, Column } from './product.js'
import { toZoneMicros } from './zones.js'

/** Microseconds since 1970 UTC; null for no time, undefined for one that cannot be shown. */
export type Micros = bigint | null | undefined

type EpochUnit = 's' | 'ms' | 'us'

const perUnit: Readonly<Record<EpochUnit, bigint>> = { s: 1_000_000n, ms: 1000n, us: 1n }
const first = BigInt(new Date('0000-01-01T00:00:00Z').getTime()) * 1000n
const last = BigInt(Date.UTC(10_000, 0, 1)) * 1000n

/** Whether a cell is NULL or a zero date, which is the same. */
export function isUnset(cell: Cell, { kind }: Column): boolean {
  return cell === null || (isTime(kind) && cell.startsWith('0000-00-00'))
}

function isTime(kind: string): boolean {
  return kind === 'date' || kind === 'datetime' || kind === 'timestamp'
}

/** How a cell of a repeated hour is read. */
type ToInstant = (local: bigint, zone: string) => bigint

/** The instant of a cell; the last of those that it can mean by `toLastMicros`. */
export function toMicros(
  cell: Cell,
  column: Column,
  epoch: EpochUnit | undefined,
  zone: string,
  toInstant: ToInstant = toZoneMicros,
): Micros {
  if (cell === null || isUnset(cell, column)) return null
  if (epoch !== undefined) {
    const units = BigInt(cell)
    return units === 0n ? null : requireRange(units * perUnit[epoch])
  }
  // A day is the instant at which it begins.
  const local = toLocalMicros(column.kind === 'date' ? `${cell} 00:00:00` : cell)
  if (local === undefined) return undefined
  return requireRange(column.kind === 'timestamp' ? local : toInstant(local, zone))
}

function toLocalMicros(cell: string): bigint | undefined {
  const [, head = '', fraction = ''] = /^([^.]+)(?:\.(\d+))?$/.exec(cell) ?? []
  const iso = `${head.replace(' ', 'T')}.000Z`
  const date = new Date(iso)
  // JavaScript moves a day that does not exist to the next month, or refuses it.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) return undefined
  return BigInt(date.getTime()) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}

function requireRange(micros: bigint): bigint | undefined {
  return micros >= first && micros < last ? micros : undefined
}

/** The public form: milliseconds, cut and not rounded. */
export function formatMicros(micros: bigint): string {
  const rest = ((micros % 1000n) + 1000n) % 1000n
  return new Date(Number((micros - rest) / 1000n)).toISOString()
}

/** A day or an instant in its public form, with the same meaning of null and undefined. */
export function toDay(
  cell: Cell,
  column: Column,
  epoch: EpochUnit | undefined,
  zone: string,
): string | null | undefined {
  if (column.kind === 'date') {
    if (isUnset(cell, column)) return null
    return toLocalMicros(`${cell!} 00:00:00`) === undefined ? undefined : cell!
  }
  return toMoment(cell, column, epoch, zone)
}

/** An instant in its public form; that at which a day begins. */
export function toMoment(
  cell: Cell,
  column: Column,
  epoch: EpochUnit | undefined,
  zone: string,
): string | null | undefined {
  const micros = toMicros(cell, column, epoch, zone)
  return typeof micros === 'bigint' ? formatMicros(micros) : micros
}
