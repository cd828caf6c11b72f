/** What an option takes: its words, and whether a value is that. */
type Kind = readonly [words: string, isOf: (value: unknown) => boolean]

/** A record of options or of columns, not a list or a Date. */
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

const isText = (value: unknown): boolean => typeof value === 'string'
const isSource = (value: unknown): boolean =>
  isText(value) || value instanceof URL || (isRecord(value) && 'text' in value && isText(value.text))
const isScript = (value: unknown): boolean => (Array.isArray(value) ? value.every(isSource) : isSource(value))
const isTables = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((rows) => Array.isArray(rows) && rows.every(isRecord))
const isScope = (value: unknown): boolean => value === 'registration.read' || value === 'invoices.read'
const source = "the name of a file, a URL, or { text: '…' }"

const optional = ([words, isOf]: Kind): Kind => [words, (value) => value === undefined || isOf(value)]
const text: Kind = ['text', isText]
const record: Kind = ['an object', isRecord]
const mapping: Kind = [`${source}, or an object`, (value) => isSource(value) || isRecord(value)]

/** The options of each function. */
const functions = {
  startThrowaway: {
    engine: optional(["'mysql' or 'mariadb'", (value) => value === 'mysql' || value === 'mariadb']),
  },
  createProduct: {
    schema: [`${source}, or a list of these`, isScript],
    rows: optional([
      `${source}, a list of these, or { table: [{ column: value }] }`,
      (value) => isScript(value) || isTables(value),
    ]),
    mapping,
  },
  mintKey: {
    workspace: optional(text),
    scopes: [
      "a list of 'registration.read' and 'invoices.read'",
      (value) => Array.isArray(value) && value.every(isScope),
    ],
    columns: optional(record),
  },
  startVitrine: {
    databaseUrl: text,
    mapping,
    env: optional(record),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Kind>>>>

/**
 * Requires the options that a function has, each of its kind: in plain JavaScript, no compiler does.
 *
 * @throws TypeError that names the function, the option, and what it takes.
 */
export function requireOptions(name: keyof typeof functions, given: unknown): void {
  const kinds: Readonly<Record<string, Kind>> = functions[name]
  const all = Object.keys(kinds).join(', ')
  if (!isRecord(given)) throw new TypeError(`${name}: found ${String(given)}; it takes { ${all} }`)
  const unknown = Object.keys(given).find((one) => !Object.hasOwn(kinds, one))
  if (unknown !== undefined)
    throw new TypeError(`${name}: there is no option ${unknown}; it takes { ${all} }`)
  const values = new Map<string, unknown>(Object.entries(given))
  for (const [option, [words, isOf]] of Object.entries(kinds))
    if (!isOf(values.get(option))) throw new TypeError(`${name}: ${option} must be ${words}`)
}
