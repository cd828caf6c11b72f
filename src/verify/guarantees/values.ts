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
