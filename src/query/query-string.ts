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
    const name = decode(split === -1 ? pair : pair.slice(0, split))
    if (name === undefined || !allowed.includes(name)) throw createUnknown(name ?? pair, allowed)
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

function createUnknown(name: string, allowed: readonly string[]): Problem {
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name
  const known = allowed.length === 0 ? 'This route has none' : `Allowed are ${allowed.join(', ')}`
  return new Problem('unknown_parameter', `There is no parameter ${JSON.stringify(shown)}. ${known}.`, {
    parameter: shown,
  })
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
