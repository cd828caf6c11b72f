import { findNearest } from './nearest.js'

/**
 * Checks the names of options: a filter that is not known would have no effect, and the call would return more than was
 * asked for.
 *
 * @throws TypeError
 */
export function requireKnownOptions(call: string, options: object, known: readonly string[]): void {
  // A program in JavaScript can pass anything.
  if (Object(options) !== options) throw new TypeError(`${call} takes its options as an object`)
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    // The parameter of the API has another name than the option.
    const nearest = findNearest(name === 'limit' ? 'pageSize' : name, known)
    const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`
    throw new TypeError(`${call} has no option ${JSON.stringify(name)}${hint} It has ${known.join(', ')}.`)
  }
}
