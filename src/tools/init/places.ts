import { anywhere, byRole, near, rank } from './candidate.js'
import type { Candidate, List, MappingValue, Write } from './candidate.js'
import { listArchived, listChanges, listIds, listWhere, weighPerson } from './lists.js'
import { writeAmount, writeColumn, writeCurrency, writeFlag, writeFullName } from './written.js'
import { writeStatus, writeTenant, writeTime } from './written.js'

/** The collections that a mapping can have. */
export type Collection = 'registrations' | 'invoices'

/** A place of a section: what is wanted there, and what it adds to the fit of a table. */
export interface Place {
  readonly path: string
  readonly wanted: string
  readonly weight: number
  /** The best one first. */
  readonly list: (...input: Parameters<List>) => readonly Candidate[]
}

const place = (path: string, wanted: string, weight: number, ...lists: readonly List[]): Place => ({
  path,
  wanted,
  weight,
  list: (input) => rank(lists.flatMap((list) => list(input))),
})

/** The reason of what is written where the tables have no column. */
export const noColumn = 'no column'
const none =
  (value: MappingValue, points: number, ask?: string): List =>
  () => [{ value, points, why: noColumn, ask }]

const checkedInAt = byRole('checkedInAt', writeTime)
const checkedInByTime: List = (input) =>
  checkedInAt(input).map(({ why }) => ({ value: { from: 'checkedInAt' }, points: 7.5, why }))
const neverCheckedIn = none({ constant: false }, 1, 'is no person ever checked in?')
const events = byRole('event', writeColumn, anywhere)
const people = (role: string, write: Write): List => byRole(role, write, weighPerson)
const currency = byRole('currency', writeCurrency, near(-3, 'tenant', 'event', 'person'))

const start = (type: string): readonly Place[] => [
  place(
    'workspace',
    'the tenant',
    0,
    byRole('tenant', writeTenant, anywhere),
    none({ constant: '1' }, 0.5, 'or is this the database of one tenant?'),
  ),
  place('where', 'the rows that belong here', 0, listWhere(type)),
  place('archived', 'what makes a record archived', 0, listArchived),
  place('fields.id', 'what identifies a record', 0, listIds),
]
const status = place('fields.status', 'the state', 1, byRole('status', writeStatus))
const times: readonly Place[] = [
  place('fields.createdAt', 'when it was created', 1, byRole('createdAt', writeTime)),
  place('fields.updatedAt', 'when it last changed', 1, listChanges),
]

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<Collection, readonly Place[]>> = {
  registrations: [
    ...start('registrationType'),
    place('fields.eventId', 'the event', 5, events),
    status,
    place('fields.name', 'the name', 3, people('fullName', writeColumn), people('lastName', writeFullName)),
    place('fields.email', 'the e-mail address', 3, people('email', writeColumn)),
    place(
      'fields.checkedIn',
      'checked in',
      2,
      byRole('checkedIn', writeFlag),
      checkedInByTime,
      neverCheckedIn,
    ),
    place('fields.checkedInAt', 'when checked in', 0, checkedInAt),
    ...times,
  ],
  invoices: [
    ...start('invoiceType'),
    place('eventId', 'the event', 0, events, none(null, 3.5)),
    place('fields.number', 'the printed number', 2, byRole('number', writeColumn)),
    status,
    place('fields.total', 'the grand total', 6, byRole('total', writeAmount)),
    place(
      'fields.currency',
      'the currency',
      1,
      currency,
      none({ constant: 'EUR' }, 1, 'which one currency?'),
    ),
    place('fields.issueDate', 'the day of issue', 2, byRole('issueDate', writeTime)),
    place('fields.dueDate', 'the day by which to pay', 2, byRole('dueDate', writeTime), none(null, 5)),
    ...times,
  ],
}
