import { findMinorDigits } from '../../values/money.js'
import type { Instant } from '../../values/instant.js'
import type { MoneyColumn } from '../../collections/money-fields.js'
import { createError, createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'
import { matches } from '../facts/names.js'
import { countTexts } from '../facts/values.js'
import { hiddenMax } from './counts.js'
import { toSeenName } from './sample.js'
import type { Sample } from './sample.js'

/* What the records of a sample say against the mapping. No table is read: each rule is about the values that are shown. */

/** What rules know. */
export interface Evidence {
  readonly sample: Sample
  /** Those of the field that are neither null nor empty; none for another place. */
  readonly values: readonly string[]
  /** The clock of the database. */
  readonly now: Instant
  /** Of the mapping. */
  readonly timezone: string
}

/** The problem in words; undefined where there is none. */
type Find = (evidence: Evidence) => string | undefined

/** A rule about a place of a collection, or of the whole mapping where the place begins with a slash. */
export type Rule = readonly [place: string, isError: boolean, find: Find, fix: string]

/** Fewer records prove nothing. */
const recordsMin = 20

/** Everything that the records of a sample contradict. */
export function listContradictions(
  { sample, ...about }: Omit<Evidence, 'values'>,
  timeRules: readonly Rule[],
): readonly Finding[] {
  const { name, fields } = sample.collection
  const { shown } = sample
  const rules = [...(shown.length < recordsMin ? [] : valueRules), ...timeRules]
  return rules.flatMap(([place, isError, find, fix]) => {
    const [option, field = ''] = place.split('.')
    if (option === 'fields' && !(field in fields)) return []
    const values = shown.flatMap(({ record: { [field]: value = null } }) =>
      value === null || value === '' ? [] : [String(value)],
    )
    const problem = find({ sample, values, ...about })
    const object = place.startsWith('/') ? place.slice(1) : `${name}.${place}`
    return problem === undefined ? [] : [(isError ? createError : createWarning)(object, problem, fix)]
  })
}

/** Why rows cannot be shown, the most frequent reason first. A code that the mapping does not list is counted elsewhere. */
export function listInvalid({ shown, faults, collection }: Sample): readonly Finding[] {
  const [first, ...others] = countTexts(faults.map(({ message }) => message))
  const size = shown.length + faults.length
  const isError = faults.length > size * hiddenMax || collection.invalidRows === 'fail'
  if (first === undefined || (!isError && faults.every(({ code }) => code !== undefined))) return []
  const also = others.map(({ code, rows }) => `; ${code} (${rows})`).join('')
  const problem = `${faults.length} of ${size} rows of the sample cannot be shown; most: ${first.code} (${first.rows})${also}`
  const fix =
    'correct the mapping where it does not say what these rows mean, or the rows; a NULL is a case of status.when: { column, is: unset, then: … }'
  return [(isError ? createError : createWarning)(collection.name, problem, fix)]
}

/** A part of the records, in words; undefined where it is no more than a share of them. */
function describeShare(count: number, size: number, share: number, what: string): string | undefined {
  return count > size * share ? `${count} of ${size} ${what}` : undefined
}

/** More than a share of the values match, of all that are of some form. */
function over(share: number, form: RegExp, what: string, among = /^/): Find {
  return ({ values: all }) => {
    const values = all.filter((value) => among.test(value))
    return describeShare(values.filter((value) => form.test(value)).length, values.length, share, what)
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Without a valid version, which it has where the swap of UUID_TO_BIN is undone too often, or not at all. */
const swapped = /^(?!.{14}[1-8].{4}[89ab])(?:[1-8].{18}[89ab]|.{4}[1-8].{14}[89ab])/

const findSwapped = over(0.5, swapped, 'UUIDs have no valid version: their bytes are in another order', uuid)

/** Bytes of UTF-8 that were read as latin1, which is windows-1252: one that begins a letter, and one that continues it. */
const garbled = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/

const findGarbled = over(0.5, garbled, 'texts are UTF-8 in a latin1 column', /[^\x00-\x7f]/)

const fixes = {
  name: 'map the name of the attendee; not of the event, the ticket or the organizer, and no secret',
  email: 'map the address of the attendee; not of the organizer or the buyer',
  event: 'map the event; not the record, an order or a person',
  uuid: 'write as: uuid-swapped where as: uuid stands, or the other way round',
  charset: 'write charset: utf8-in-latin1 beside the column',
  checkedIn: 'ask what the column means before the event',
  number: 'map the printed number; not one of the order, the customer or a series',
  total: 'compare an invoice with the product: the grand total; unit: minor or scale: 2 for hundredths',
  dueDate: 'map the day by which the invoice is to be paid, and the day that is printed on it',
  status: 'ask which column has the state of a record, and what its values are',
  tenant: 'map the tenant, which owns the event and holds the key; not the customer, the author or a person',
} as const

const valueRules: readonly Rule[] = [
  ['fields.id', true, findSwapped, fixes.uuid],
  ['fields.eventId', true, findSwapped, fixes.uuid],
  ['fields.eventId', false, findOwnEvents, fixes.event],
  ['fields.name', true, over(0.5, /@/, 'names are e-mail addresses'), fixes.name],
  ['fields.name', true, over(0.5, /^(?=.*\d)[\w-]{16,}$/, 'names look like a key or token'), fixes.name],
  ['fields.name', true, over(0.5, /^[\d\s+()/.-]+$/, 'names have no letter'), fixes.name],
  ['fields.name', false, findFewDifferent, fixes.name],
  ['fields.name', true, findGarbled, fixes.charset],
  ['fields.email', true, over(0.1, /^[^@]*$/, 'e-mail addresses have no @'), fixes.email],
  ['fields.email', false, findFewDifferent, fixes.email],
  ['fields.email', true, findGarbled, fixes.charset],
  ['fields.checkedIn', false, over(0.99, /true/, 'records are checked in'), fixes.checkedIn],
  ['fields.number', false, findRepeated, fixes.number],
  ['fields.number', true, findGarbled, fixes.charset],
  ['fields.total', false, over(0.2, /^-?[0.]+$/, 'totals are 0'), fixes.total],
  ['fields.total', false, findHundredths, fixes.total],
  ['fields.total', false, findMinorUnits, fixes.total],
  ['fields.dueDate', false, findLate, fixes.dueDate],
  ['fields.status', false, findOneStatus, fixes.status],
  ['where', false, findTypes, 'ask which types belong to the collection, and test them in where'],
  ['workspace', true, findSharedEvents, fixes.tenant],
  ['workspace', false, findManyWorkspaces, fixes.tenant],
]

/** A field that has hardly different values. */
function findFewDifferent({ values }: Evidence): string | undefined {
  const { size } = new Set(values)
  const isMany = values.length < recordsMin || size > Math.max(2, values.length * 0.05)
  return isMany ? undefined : `has only ${size} different values in ${values.length} records`
}

function findOwnEvents({ values: events, sample: { shown } }: Evidence): string | undefined {
  const { size } = new Set(events)
  return size > shown.length / 2 ? `${size} events for ${shown.length} records` : undefined
}

function findRepeated({ sample: { shown } }: Evidence): string | undefined {
  const numbers = shown.map(({ workspace, record }) => JSON.stringify([workspace, record['number']]))
  const what = 'invoices have the number of another one of their workspace'
  return describeShare(shown.length - new Set(numbers).size, shown.length, 0.02, what)
}

/** The columns of a total, of one form; none where they have several. */
function listParts({ sample: { collection } }: Evidence, form: MoneyColumn['form']): readonly MoneyColumn[] {
  const { parts = [] } = collection.fields['total'] as { readonly parts?: readonly MoneyColumn[] }
  return parts.every((part) => part.form === form) ? parts : []
}

/** An integer column whose numbers are shown as they are, in a currency that has hundredths. */
function findHundredths(evidence: Evidence): string | undefined {
  const [part, ...others] = listParts(evidence, 'major')
  if (part?.column.kind !== 'integer' || others.length > 0) return undefined
  const totals = evidence.sample.shown.flatMap(({ record: { currency, total } }) =>
    (findMinorDigits(String(currency)) ?? 0) > 0 ? [Number(total)] : [],
  )
  if (totals.length < recordsMin) return undefined
  return `${part.column.name} is an integer and shown without a fraction: ${Math.min(...totals)} … ${Math.max(...totals)}`
}

/** `unit: minor` means the minor unit of ISO 4217 (JPY 0, KWD 3 digits); some products store hundredths of every currency. */
function findMinorUnits(evidence: Evidence): string | undefined {
  const totals = evidence.sample.shown.flatMap(({ record: { currency, total } }) =>
    (findMinorDigits(String(currency)) ?? 2) === 2 || Number(total) === 0 ? [] : [String(total)],
  )
  const isMinor = listParts(evidence, 'minor').length > 0
  const [what, form] = isMinor ? ['end in 00, as hundredths would', /00$/] : ['have hundredths', /\.\d\d$/]
  const { size } = new Set(totals)
  const isFound = size >= 3 && totals.filter((total) => form.test(total)).length >= totals.length * 0.9
  return isFound ? `${size} different totals of currencies without hundredths ${what}` : undefined
}

function findLate({ sample: { shown } }: Evidence): string | undefined {
  const days = shown.map(({ record }) => [record['issueDate'], record['dueDate'] ?? '9'].map(String))
  const late = days.filter(([issue = '', due = '']) => due.slice(0, 10) < issue.slice(0, 10)).length
  return describeShare(late, shown.length, 0.1, 'invoices are due before they are issued')
}

function findOneStatus({ values: statuses, sample }: Evidence): string | undefined {
  if (new Set(statuses).size === 1) return `all ${statuses.length} records are ${statuses[0] ?? ''}`
  const { status } = sample.collection.table
  if ('cases' in status || status.otherwise === undefined) return undefined
  const others = statuses.filter((word) => word === status.otherwise).length
  const what = `records are ${status.otherwise}, the word for values that are not listed`
  return describeShare(others, statuses.length, 0.5, what)
}

/** A column of types that nothing reads: some rows are of the type of the collection, and some are not. */
function findTypes({ sample: { seen, collection, shown } }: Evidence): string | undefined {
  const pattern = collection.name === 'invoices' ? 'invoiceType' : 'registrationType'
  const found = seen.flatMap((column) => {
    const cells = column.kind === 'text' ? shown.map(({ row }) => row[toSeenName(column)]) : []
    const counts = countTexts(cells.filter((cell) => typeof cell === 'string'))
    const isMixed = new Set(counts.map(({ code }) => matches(pattern, code))).size === 2
    const list = counts.map(({ code, rows }) => `${code} (${rows})`).join(', ')
    return isMixed && counts.length <= 12 ? [`shows rows of every ${column.name}: ${list}`] : []
  })
  return found[0]
}

function findSharedEvents({ sample: { shown } }: Evidence): string | undefined {
  const owners = new Map<string, string[]>()
  for (const { event = '', workspace } of shown) owners.set(event, [...(owners.get(event) ?? []), workspace])
  const several = [...owners].filter(([event, { length }]) => event !== '' && length > 1)
  const shared = several.filter(([, list]) => new Set(list).size > 1).length
  const what = 'events with several records have records in several workspaces'
  return describeShare(shared, several.length, 0.2, what)
}

function findManyWorkspaces({ sample: { shown } }: Evidence): string | undefined {
  const { size } = new Set(shown.map(({ workspace }) => workspace))
  return size <= shown.length / 2 ? undefined : `${size} workspaces for ${shown.length} records`
}
