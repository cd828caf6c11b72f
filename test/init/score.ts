import { isNeverRead } from '../../src/mapping/mapped-columns.js'

/** The content of a mapping file. */
type Content = Readonly<Record<string, unknown>>

/** A place of a mapping file, with the written answer and the proposed one. */
export interface ScoredPlace {
  readonly path: string
  readonly isRight: boolean
  readonly expected: unknown
  readonly proposed: unknown
}

const sections = ['registrations', 'invoices'] as const

/**
 * The places of a written mapping, each compared with the proposal. All places of a section with another table are
 * wrong. The public words of a status are for its team to choose: only the columns, the lookups and the tests count.
 */
export function scorePlaces(written: Content, proposed: Content): readonly ScoredPlace[] {
  const own = sections.flatMap((name) => scoreSection(name, written[name], proposed[name]))
  return [
    scorePlace('timezone', written['timezone'], proposed['timezone'], true),
    ...(isNewTable(proposed) && isNewTable(written)
      ? []
      : [scorePlace('apiKeys', toKeys(written), toKeys(proposed), true)]),
    ...own,
  ]
}

function scoreSection(name: string, written: unknown, proposed: unknown): readonly ScoredPlace[] {
  const [from, to] = [toContent(written), toContent(proposed)]
  if (from === undefined)
    return to === undefined ? [] : [scorePlace(`${name}.table`, undefined, to['table'], true)]
  const isSameTable = to?.['table'] === from['table']
  const places = [
    scorePlace(`${name}.table`, from['table'], to?.['table'], true),
    ...['where', 'workspace', 'archived', ...(name === 'invoices' ? ['eventId'] : [])].map((key) =>
      scorePlace(`${name}.${key}`, toPlain(key, from[key]), toPlain(key, to?.[key]), isSameTable),
    ),
  ]
  const [fields, others] = [toContent(from['fields']) ?? {}, toContent(to?.['fields']) ?? {}]
  const names = [...new Set([...Object.keys(fields), ...Object.keys(others)])]
  return [
    ...places,
    ...names.map((key) =>
      scorePlace(`${name}.fields.${key}`, toPlain(key, fields[key]), toPlain(key, others[key]), isSameTable),
    ),
  ]
}

function scorePlace(path: string, expected: unknown, proposed: unknown, isSameTable: boolean): ScoredPlace {
  const isRight = isSameTable && JSON.stringify(sort(expected)) === JSON.stringify(sort(proposed))
  return { path, isRight, expected, proposed }
}

/** One form for what the mapping file can write in several. */
function toPlain(key: string, value: unknown): unknown {
  if (key === 'archived' || key === 'where') return toList(value).map(toTest).map(toText).sort()
  if (key === 'status') return toStatus(value)
  if (key === 'total') return toTotal(value)
  return value
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** A text by which tests are put in one order: all of them must hold, or any one. */
function toText(test: unknown): string {
  return JSON.stringify(sort(test))
}

/** `equals: true` is `equals: 1`. */
function toTest(test: unknown): unknown {
  return JSON.parse(JSON.stringify(test).replaceAll(':true', ':1').replaceAll(':false', ':0')) as unknown
}

function toStatus(value: unknown): unknown {
  const status = toContent(value)
  if (status === undefined) return { column: value }
  const { values: _values, otherwise: _otherwise, when, ...source } = status
  if (!Array.isArray(when)) return source
  return { when: when.map((test: unknown) => toTest({ ...toContent(test), then: '' })) }
}

function toKeys(content: Content): unknown {
  const { prefix: _prefix, ...keys } = toContent(content['apiKeys']) ?? {}
  return keys
}

function isNewTable(content: Content): boolean {
  return String(toContent(content['apiKeys'])?.['table']).startsWith('vitrine_api_keys')
}

function toContent(value: unknown): Content | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Content) : undefined
}

/** Names in one order, so that texts can be compared. */
function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort)
  const content = toContent(value)
  if (content === undefined) return value ?? null
  return Object.fromEntries(
    Object.entries(content)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, sort(one)]),
  )
}

/** The columns of a list of secrets that `neverRead` leaves open. */
export function listOpen(secrets: readonly string[], proposed: Content): readonly string[] {
  const patterns = proposed['neverRead'] as readonly string[]
  return secrets.filter((secret) => {
    const at = secret.indexOf('.')
    return !isNeverRead(patterns, secret.slice(0, at), secret.slice(at + 1))
  })
}

/** The parts of a sum in one order. */
function toTotal(value: unknown): unknown {
  const parts = toContent(value)?.['sum']
  return Array.isArray(parts)
    ? { ...toContent(value), sum: parts.map((part) => JSON.stringify(part)).sort() }
    : value
}
