const charsMax = 1000

/** Control and format characters (which reorder or hide text), line separators, unpaired surrogates and no characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{NChar}]/gu

/** Text from the server in a form that is safe to print: one line, limited in length, unprintable characters as U+FFFD. */
export function toPrintable(text: string): string {
  const start = text.length > charsMax ? `${text.slice(0, charsMax)}…` : text
  return start.replace(unprintable, '\uFFFD')
}

/** The same characters escaped as in JSON, so that a reader of a log sees which ones they were. */
export function escapeUnprintable(text: string): string {
  return text.replace(unprintable, (found) =>
    Array.from({ length: found.length }, (_, at) => escapeUnit(found.charCodeAt(at))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/**
 * The name that a mistyped one probably means, without regard to case: one with few edits, or else one that is a part of it
 * or that it is a part of. Undefined where no name is near.
 */
export function findNearest(typed: string, names: Iterable<string>): string | undefined {
  // The parameter of the API, and what it is called where it is an option.
  if (typed === 'limit') return [...names].find((one) => /^page-?size$|^max-requests$/i.test(one))
  const text = typed.toLowerCase()
  const find = (isNear: (name: string) => boolean) => [...names].find((one) => isNear(one.toLowerCase()))
  return (
    find((name) => isWithin(text, name, 1)) ??
    find((name) => text.length > 3 && isWithin(text, name, 2)) ??
    // `timeout` is a part of `timeoutMs`, and `key` is a part of `apiKey`.
    find((name) => text.length > 2 && name.length > 2 && (name.includes(text) || text.includes(name)))
  )
}

/** Whether at most so many characters changed, added or removed make one text the other. */
export function isWithin(one: string, other: string, edits: number): boolean {
  if (edits < 0 || one === '' || other === '') return one.length + other.length <= edits
  const [rest, otherRest] = [one.slice(1), other.slice(1)]
  if (one[0] === other[0]) return isWithin(rest, otherRest, edits)
  const left = edits - 1
  return isWithin(rest, otherRest, left) || isWithin(rest, other, left) || isWithin(one, otherRest, left)
}
