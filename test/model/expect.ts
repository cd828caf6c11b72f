import type { Entries, Filters, Question } from './draw-questions.js'
import type { Entry, View } from './oracle.js'
import { isLookup, listStatuses, toOptions } from './mapping.js'
import type { Collection, Product } from './product.js'

/** The answer to a crawl. */
export interface ExpectedList {
  readonly status: number
  /** Every record, in order. */
  readonly records: readonly View[]
  /** Whether rows that cannot be shown lie among them: a page can have fewer records then, or be a 500. */
  readonly hasInvalid: boolean
  /** The same, or rows of which a filter by time says nothing, because their time cannot be shown. */
  readonly mayHaveInvalid: boolean
  readonly failsOnInvalid: boolean
  /** Whether a page can end before its limit, because it visits entries of other workspaces. */
  readonly mayEndEarly: boolean
}

/** What the contract says of a question. */
export interface Expectation {
  readonly product: Product
  readonly entries: Entries
}

const scopeOf: Readonly<Record<Collection, string>> = {
  registrations: 'registration.read',
  invoices: 'invoices.read',
}

/** The status that a key has whatever is asked; 200 for one that may ask. */
function expectKey({ product }: Expectation, { key, collection }: Question): number {
  const { state, scopes } = product.keys[key]!
  if (state !== 'valid') return 401
  return scopes.includes(scopeOf[collection]) ? 200 : 403
}

/** The records of a crawl. */
export function expectList(expectation: Expectation, question: Question, filters: Filters): ExpectedList {
  const section = expectation.product.mapping[question.collection]!
  const words = listStatuses(section)
  const refused = expectKey(expectation, question)
  const isUnknown = filters.status !== undefined && words?.includes(filters.status) === false
  const own = listOwn(expectation, question)
  const found = own.filter((entry) => isWanted(entry, filters))
  const { updatedSince: _, ...others } = filters
  const timeless = own.filter((entry) => typeof entry.updatedAt !== 'bigint' && isWanted(entry, others))
  // A stored value that is too long to be shown is one of those that the mapping does not list.
  const { status: __, ...unfiltered } = filters
  const unread = own.filter((entry) => entry.status === undefined && isWanted(entry, unfiltered))
  return {
    status: refused === 200 && isUnknown ? 400 : refused,
    records: found.map(({ view }) => view).filter((view) => view !== undefined),
    hasInvalid: found.some(({ view }) => view === undefined),
    mayHaveInvalid: [...found, ...timeless, ...unread].some(({ view }) => view === undefined),
    failsOnInvalid: section.invalidRows === 'fail',
    mayEndEarly: isLookup(toOptions(section.workspace)),
  }
}

/** The record of an id, or the status without one. */
export function expectRecord(expectation: Expectation, question: Question, id: string): View | number {
  const refused = expectKey(expectation, question)
  if (refused !== 200) return refused
  const found = listOwn(expectation, question).find((entry) => entry.id === id)
  if (found === undefined) return 404
  const { invalidRows } = expectation.product.mapping[question.collection]!
  return found.view ?? (invalidRows === 'fail' ? 500 : 404)
}

function listOwn({ product, entries }: Expectation, { key, collection }: Question): readonly Entry[] {
  const workspace = product.workspaces[product.keys[key]!.workspace]
  return entries[collection]!.filter((entry) => entry.workspace === workspace)
}

function isWanted(entry: Entry, { updatedSince, eventId, status }: Filters): boolean {
  if (updatedSince !== undefined && !isAtOrAfter(entry.lastUpdatedAt, updatedSince)) return false
  if (eventId !== undefined && !entry.events.has(eventId)) return false
  return status === undefined || entry.status === status
}

/** Exact to the nanosecond of the parameter. */
function isAtOrAfter(micros: Entry['updatedAt'], since: string): boolean {
  if (typeof micros !== 'bigint') return false
  const [, head = '', fraction = ''] = /^([^.]+)\.(\d+)/.exec(since) ?? []
  const nanos = BigInt(Date.parse(`${head}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
  return micros * 1000n >= nanos
}
