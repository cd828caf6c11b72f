/** Whether a text is a timestamp of the contract, of a time that exists: JavaScript reads February 30th as March 2nd. */
export function isTimestamp(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

/** Capitals for small letters, and small letters for capitals. */
export function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
}

/** A text in another case, with blanks or an accent, and as other numbers, and others; a collation would find them. */
export function listVariants(text: string, others: readonly string[]): readonly string[] {
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()
  // The database would convert these to the same number.
  const numbers = /^\d+$/.test(text) ? [`0${text}`, `${text}.0`, `+${text}`, `${text}e0`] : []
  const all = new Set([swapped, `${text} `, ` ${text}`, `${text}\n`, `${text}\u0301`, ...numbers, ...others])
  return [...all].filter((one) => one !== text && one.trim() !== '')
}

const minuteMs = 60_000
/** By how much clocks are set back in autumn, in minutes: an hour, on Lord Howe half an hour, at Troll two. */
const shifts = [60, 30, 120].flatMap((minutes) => [minutes * minuteMs, -minutes * minuteMs])
let zones: readonly Intl.DateTimeFormat[] | undefined

/**
 * Whether a record changed before an instant, as far as its time can show. A product that stores local times has an hour
 * in autumn that occurs twice: it is shown as the earlier one, and `updatedSince` then starts before it.
 */
export function isEarly(updatedAt: string, since: string): boolean {
  if (updatedAt >= since) return false
  const times = [Date.parse(updatedAt), Date.parse(since)] as const
  if (!(times[1] - times[0] < 240 * minuteMs)) return true
  zones ??= Intl.supportedValuesOf('timeZone').map(
    (timeZone) => new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  )
  const isTwice = (zone: Intl.DateTimeFormat, one: number): boolean =>
    shifts.some((shift) => zone.format(one) === zone.format(one + shift))
  return !zones.some((zone) => times.every((one) => isTwice(zone, one)))
}
