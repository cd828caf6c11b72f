import type { DescribedTable, Description } from '../database/description.js'
import { listSums, totalRule, writeAmount } from './amounts.js'
import { countPoints, isSection, rankCandidates } from './candidate.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { listByType, listCandidates } from './column-rule.js'
import type { ColumnPlace, Search } from './column-rule.js'
import { listCurrencyTables, weighCurrencyWay } from './currencies.js'
import { listEvents, listInvoiceEvents } from './events.js'
import { idRule, listIds } from './ids.js'
import { isAttendee, listMarkedAddresses, listNamePairs, weighPerson } from './people.js'
import { rules } from './rules.js'
import { invoiceStatus, listStatuses, registrationStatus } from './status.js'
import { listMoving, toSubstitute, toUnchanged, writeTime } from './times.js'
import { listWays } from './ways.js'
import { invoiceTypes, listArchived, listWhere, registrationTypes } from './visibility.js'

/** What the candidates of a place are found from. */
export interface PlaceInput extends Search {
  readonly table: DescribedTable
  readonly description: Description
  /** Candidates for the tenant. */
  readonly workspaces: readonly Candidate[]
  /** What was chosen at the places before, by their paths in the section. */
  readonly chosen: ReadonlyMap<string, MappingValue | undefined>
}

type Candidates = readonly Candidate[]

/** A place of a section of the mapping file: how its column is found and written, and what else it can be. */
export interface Place extends Partial<ColumnPlace> {
  /** Below the section, such as `fields.email`. */
  readonly path: string
  readonly wanted: string
  /** Whether a person is asked even if one candidate is clearly the best. */
  readonly important?: boolean
  /** Whether the place may be left out where nothing fits; undefined for a place that another choice removes. */
  readonly isOptional?: (input: PlaceInput) => boolean | undefined
  /** What is no column that the rule finds, such as a constant. @param found what the rule found. */
  readonly others?: (input: PlaceInput, found: Candidates) => Candidates | Promise<Candidates>
}

/** The candidates of a place, the best one first. */
export async function listPlace(place: Place, input: PlaceInput): Promise<Candidates> {
  const rule = hasColumn(place) ? place : undefined
  const found = rule === undefined ? [] : listCandidates(input, input.table, rule)
  const all = rankCandidates([...found, ...((await place.others?.(input, found)) ?? [])])
  const isOpen = place.isOptional === undefined && !all.some((one) => countPoints(one) >= 1)
  return rule !== undefined && isOpen ? rankCandidates([...listByType(input.table, rule), ...all]) : all
}

function hasColumn(place: Place): place is Place & ColumnPlace {
  return place.column !== undefined
}

function toTime(column: ColumnPlace['column']): ColumnPlace {
  return { column, write: writeTime }
}

function listCreated(input: PlaceInput): Candidates {
  return listCandidates(input, input.table, toTime(rules.createdAt))
}

function toConstant(value: MappingValue, label: string, evidence: Evidence): Candidate {
  return { value, label, evidence: [evidence] }
}

const where = { path: 'where', wanted: 'the rows that belong to the collection', important: true } as const
const workspace: Place = {
  path: 'workspace',
  wanted: 'the tenant that a row belongs to',
  important: true,
  others: ({ workspaces }) => workspaces,
}
const archived = { path: 'archived', wanted: 'what makes a record archived', important: true } as const
const id: Place = {
  path: 'fields.id',
  wanted: 'a column that identifies a record',
  others: ({ table }) => listIds(table),
}
const times: readonly Place[] = [
  { path: 'fields.createdAt', wanted: 'when the record was created', ...toTime(rules.createdAt) },
  {
    path: 'fields.updatedAt',
    wanted: 'when the record last changed',
    ...toTime(rules.updatedAt),
    others: (input, found) => [...listMoving(input.table, found), ...listCreated(input).map(toUnchanged)],
  },
]

