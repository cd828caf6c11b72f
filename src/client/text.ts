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

/** The name that was probably meant, for the end of a message. */
export function renderHint(typed: string, names: readonly string[], prefix = ''): string {
  const nearest = findNearest(typed, names)
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}

/** The codes of systems, runtimes and OpenSSL for a connection that failed, in words. */
const failures: readonly (readonly [codes: RegExp, words: string])[] = [
  [/REFUSED/i, 'nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'its host has no address'],
  [/TIMEDOUT|CONNECT_TIMEOUT|UNREACH/, 'its host cannot be reached'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET/, 'the connection was closed'],
  [/^HPE_/, 'it does not answer with HTTP'],
  [/ALTNAME/, 'its certificate is for another name'],
  [/HAS_EXPIRED|NOT_YET/, 'its certificate has expired, or is not valid yet by the clock of this machine'],
  [
    /CERT|UNABLE_TO_/,
    'its certificate is self-signed, or of an authority that this machine does not know; NODE_EXTRA_CA_CERTS can name a file with it',
  ],
  [/EPROTO|ERR_SSL|ERR_TLS/, 'it does not speak TLS at this port: the address needs http, or another port'],
]

/** Why a connection failed: in words where its code is known, and as the system says it, which names the address. */
export function explainFailure(error: unknown): string {
  const { message = '', code = '', name = '' } = Object(error) as Readonly<Record<string, string>>
  const [, words] = failures.find(([codes]) => codes.test(code)) ?? []
  // An attempt at several addresses has an empty message, and OpenSSL names places in its source.
  const text = (/SSL/.test(message) ? code : message) || code || name || 'the request failed'
  return words === undefined ? text : `${words} (${text})`
}

/** Whether at most so many characters changed, added or removed make one text the other. */
export function isWithin(one: string, other: string, edits: number): boolean {
  if (edits < 0 || one === '' || other === '') return one.length + other.length <= edits
  const [rest, otherRest] = [one.slice(1), other.slice(1)]
  if (one[0] === other[0]) return isWithin(rest, otherRest, edits)
  const left = edits - 1
  return isWithin(rest, otherRest, left) || isWithin(rest, other, left) || isWithin(one, otherRest, left)
}
