import currencyCodes from 'currency-codes'

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
