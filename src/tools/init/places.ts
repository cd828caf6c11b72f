import type { DescribedTable } from '../description.js'
import { listLineSums, listSums, writeAmount } from './amounts.js'
import { countPoints, isSection, pointsMin, rankCandidates } from './candidate.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { listCheckIns, listCheckInTimes } from './check-ins.js'
import { hasColumn, listByType, listCandidates } from './columns.js'
import type { ColumnPlace, Search } from './columns.js'
import { listCurrencies, weighCurrencyWay, writeCurrency } from './currencies.js'
import { listTexts } from './documents.js'
import { isFlag, writeFlag } from './flags.js'
import { listEvents, listInvoiceEvents } from './events.js'
import { listIds } from './ids.js'
import type { RuleName } from './names.js'
import { listNumbers } from './numbers.js'
import { isAttendee, listNamePairs, weighPerson } from './people.js'
import { invoiceTypes, listArchived, listWhere, registrationTypes } from './rows.js'
import { invoiceStatus, listStatuses, registrationStatus } from './status.js'
import { addOrder } from './tenants.js'
import {
  listIssued,
  listMoving,
  listOnlyTime,
  listParentTimes,
  listTimes,
  timeForm,
  toSubstitute,
  toUnchanged,
  weighParentTime,
} from './times.js'

/** What the candidates of a place are found from. */
export interface PlaceInput extends Search {
  readonly table: DescribedTable
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
  /** Whether it is text, which can also stand in a JSON document, or in the first of several places that has one. */
  readonly isText?: boolean
  /** What is no column that the rule finds, such as a constant. @param found what the rule found. */
  readonly others?: (input: PlaceInput, found: Candidates) => Candidates | Promise<Candidates>
}

/** The candidates of a place, the best one first. */
export async function listPlace(place: Place, input: PlaceInput): Promise<Candidates> {
  const rule = hasRule(place) ? place : undefined
  const columns = rule === undefined ? [] : await listCandidates(input, input.table, rule, readType(input))
  const found =
    rule === undefined || place.isText !== true
      ? columns
      : await listTexts(input, input.table, { place: rule, columns })
  const all = rankCandidates([...found, ...((await place.others?.(input, found)) ?? [])])
  const isOpen = place.isOptional === undefined && !all.some((one) => countPoints(one) >= pointsMin)
  return rule !== undefined && isOpen ? [...all, ...(await listByType(input, input.table, rule))] : all
}

function hasRule(place: Place): place is Place & ColumnPlace {
  return place.rule !== undefined
}

/** The type of the rows, as `where` has it. */
function readType({ chosen }: PlaceInput): string {
  const where = chosen.get('where')
  const [test] = Array.isArray(where) ? (where as readonly MappingValue[]) : []
  return isSection(test) && typeof test['equals'] === 'string' ? test['equals'] : ''
}

function toConstant(value: MappingValue, label: string, evidence: Evidence): Candidate {
  return { value, label, evidence: [evidence] }
}

const where = { path: 'where', wanted: 'the rows that belong to the collection', important: true } as const
const archived = { path: 'archived', wanted: 'what makes a record archived', important: true } as const
const workspace: Place = {
  path: 'workspace',
  wanted: 'the tenant that a row belongs to',
  important: true,
  others: ({ table, workspaces }) =>
    hasColumn(table, 'updatedAt') ? workspaces : workspaces.map((one) => addOrder(one)),
}
const id: Place = {
  path: 'fields.id',
  wanted: 'a column that identifies a record',
  others: ({ table }) => listIds(table),
}
/** Whether a candidate is a column of the table that has a day only. */
function isDay({ table }: PlaceInput, { value }: Candidate): boolean {
  return table.columns.some(({ name, kind }) => name === value && kind === 'date')
}

const times: readonly Place[] = [
  {
    path: 'fields.createdAt',
    wanted: 'when the record was created',
    rule: 'createdAt',
    weighWay: weighParentTime,
    ...timeForm,
    others: listIssued,
  },
  {
    path: 'fields.updatedAt',
    wanted: 'when the record last changed',
    rule: 'updatedAt',
    ...timeForm,
    others: async (input, found) => {
      const listOfParents = (rule: RuleName): Promise<Candidates> =>
        listParentTimes(input, input.table, { rule, workspace: input.chosen.get('workspace') })
      return [
        ...listMoving(input.table, found),
        ...(await listOfParents('updatedAt')),
        ...[
          ...(await listTimes(input, 'createdAt')),
          ...(await listIssued(input)),
          ...(await listOfParents('createdAt')),
        ]
          .filter((one) => !isDay(input, one))
          .map(toUnchanged),
      ]
    },
  },
]

