import { findMinorDigits } from '../../values/money.js'
import type { MoneyColumn } from '../../collections/money-fields.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { matches } from '../facts/names.js'
import { countValues, toSeenName } from './sample.js'
import type { Sample, SampledRecord } from './sample.js'

/* What the records of a sample say against the mapping. No table is read: each rule is about the values that are shown. */

interface Shown {
  readonly record: SampledRecord
  readonly row: Sample['rows'][number]['row']
  readonly workspace: string
  readonly event: string | undefined
}

interface Evidence {
  readonly sample: Sample
  readonly shown: readonly Shown[]
  /** The values of a field that are neither null nor empty. */
  readonly read: (field: string) => readonly string[]
}

/** A rule about one field, or another place of a collection; `find` gives the problem in words. */
interface Rule {
  readonly field: string
  readonly isError: boolean
  readonly find: (evidence: Evidence) => string | undefined
}

/** Fewer records prove nothing. */
const recordsMin = 20

/** Everything that the records of a sample contradict. */
export function listContradictions(sample: Sample): readonly Finding[] {
  const { name, fields } = sample.collection
  const shown = sample.rows.flatMap(({ record, row, workspace = '', event }) =>
    record === undefined ? [] : [{ record, row, workspace, event }],
  )
  const read = (field: string): readonly string[] =>
    shown.flatMap(({ record: { [field]: value = null } }) =>
      value === null || value === '' ? [] : [String(value)],
    )
  return rules.flatMap(({ field, isError, find }) => {
    const isField = field in fields
    const isAsked = shown.length >= recordsMin && (isField || ['workspace', 'where'].includes(field))
    const problem = isAsked ? find({ sample, shown, read }) : undefined
    const place = `${name}.${isField ? 'fields.' : ''}${field}`
    return problem === undefined
      ? []
      : [(isError ? createError : createWarning)(place, problem, fixes[field] ?? 'map another column')]
  })
}

const fixes: Readonly<Record<string, string>> = {
  name: 'map the name of the attendee; not of the event, the ticket or the organizer, and no secret',
  email: 'map the address of the attendee; not of the organizer or the buyer',
  eventId: 'map the event; not the record, an order or a person; UUIDs with as: uuid or uuid-swapped',
  id: 'write as: uuid-swapped where as: uuid stands, or the other way round',
  checkedIn: 'ask what the column means before the event',
  number: 'map the printed number; not one of the order, the customer or a series',
  total: 'compare an invoice with the product: the grand total; unit: minor or scale: 2 for hundredths',
  dueDate: 'map the day by which the invoice is to be paid, and the day that is printed on it',
  status: 'ask which column has the state of a record, and what its values are',
  where: 'ask which types belong to the collection, and test them in where',
  workspace:
    'map the tenant, which owns the event and holds the key; not the customer, the author or a person',
}

/** A part of the records, in words; undefined where it is no more than a share of them. */
function describeShare(count: number, size: number, share: number, what: string): string | undefined {
  return count > size * share ? `${count} of ${size} ${what}` : undefined
}

/** A rule for the values of which more than a share match. */
function overShare(field: string, share: number, form: RegExp, what: string, isError = true): Rule {
  const find = ({ read }: Evidence): string | undefined => {
    const values = read(field)
    return describeShare(values.filter((value) => form.test(value)).length, values.length, share, what)
  }
  return { field, isError, find }
}

/** A rule for a field that has hardly different values. */
function fewDifferent(field: string): Rule {
  const find = ({ read }: Evidence): string | undefined => {
    const [size, different] = [read(field).length, new Set(read(field)).size]
    const isMany = size < recordsMin || different > Math.max(2, size * 0.05)
    return isMany ? undefined : `has only ${different} different values in ${size} records`
  }
  return { field, isError: false, find }
}

const warn = (field: string, find: Rule['find']): Rule => ({ field, isError: false, find })
const ofTexts = (field: string, find: (texts: readonly string[]) => string | undefined): Rule => ({
  field,
  isError: true,
  find: ({ read }) => find(read(field)),
})

