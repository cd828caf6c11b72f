import { addressForm, parseAddress } from '../../client/forms.js'
import type { Form } from './command.js'

function matching(pattern: RegExp, allowed: string): Form<string> {
  return { allowed, parse: (text) => (pattern.test(text) ? text : undefined) }
}

/** A whole number of a range. @param what such as `whole seconds` */
export function wholeNumber(what: string, min: number, max: number): Form<number> {
  return {
    allowed: `${what} from ${min} to ${max}`,
    parse: (text) => {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A share in percent. */
export const percentage: Form<number> = {
  allowed: 'a percentage from 0 to 100',
  parse: (text) => (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined),
}

/** One of some words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Form<Word> {
  return { allowed: words.join(' or '), words, parse: (text) => words.find((word) => word === text) }
}

/** Any text. */
export const anyText = matching(/^/, 'a text')

/** Any text but an empty one. */
export const filledText = matching(/./s, 'a text that is not empty')

/** A file that the product exported, for one of the collections. */
export const exportFile = matching(
  /^(?:registrations|invoices)=./s,
  'registrations=FILE or invoices=FILE, with a CSV of the product',
)

/** A part of an account, or a database: for the servers, an empty user means every user and an empty host every host. */
export const sqlName = matching(/^[^\u0000-\u001f\u007f]+$/, 'a name without control characters')

/** The name of a variable; a value of another form may be the key itself, and is in no message. */
export const keyVariable = matching(
  /^[A-Za-z_]\w*$/,
  'the name of an environment variable that holds an API key',
)

/** The address of a service. */
export const serviceAddress: Form<string> = { allowed: addressForm, parse: parseAddress }

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }

/** A time between two runs, in milliseconds; timers take no longer one. */
export const pause: Form<number> = {
  allowed: 'a time such as 30s, 5m or 1h, at most 24 days',
  parse: (text) => {
    const [, count, unit = ''] = /^([1-9]\d{0,5})(s|m|h)$/.exec(text) ?? []
    const ms = Number(count) * (units[unit] ?? Number.NaN)
    return ms < 2 ** 31 ? ms : undefined
  },
}

const scopeNames = ['registration.read', 'invoices.read']

/** Scopes, separated by commas or, as in the key table, by spaces. */
export const scopeList: Form<readonly string[]> = {
  allowed: 'registration.read, invoices.read or both',
  words: scopeNames,
  parse: (text) => {
    const scopes = text.trim().split(/[\s,]+/)
    return scopes.every((scope) => scopeNames.includes(scope)) ? scopes : undefined
  },
}