const checkIn: readonly Place[] = [
  {
    path: 'fields.checkedIn',
    wanted: 'whether the person was checked in',
    column: rules.checkedIn,
    others: (input) => [
      ...listCandidates(input, input.table, toTime(rules.checkedInAt))
        .slice(0, 1)
        .map(({ label }) =>
          toConstant({ from: 'checkedInAt' }, `whether ${label} is set`, [5.5, `${label} has the time`]),
        ),
      toConstant({ constant: false }, 'false for every record', [5, 'no column looks like a check-in']),
    ],
  },
  {
    path: 'fields.checkedInAt',
    wanted: 'when the person was checked in',
    ...toTime(rules.checkedInAt),
    isOptional: ({ chosen }) => {
      const option = chosen.get('fields.checkedIn')
      if (!isSection(option)) return true
      return 'constant' in option ? undefined : !('from' in option)
    },
  },
]

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<'registrations' | 'invoices', readonly Place[]>> = {
  registrations: [
    { ...where, others: (input) => listWhere(input, input.table, registrationTypes) },
    workspace,
    {
      ...archived,
      others: ({ table, listParents }) =>
        listArchived(
          table,
          listWays(table, listParents).filter((way) => way.steps.length === 1 && isAttendee(way)),
        ),
    },
    id,
    {
      path: 'fields.eventId',
      wanted: 'the event that the person registered for',
      column: idRule,
      others: ({ table, listParents }) => listEvents(listParents, table),
    },
    {
      path: 'fields.status',
      wanted: 'the state of the registration',
      others: (input) => listStatuses(input, input.table, registrationStatus),
    },
    {
      path: 'fields.name',
      wanted: 'the name of the attendee',
      column: rules.fullName,
      weighWay: weighPerson,
      others: (input) => listNamePairs(input, input.table),
    },
    {
      path: 'fields.email',
      wanted: 'the e-mail address of the attendee',
      column: rules.email,
      weighWay: weighPerson,
      others: (input) => listMarkedAddresses(input, input.table, input.description),
    },
    ...checkIn,
    ...times,
  ],
  invoices: [
    { ...where, others: (input) => listWhere(input, input.table, invoiceTypes) },
    workspace,
    { ...archived, others: ({ table }) => listArchived(table) },
    {
      path: 'eventId',
      wanted: 'the event of an invoice',
      others: ({ table, listParents, description }) => listInvoiceEvents(listParents, table, description),
    },
    id,
    {
      path: 'fields.number',
      wanted: 'the number that is printed on the invoice',
      column: rules.number,
    },
    {
      path: 'fields.status',
      wanted: 'the state of the invoice',
      others: (input) => listStatuses(input, input.table, invoiceStatus),
    },
    {
      path: 'fields.total',
      wanted: 'the grand total',
      column: totalRule,
      write: writeAmount,
      others: ({ table }) => listSums(table),
    },
    {
      path: 'fields.currency',
      wanted: 'the currency: a column with an ISO 4217 code, or { constant: SAR } for all',
      column: rules.currency,
      weighWay: weighCurrencyWay,
      others: (input) => [
        ...listCurrencyTables(input, input.table),
        toConstant(
          { constant: 'EUR' },
          '{ constant: EUR }, with the code of the one currency that the product uses',
          [0, 'no row says which'],
        ),
      ],
    },
    {
      path: 'fields.issueDate',
      wanted: 'the day of issue',
      ...toTime(rules.issueDate),
      others: (input) =>
        listCreated(input).map((created) => ({
          ...created,
          evidence: toSubstitute(created, 3, 'no column looks like the day of issue'),
          verify: 'is an invoice issued on the day on which it is created?',
        })),
    },
    {
      path: 'fields.dueDate',
      wanted: 'the day by which it is to be paid',
      ...toTime(rules.dueDate),
      others: () => [toConstant(null, 'invoices have no due date', [5, 'no column looks like a due date'])],
    },
    ...times,
  ],
}
