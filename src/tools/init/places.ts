import { weighNoun } from '../facts/names.js'
import { toNoun } from '../facts/words.js'
import { candidate, findByRule, rank } from './candidate.js'
import type { WeighWay, Write } from './candidate.js'
import {
  listArchived,
  listChanges,
  listCheckedIn,
  listCurrencies,
  listEvents,
  listIds,
  listNamePairs,
  listSigns,
  listStatusWords,
  listSums,
  listWhere,
  weighPerson,
} from './lists.js'
import type { List } from './lists.js'
import { writeAmount, writeColumn, writeCurrency, writeFlag, writeStatus, writeTime } from './written.js'

/** A place of a section: what is wanted there, what it adds to the fit of a table, and what it can be. */
export interface Place {
  readonly path: string
  readonly wanted: string
  readonly weight: number
  /** The best one first. */
  readonly list: List
}

/** A place whose column a rule recognizes by name and type, in the row or on ways that have points, or others. */
const place = (path: string, wanted: string, weight: number, ...lists: readonly List[]): Place => ({
  path,
  wanted,
  weight,
  list: (input) => rank(lists.flatMap((list) => list(input))),
})
const by =
  (rule: string, write: Write = writeColumn, weighWay?: WeighWay): List =>
  (input) =>
    findByRule(input, rule, write, weighWay)
const either =
  (...args: Parameters<typeof candidate>): List =>
  () => [candidate(...args)]

const near =
  (points: number, ...nouns: readonly string[]): WeighWay =>
  ({ steps, table }) =>
    steps.length === 1 && nouns.some((noun) => weighNoun(noun, toNoun(table.name)) > 0) ? points : undefined

/** Other candidates, for a place without one of its own. */
const instead =
  (list: List, points: number, ask: string): List =>
  (input) =>
    list(input).map((one) => ({ ...one, points: points + one.points / 20, why: 'no other column', ask }))

const status = by('status', writeStatus, near(-4, 'order'))
const start = (pattern: string): readonly Place[] => [
  place('where', 'the rows that belong here', 0, listWhere(pattern)),
  place('archived', 'what makes a record archived', 0, listArchived),
  place('fields.id', 'a column that identifies a record', 0.1, listIds),
]
const times: readonly Place[] = [
  place(
    'fields.createdAt',
    'when it was created',
    0.1,
    by('createdAt', writeTime),
    instead(by('issueDate', writeTime), 3, 'is it the creation?'),
  ),
  place('fields.updatedAt', 'when it last changed', 0.2, by('updatedAt', writeTime), listChanges),
]

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<'registrations' | 'invoices', readonly Place[]>> = {
  registrations: [
    ...start('registrationType'),
    place('fields.eventId', 'the event', 0.9, listEvents),
    place('fields.status', 'the state of the registration', 0.15, status, listStatusWords, listSigns),
    place(
      'fields.name',
      'the name of the attendee',
      0.35,
      by('fullName', writeColumn, weighPerson),
      listNamePairs,
    ),
    place('fields.email', 'the e-mail address of the attendee', 0.4, by('email', writeColumn, weighPerson)),
    place(
      'fields.checkedIn',
      'whether the person was checked in',
      0.3,
      by('checkedIn', writeFlag),
      listCheckedIn,
      either({ constant: false }, 'never', 1, 'no column', 'is no person ever checked in?'),
    ),
    place('fields.checkedInAt', 'when the person was checked in', 0.2, by('checkedInAt', writeTime)),
    ...times,
  ],
  invoices: [
    ...start('invoiceType'),
    place(
      'eventId',
      'the event of an invoice',
      0,
      listEvents,
      either(null, 'invoices have no event', 3.5, 'no column'),
    ),
    place(
      'fields.number',
      'the printed number',
      0.3,
      by('number'),
      instead(listIds, 3, 'is the id printed on the invoice?'),
    ),
    place('fields.status', 'the state of the invoice', 0.1, status, listStatusWords, listSigns),
    place('fields.total', 'the grand total', 0.9, by('total', writeAmount), listSums),
    place(
      'fields.currency',
      'the currency',
      0.2,
      by('currency', writeCurrency, near(-3, 'tenant', 'event', 'person')),
      listCurrencies,
      either({ constant: 'EUR' }, 'one currency', 1, 'no column', 'which one currency does the product use?'),
    ),
    place(
      'fields.issueDate',
      'the day of issue',
      0.2,
      by('issueDate', writeTime),
      instead(by('createdAt', writeTime), 3, 'is an invoice issued when it is created?'),
    ),
    place(
      'fields.dueDate',
      'the day by which it is to be paid',
      0.2,
      by('dueDate', writeTime),
      either(null, 'invoices have no due date', 5, 'no column'),
    ),
    ...times,
  ],
}
