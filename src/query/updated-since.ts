import type { Instant } from '../values/instant.js'
import { toFields, toInstant } from '../values/instant.js'

const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+\- ])(\d{2}):(\d{2}))$/

/** What `updatedSince` may be, as callers are told. */
export const updatedSinceForm =
  'an RFC 3339 timestamp with Z or an offset, such as 2026-03-01T09:30:00Z or 2026-03-01T12:30:00.5+03:00, or a date'

/**
 * The instant that `updatedSince` names. A blank where an offset begins was a `+` that was not encoded.
 *
 * @returns moved up to the next microsecond where it is finer, since no stored time lies between;
 *   undefined for any other text, or a day that does not exist.
 */
export function parseUpdatedSince(text: string): Instant | undefined {
  const match = dateOnly.exec(text) ?? dateTime.exec(text)
  if (match === null) return undefined
  const offsetMinutes = toOffset(match)
  if (offsetMinutes === undefined) return undefined
  const instant = toInstant(toFields(match, 0), offsetMinutes)
  if (instant === undefined) return undefined
  const micros = Math.ceil(Number((match[7] ?? '').padEnd(9, '0')) / 1000)
  return micros === 1_000_000
    ? { seconds: instant.seconds + 1, micros: 0 }
    : { seconds: instant.seconds, micros }
}

function toOffset(match: RegExpExecArray): number | undefined {
  if (match[8] === undefined) return 0
  const hours = Number(match[9])
  const minutes = Number(match[10])
  if (hours > 23 || minutes > 59) return undefined
  return (match[8] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
