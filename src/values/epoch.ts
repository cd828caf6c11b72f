import { RowFault } from '../errors.js'
import type { Instant } from './instant.js'

/** The unit of an integer time: seconds, milliseconds or microseconds since 1970-01-01 UTC. */
export type EpochUnit = 's' | 'ms' | 'us'

const perSecond: Readonly<Record<EpochUnit, bigint>> = { s: 1n, ms: 1000n, us: 1_000_000n }
const integer = /^-?\d{1,20}$/

/** The instant of an integer cell; undefined for what is not an integer. */
export function parseEpoch(cell: unknown, unit: EpochUnit): Instant | undefined {
  const text = typeof cell === 'number' ? String(cell) : cell
  if (typeof text !== 'string' || !integer.test(text)) return undefined
  const value = BigInt(text)
  const scale = perSecond[unit]
  // BigInt's division cuts towards zero; an instant before 1970 has a smaller second and a positive fraction.
  const rest = ((value % scale) + scale) % scale
  return { seconds: Number((value - rest) / scale), micros: Number((rest * 1_000_000n) / scale) }
}

/**
 * The instant of an integer cell; undefined for what is not an integer. Products write 0 in place of a missing time, so 0 does not count.
 *
 * @throws RowFault when the cell is 0.
 */
export function readEpoch(cell: unknown, unit: EpochUnit): Instant | undefined {
  if (isZeroEpoch(cell)) throw new RowFault('is 0, which is not a time')
  return parseEpoch(cell, unit)
}

/** Whether an integer time is 0, by which products mean that there is none. */
export function isZeroEpoch(cell: unknown): boolean {
  return /^0+$/.test(String(cell))
}

/**
 * The stored integer of an instant, so that `column >= value` is true for exactly the rows at or after it: a finer
 * instant is rounded up.
 */
export function toEpoch({ seconds, micros }: Instant, unit: EpochUnit): string {
  const scale = perSecond[unit]
  const total = BigInt(seconds) * 1_000_000n + BigInt(micros)
  const step = 1_000_000n / scale
  const floor = (total - (((total % step) + step) % step)) / step
  return String(floor * step === total ? floor : floor + 1n)
}