/** Check-ins outside of the columns that say it, where the row has none of these. */
async function listOtherCheckIns(input: PlaceInput, found: Candidates): Promise<Candidates> {
  const isKnown = found.length > 0 || (await listTimes(input, 'checkedInAt')).length > 0
  return isKnown ? [] : listCheckIns(input, input.table, input.chosen.get('fields.status'))
}

const checkIn: readonly Place[] = [
  {
    path: 'fields.checkedIn',
    wanted: 'whether the person was checked in',
    rule: 'checkedIn',
    write: async ({ content }, { table }, column) => {
      if (isFlag(column)) return { reading: { column: column.name } }
      const reading = await writeFlag(content, table, column)
      return reading === undefined
        ? { reading: { column: column.name }, evidence: [[-20, 'it holds no yes or no']] }
        : { reading }
    },
    others: async (input, found) => [
      ...(await listTimes(input, 'checkedInAt'))
        .slice(0, 1)
        .map(({ label }) =>
          toConstant({ from: 'checkedInAt' }, `whether ${label} is set`, [5.5, `${label} has the time`]),
        ),
      ...(await listOtherCheckIns(input, found)),
      toConstant({ constant: false }, 'false for every record', [5, 'no column looks like a check-in']),
    ],
  },
  {
    path: 'fields.checkedInAt',
    wanted: 'when the person was checked in',
    rule: 'checkedInAt',
    ...timeForm,
    others: async (input) => {
      const option = input.chosen.get('fields.checkedIn')
      return isSection(option) && 'on' in option ? listCheckInTimes(input, input.table) : []
    },
    isOptional: ({ chosen }) => {
      const option = chosen.get('fields.checkedIn')
      if (!isSection(option)) return true
      return 'constant' in option ? undefined : option['from'] !== 'checkedInAt'
    },
  },
]

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<'registrations' | 'invoices', readonly Place[]>> = {
  registrations: [
    { ...where, others: (input) => listWhere(input, input.table, registrationTypes) },
    workspace,
    { ...archived, others: (input) => listArchived(input, input.table, isAttendee) },
    id,
    {
      path: 'fields.eventId',
      wanted: 'the event that the person registered for',
      others: ({ table, graph }) => listEvents(graph, table),
    },
    {
      path: 'fields.status',
      wanted: 'the state of the registration',
      others: (input) => listStatuses(input, input.table, registrationStatus, readType(input)),
    },
    {
      path: 'fields.name',
      wanted: 'the name of the attendee',
      rule: 'fullName',
      isText: true,
      weighWay: weighPerson,
      others: ({ table, graph }) => listNamePairs(graph, table),
    },
    {
      path: 'fields.email',
      wanted: 'the e-mail address of the attendee',
      rule: 'email',
      isText: true,
      weighWay: weighPerson,
    },
    ...checkIn,
    ...times,
  ],
  invoices: [
    { ...where, others: (input) => listWhere(input, input.table, invoiceTypes) },
    workspace,
    { ...archived, others: (input) => listArchived(input, input.table) },
    {
      path: 'eventId',
      wanted: 'the event of an invoice',
      others: ({ table, graph }) => listInvoiceEvents(graph, table),
    },
    id,
    {
      path: 'fields.number',
      wanted: 'the number that is printed on the invoice',
      rule: 'number',
      // Of a key-value table, and of no other.
      weighWay: () => undefined,
      isText: true,
      others: (input) => listNumbers(input, input.table),
    },
    {
      path: 'fields.status',
      wanted: 'the state of the invoice',
      others: (input) => listStatuses(input, input.table, invoiceStatus, readType(input)),
    },
    {
      path: 'fields.total',
      wanted: 'the grand total',
      rule: 'total',
      write: (_search, _way, column) => writeAmount(column),
      others: ({ graph, table }) => [...listSums(table), ...listLineSums(graph, table)],
    },
    {
      path: 'fields.currency',
      wanted: 'the currency: a column with an ISO 4217 code, or { constant: SAR } for all',
      rule: 'currency',
      weighWay: weighCurrencyWay,
      write: writeCurrency,
      others: (input) => listCurrencies(input, input.table),
    },
    {
      path: 'fields.issueDate',
      wanted: 'the day of issue',
      rule: 'issueDate',
      ...timeForm,
      others: async (input) =>
        [...(await listTimes(input, 'createdAt')), ...listOnlyTime(input)].map((created) => ({
          ...created,
          evidence: toSubstitute(created, 3, 'no column looks like the day of issue'),
          verify: 'is an invoice issued on the day on which it is created?',
        })),
    },
    {
      path: 'fields.dueDate',
      wanted: 'the day by which it is to be paid',
      rule: 'dueDate',
      ...timeForm,
      others: () => [toConstant(null, 'invoices have no due date', [5, 'no column looks like a due date'])],
    },
    ...times,
  ],
}
