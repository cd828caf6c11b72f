import { findNearest } from '../client/text.js'
import { Problem } from '../errors.js'

/** Parameters by name, each at most once. */
export type Parameters = ReadonlyMap<string, string>

/**
 * The parameters of a URL's query, `+` read as a space.
 *
 * @param search what follows the `?`.
 * @param allowed the parameters that the route has.
 * @throws Problem `unknown_parameter`, or `invalid_parameter` for one that is repeated or broken.
 */
export function parseQueryString(search: string, allowed: readonly string[]): Parameters {
  const parameters = new Map<string, string>()
  for (const pair of search.split('&')) {
    if (pair === '') continue
    const split = pair.indexOf('=')
    const written = split === -1 ? pair : pair.slice(0, split)
    const name = decode(written)
    if (name === undefined || !allowed.includes(name)) throw createUnknown(name ?? written, allowed)
    const value = decode(split === -1 ? '' : pair.slice(split + 1))
    if (parameters.has(name)) throw createInvalid(name, 'is sent more than once; send it once')
    if (value === undefined) throw createInvalid(name, 'has a broken percent escape; encode it as UTF-8')
    parameters.set(name, value)
  }
  return parameters
}

/** The problem of a parameter's value; `what` continues the sentence after the parameter's name. */
export function createInvalid(parameter: string, what: string): Problem {
  return new Problem('invalid_parameter', `The parameter ${parameter} ${what}.`, { parameter })
}

/** What a value is that holds nothing: no text, or the word that a program writes for a variable without a value. */
export function describeWord(text: string, advice: string): string | undefined {
  if (text === '') return 'is empty; give it a value or leave it out'
  return /^(?:null|undefined|None|NaN)$/.test(text) ? `is the word ${text}; ${advice}` : undefined
}

function createUnknown(name: string, allowed: readonly string[]): Problem {
  const shown = toShown(name)
  const nearest = findNearest(name.length > 64 ? '' : name, allowed)
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  const known = allowed.length === 0 ? 'This route has none' : `Allowed are ${allowed.join(', ')}`
  return new Problem(
    'unknown_parameter',
    `There is no parameter ${JSON.stringify(shown)}.${hint} ${known}.`,
    {
      parameter: shown,
    },
  )
}

/** A name in which nothing can be a key: of a key without a name in front of it, only the start is repeated. */
function toShown(name: string): string {
  const end = /[\w.~+/-]{32}/.test(name) ? 8 : 64
  return name.length > end ? `${name.slice(0, end)}…` : name
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