const rules: readonly Rule[] = [
  overShare('name', 0.5, /@/, 'names are e-mail addresses'),
  overShare('name', 0.5, /^(?=.*\d)[\w-]{16,}$/, 'names look like a key or token'),
  overShare('name', 0.5, /^[\d\s+()/.-]+$/, 'names have no letter'),
  overShare('email', 0.1, /^[^@]*$/, 'e-mail addresses have no @'),
  overShare('total', 0.2, /^-?[0.]+$/, 'totals are 0', false),
  fewDifferent('name'),
  fewDifferent('email'),
  warn('eventId', findOwnEvents),
  warn('checkedIn', ({ read, shown }) =>
    read('checkedIn').includes('false') ? undefined : `all ${shown.length} records are checked in`,
  ),
  warn('number', findRepeated),
  warn('total', findHundredths),
  warn('total', findMinorUnits),
  warn('dueDate', findLate),
  warn('status', findOneStatus),
  warn('where', findTypes),
  { field: 'workspace', isError: true, find: (evidence) => findSharedEvents(evidence, true) },
  warn('workspace', (evidence) => findSharedEvents(evidence, false)),
  warn('workspace', findManyWorkspaces),
  ...['id', 'eventId'].map((field) => ofTexts(field, findSwapped)),
  ...['name', 'email', 'number'].map((field) => ofTexts(field, findGarbled)),
]

function findOwnEvents({ read, shown }: Evidence): string | undefined {
  const { size } = new Set(read('eventId'))
  if (size <= shown.length / 2) return undefined
  return size === shown.length
    ? `every one of ${size} records has an event of its own`
    : `${size} events for ${shown.length} records`
}

function findRepeated({ shown }: Evidence): string | undefined {
  const numbers = shown.map(({ workspace, record }) => JSON.stringify([workspace, record['number']]))
  const what = 'invoices have the number of another one of their workspace'
  return describeShare(shown.length - new Set(numbers).size, shown.length, 0.02, what)
}

function listParts({ collection: { fields } }: Sample): readonly MoneyColumn[] {
  return (fields['total'] as { readonly parts?: readonly MoneyColumn[] } | undefined)?.parts ?? []
}

/** An integer column whose numbers are shown as they are, in a currency that has hundredths. */
function findHundredths({ sample, shown }: Evidence): string | undefined {
  const [part, ...others] = listParts(sample)
  if (part?.column.kind !== 'integer' || others.length > 0 || part.form !== 'major') return undefined
  const totals = shown.flatMap(({ record }) =>
    (findMinorDigits(String(record['currency'])) ?? 0) > 0 ? [Number(record['total'])] : [],
  )
  if (totals.length < recordsMin) return undefined
  return `${part.column.name} is an integer and shown without a fraction: ${Math.min(...totals)} … ${Math.max(...totals)}`
}

/** `unit: minor` means the minor unit of ISO 4217 (JPY 0, KWD 3 digits); some products store hundredths of every currency. */
function findMinorUnits({ sample, shown }: Evidence): string | undefined {
  const parts = listParts(sample)
  if (parts.length === 0 || parts.some(({ form }) => form !== 'minor')) return undefined
  const stored = new Map<string, Set<number>>()
  for (const { currency, total } of shown.map(({ record }) => record)) {
    const digits = findMinorDigits(String(currency)) ?? 2
    const totals = stored.get(String(currency)) ?? new Set()
    if (digits !== 2 && Number(total) !== 0)
      stored.set(String(currency), totals.add(Math.round(Number(total) * 10 ** digits)))
  }
  const [found] = [...stored].filter(
    ([, totals]) => totals.size >= 3 && [...totals].every((total) => total % 100 === 0),
  )
  return found && `all ${found[1].size} different totals in ${found[0]} end in 00, as hundredths would`
}

function findLate({ shown }: Evidence): string | undefined {
  const days = shown.map(({ record }) => [record['issueDate'], record['dueDate'] ?? '9'].map(String))
  const late = days.filter(([issue = '', due = '']) => due.slice(0, 10) < issue.slice(0, 10)).length
  return describeShare(late, shown.length, 0.1, 'invoices are due before they are issued')
}

