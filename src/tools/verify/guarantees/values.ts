import currencyCodes from 'currency-codes'

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const day = /^\d{4}-\d{2}-\d{2}$/

/** Whether a text is a timestamp of the contract, of a time that exists. */
export function isTimestamp(text: string): boolean {
  const time = timestamp.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript reads February 30th as March 2nd.
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

/** Whether a text is a day that exists. */
export function isDay(text: string): boolean {
  return day.test(text) && isTimestamp(`${text}T00:00:00.000Z`)
}

/** A text in another case, with blanks or an accent, and as other numbers, and others; a collation would find them. */
export function listVariants(text: string, others: readonly string[]): readonly string[] {
  const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase()
  // The database would convert these to the same number.
  const numbers = /^\d+$/.test(text) ? [`0${text}`, `${text}.0`, `+${text}`, `${text}e0`] : []
  const all = new Set([swapped, `${text} `, ` ${text}`, `${text}\n`, `${text}\u0301`, ...numbers, ...others])
  return [...all].filter((one) => one !== text && one.trim() !== '')
}

/** The type of a value, and not the value, which can be personal. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  return value === '' ? 'empty' : `of type ${typeof value}`
}

const decimal = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/
/** Currencies that ISO 4217 withdrew: invoices of those years have them. */
const withdrawn = new Set(Intl.supportedValuesOf('currency'))

/** What a total should be; undefined if it is as the contract has it. */
export function findAmountProblem(total: string, currency: string): string | undefined {
  const digits = currencyCodes.code(currency)?.digits
  if (!/^[A-Z]{3}$/.test(currency) || (digits === undefined && !withdrawn.has(currency)))
    return 'a currency of ISO 4217 in capitals'
  const match = decimal.exec(total)
  if (match === null) return 'a decimal without exponent'
  if (/^-[0.]+$/.test(total)) return 'zero without a sign'
  return digits === undefined ? undefined : findFractionProblem(match[1] ?? '', digits)
}

function findFractionProblem(fraction: string, digits: number): string | undefined {
  if (fraction.length < digits) return `at least ${digits} decimals`
  const hasZero = fraction.length > digits && fraction.endsWith('0')
  return hasZero ? `no zero at the end beyond ${digits} decimals` : undefined
}

const minuteMs = 60_000
/** By how much clocks are set back in autumn, in minutes: an hour, on Lord Howe half an hour, at Troll two. */
const shifts = [60, 30, 120]
let zones: readonly Intl.DateTimeFormat[] = []

/**
 * Whether a record changed before an instant, as far as its time can show. A product that stores local times has an hour
 * in autumn that occurs twice: it is shown as the earlier one, and `updatedSince` then starts before it.
 */
export function isEarly(updatedAt: string, since: string): boolean {
  if (updatedAt >= since) return false
  const times = [updatedAt, since].map((text) => Date.parse(text))
  const [time = 0, start = Number.NaN] = times
  if (!(start - time < 240 * minuteMs)) return true
  if (zones.length === 0)
    zones = Intl.supportedValuesOf('timeZone').map(
      (timeZone) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
    )
  return !zones.some((zone) => times.every((one) => isTwice(zone, one)))
}

/** Whether the local time of an instant occurs twice. */
function isTwice(zone: Intl.DateTimeFormat, time: number): boolean {
  const readOffset = (instant: number): number => {
    const text = zone.format(instant)
    const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? []
    return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  }
  const offset = readOffset(time)
  return shifts.some((shift) =>
    [shift, -shift].some((moved) => readOffset(time + moved * minuteMs) === offset - moved),
  )
}
