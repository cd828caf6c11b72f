import { byRole, rank } from './candidate.js'
import type { Candidate, List, MappingValue } from './candidate.js'
import {
  listArchived,
  listChanges,
  listEvents,
  listIds,
  listNamePairs,
  listSigns,
  listStatusWords,
  listTenants,
  listWhere,
  near,
  weighPerson,
} from './lists.js'
import { writeAmount, writeCurrency, writeFlag, writeStatus, writeTime } from './written.js'

/** A place of a section, and what is wanted there. */
export interface Place {
  readonly path: string
  readonly wanted: string
  /** The best one first. */
  readonly list: (...input: Parameters<List>) => readonly Candidate[]
}

const place = (path: string, wanted: string, ...lists: readonly List[]): Place => ({
  path,
  wanted,
  list: (input) => rank(lists.flatMap((list) => list(input))),
})

/** What is written where the tables have no column. */
const none =
  (value: MappingValue, points: number, ask?: string): List =>
  () => [{ value, points, why: 'no column', ask }]

const checkedInAt = byRole('checkedInAt', writeTime)
const checkedInByTime: List = (input) =>
  checkedInAt(input).map((one) => ({ value: { from: 'checkedInAt' }, points: 7.5, why: one.why }))

const start = (type: string): readonly Place[] => [
  place('workspace', 'the tenant of a row', listTenants),
  place('where', 'the rows that belong here', listWhere(type)),
  place('archived', 'what makes a record archived', listArchived),
  place('fields.id', 'a column that identifies a record', listIds),
]
const status = [byRole('status', writeStatus, near(-4, 'order')), listStatusWords, listSigns]
const times: readonly Place[] = [
  place('fields.createdAt', 'when it was created', byRole('createdAt', writeTime)),
  place('fields.updatedAt', 'when it last changed', listChanges),
]

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<'registrations' | 'invoices', readonly Place[]>> = {
  registrations: [
    ...start('registrationType'),
    place('fields.eventId', 'the event', listEvents),
    place('fields.status', 'the state of the registration', ...status),
    place(
      'fields.name',
      'the name of the attendee',
      byRole('fullName', undefined, weighPerson),
      listNamePairs,
    ),
    place('fields.email', 'the e-mail address of the attendee', byRole('email', undefined, weighPerson)),
    place(
      'fields.checkedIn',
      'whether the person was checked in',
      byRole('checkedIn', writeFlag),
      checkedInByTime,
      none({ constant: false }, 1, 'is no person ever checked in?'),
    ),
    place('fields.checkedInAt', 'when the person was checked in', checkedInAt),
    ...times,
  ],
  invoices: [
    ...start('invoiceType'),
    place('eventId', 'the event of an invoice', listEvents, none(null, 3.5)),
    place('fields.number', 'the printed number', byRole('number')),
    place('fields.status', 'the state of the invoice', ...status),
    place('fields.total', 'the grand total', byRole('total', writeAmount)),
    place(
      'fields.currency',
      'the currency',
      byRole('currency', writeCurrency, near(-3, 'tenant', 'event', 'person')),
      byRole('currencyCode', writeCurrency, near(-1, 'currency')),
      none({ constant: 'EUR' }, 1, 'which one currency does the product use?'),
    ),
    place('fields.issueDate', 'the day of issue', byRole('issueDate', writeTime)),
    place('fields.dueDate', 'the day by which it is to be paid', byRole('dueDate', writeTime), none(null, 5)),
    ...times,
  ],
}