function findOneStatus({ read, shown, sample: { collection } }: Evidence): string | undefined {
  const statuses = read('status')
  if (new Set(statuses).size === 1) return `all ${shown.length} records are ${statuses[0] ?? ''}`
  const { status } = collection.table
  if ('cases' in status || status.otherwise === undefined) return undefined
  const others = statuses.filter((word) => word === status.otherwise).length
  const what = `records are ${status.otherwise}, the word for values that are not listed`
  return describeShare(others, statuses.length, 0.5, what)
}

/** A column of types that nothing reads: some rows are of the type of the collection, and some are not. */
function findTypes({ sample: { seen, collection }, shown }: Evidence): string | undefined {
  const pattern = collection.name === 'invoices' ? 'invoiceType' : 'registrationType'
  const found = seen.flatMap((column) => {
    const values = shown.flatMap(({ row: { [toSeenName(column)]: cell } }) =>
      typeof cell === 'string' ? [cell] : [],
    )
    const counts = column.kind === 'text' ? countValues(values) : []
    const isMixed = new Set(counts.map(([value]) => matches(pattern, value))).size === 2
    const list = counts.map(([value, count]) => `${value} (${count})`).join(', ')
    return isMixed && counts.length <= 12 ? [`shows rows of every ${column.name}: ${list}`] : []
  })
  return found[0]
}

/** @param isMost whether the finding is for more than a fifth of the events, or for fewer */
function findSharedEvents({ shown, sample }: Evidence, isMost: boolean): string | undefined {
  if (isEventWorkspace(sample.collection.table)) return undefined
  const owners = new Map<string, string[]>()
  for (const { event = '', workspace } of shown) owners.set(event, [...(owners.get(event) ?? []), workspace])
  const several = [...owners].filter(([event, { length }]) => event !== '' && length > 1)
  const shared = several.filter(([, list]) => new Set(list).size > 1).length
  if (shared === 0 || shared > several.length / 5 !== isMost) return undefined
  return `${shared} of ${several.length} events with several records have records in several workspaces`
}

/** Whether one column is the event and the workspace, or the workspace is constant. */
function isEventWorkspace({ workspace, eventId }: Sample['collection']['table']): boolean {
  if ('constant' in workspace) return true
  return eventId !== undefined && 'column' in eventId && eventId.column === workspace.column
}

function findManyWorkspaces({ shown, sample: { collection } }: Evidence): string | undefined {
  const { size } = new Set(shown.map(({ workspace }) => workspace))
  if ('constant' in collection.table.workspace || size <= shown.length / 2) return undefined
  return `${size} workspaces for ${shown.length} records`
}

/** UUIDs without a valid version that have one in the other order of their bytes. */
function findSwapped(ids: readonly string[]): string | undefined {
  const uuids = ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))
  const wrong = uuids.filter((id) => !/^.{14}[1-8].{4}[89ab]/.test(id))
  // Where the version is shown when the swap of UUID_TO_BIN is undone too often, or not at all.
  const isOther = [/^[1-8].{18}[89ab]/, /^.{4}[1-8].{14}[89ab]/].some(
    (form) => wrong.filter((id) => form.test(id)).length > wrong.length * 0.9,
  )
  if (uuids.length < recordsMin || !isOther) return undefined
  const what = 'UUIDs have no valid version: their bytes are in another order'
  return describeShare(wrong.length, uuids.length, 0.2, what)
}

function findGarbled(texts: readonly string[]): string | undefined {
  const foreign = texts.filter((text) => /[^\x00-\x7f]/.test(text))
  const garbled = foreign.filter((text) => isUtf8InLatin1(text)).length
  const what = 'texts beyond ASCII are UTF-8 in a latin1 column: write charset: utf8-in-latin1'
  return garbled < 2 ? undefined : describeShare(garbled, foreign.length, 0.5, what)
}

/** The bytes of MySQL's latin1, which is windows-1252, by their characters. */
const latin1 = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, at) => at)),
    (character, byte) => [character, byte] as const,
  ),
)

/** Whether the bytes of a text that was read as latin1 are UTF-8 with letters of several bytes. */
function isUtf8InLatin1(text: string): boolean {
  const bytes = Array.from(text, (character) => latin1.get(character) ?? 0xff)
  // No UTF-8 has the byte 0xff.
  return bytes.some((byte) => byte > 0x7f) && !Buffer.from(bytes).toString('utf8').includes('\ufffd')
}
