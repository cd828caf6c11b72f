import { listTotals } from './amounts.js'
import { countPoints, pointsMin, rankCandidates } from './candidate.js'
import type { Candidate, Evidence, MappingValue } from './candidate.js'
import { describeColumn, listCandidates, toCandidate } from './column-rule.js'
import type { Search } from './column-rule.js'
import { listCurrencies } from './currencies.js'
import { isUnique } from './description.js'
import type { DescribedTable, Description } from './description.js'
import { listEvents, listInvoiceEvents, verifyUuid } from './events.js'
import { listEmails, listNames } from './people.js'
import { rules } from './rules.js'
import { invoiceStatus, listStatuses, registrationStatus } from './status.js'
import { listTimes, listUpdated } from './times.js'
import { invoiceTypes, listArchived, listWhere, registrationTypes } from './visibility.js'
import { toOwnWay } from './ways.js'

/** What the candidates of a place are found from. */
export interface PlaceInput extends Search {
  readonly table: DescribedTable
  readonly description: Description
  /** Candidates for the tenant. */
  readonly workspaces: readonly Candidate[]
  /** What was chosen at the places before, by their paths in the section. */
  readonly chosen: ReadonlyMap<string, MappingValue | undefined>
}

/** A place of a section of the mapping file. */
export interface Place {
  /** Below the section, such as `fields.email`. */
  readonly path: string
  readonly wanted: string
  /** Whether the place may be left out where nothing fits; undefined for a place that another choice removes. */
  readonly isOptional?: (input: PlaceInput) => boolean | undefined
  /** Whether a person is asked even if one candidate is clearly the best. */
  readonly important?: boolean
  readonly list: (input: PlaceInput) => readonly Candidate[] | Promise<readonly Candidate[]>
}

const workspace: Place = {
  path: 'workspace',
  wanted: 'the tenant that a row belongs to',
  important: true,
  list: ({ workspaces }) => workspaces,
}
const archived: Place = {
  path: 'archived',
  wanted: 'what makes a record archived',
  important: true,
  list: ({ table }) => listArchived(table),
}
const id: Place = { path: 'fields.id', wanted: 'a column that identifies a record', list: listIds }
const createdAt: Place = {
  path: 'fields.createdAt',
  wanted: 'when the record was created',
  list: (input) => listTimes(input, input.table, rules.createdAt),
}
const updatedAt: Place = {
  path: 'fields.updatedAt',
  wanted: 'when the record last changed',
  list: (input) => listUpdated(input, input.table),
}

/** The places of each collection, in the order of the file. */
export const places: Readonly<Record<'registrations' | 'invoices', readonly Place[]>> = {
  registrations: [
    {
      path: 'where',
      wanted: 'the rows that belong to the collection',
      important: true,
      list: (input) => listWhere(input, input.table, registrationTypes),
    },
    workspace,
    archived,
    id,
    {
      path: 'fields.eventId',
      wanted: 'the event that the person registered for',
      list: (input) => listEvents(input, input.table),
    },
    {
      path: 'fields.status',
      wanted: 'the state of the registration',
      list: (input) => listStatuses(input, input.table, registrationStatus),
    },
    {
      path: 'fields.name',
      wanted: 'the name of the attendee',
      list: (input) => listNames(input, input.table),
    },
    {
      path: 'fields.email',
      wanted: 'the e-mail address of the attendee',
      list: (input) => listEmails(input, input.table),
    },
    { path: 'fields.checkedIn', wanted: 'whether the person was checked in', list: listCheckedIn },
    {
      path: 'fields.checkedInAt',
      wanted: 'when the person was checked in',
      isOptional: ({ chosen }) => {
        const option = chosen.get('fields.checkedIn')
        if (typeof option !== 'object' || option === null) return true
        return 'constant' in option ? undefined : !('from' in option)
      },
      list: listCheckedInAt,
    },
    createdAt,
    updatedAt,
  ],
  invoices: [
    {
      path: 'where',
      wanted: 'the rows that belong to the collection',
      important: true,
      list: (input) => listWhere(input, input.table, invoiceTypes),
    },
    workspace,
    archived,
    {
      path: 'eventId',
      wanted: 'the event of an invoice',
      list: (input) => listInvoiceEvents(input, input.table, input.description),
    },
    id,
    { path: 'fields.number', wanted: 'the number that is printed on the invoice', list: listNumbers },
    {
      path: 'fields.status',
      wanted: 'the state of the invoice',
      list: (input) => listStatuses(input, input.table, invoiceStatus),
    },
    { path: 'fields.total', wanted: 'the grand total', list: (input) => listTotals(input, input.table) },
    {
      path: 'fields.currency',
      wanted: 'the currency: a column with an ISO 4217 code, or { constant: SAR } for all',
      list: (input) => listCurrencies(input, input.table),
    },
    { path: 'fields.issueDate', wanted: 'the day of issue', list: listIssueDates },
    { path: 'fields.dueDate', wanted: 'the day by which it is to be paid', list: listDueDates },
    createdAt,
    updatedAt,
  ],
}

/** The primary key of one column, or another unique column; where there is none, whatever could be one. */
function listIds({ table }: PlaceInput): readonly Candidate[] {
  const found = table.columns
    .filter(
      ({ kind, nullable }) => ['integer', 'text', 'binary'].includes(kind) && (!nullable || table.isView),
    )
    .map((column) => {
      const written = { reading: { column: column.name }, evidence: [], verify: verifyUuid(column) }
      return toCandidate(toOwnWay(table), written, [
        weighId(table, column.name),
        { points: 0, reason: describeColumn(column) },
      ])
    })
  const ranked = rankCandidates(found)
  const unique = ranked.filter((one) => countPoints(one) >= pointsMin)
  return unique.length > 0 ? unique : ranked.slice(0, 4)
}

function weighId(table: DescribedTable, name: string): Evidence {
  if (table.primary.length === 1 && table.primary[0] === name)
    return { points: 10, reason: 'the primary key' }
  if (isUnique(table, name)) return { points: 5, reason: 'a unique index' }
  if (table.isView && /^id$/i.test(name)) return { points: 4, reason: 'its name' }
  return { points: 0.5, reason: 'no index makes it unique' }
}

/** A flag, or the time of the check-in. */
async function listCheckedIn(input: PlaceInput): Promise<readonly Candidate[]> {
  const flags = (await listCandidates(input, input.table, rules.checkedIn)).filter(isNamed)
  const [time] = await listCheckedInAt(input)
  const fromTime: readonly Candidate[] =
    time === undefined
      ? []
      : [
          {
            value: { from: 'checkedInAt' },
            label: `whether ${time.label} is set`,
            evidence: [{ points: 5.5, reason: `${time.label} has the time` }],
          },
        ]
  const never: Candidate = {
    value: { constant: false },
    label: 'false for every record',
    evidence: [{ points: 5, reason: 'no column looks like a check-in' }],
  }
  return rankCandidates([...flags, ...fromTime, never])
}

async function listCheckedInAt(input: PlaceInput): Promise<readonly Candidate[]> {
  return (await listTimes(input, input.table, rules.checkedInAt)).filter(isNamed)
}

/** Not one of those whose type alone fits. */
function isNamed({ evidence }: Candidate): boolean {
  return evidence.some(({ points }) => points >= 1)
}

/** The number, or else the id. */
async function listNumbers(input: PlaceInput): Promise<readonly Candidate[]> {
  const found = await listCandidates(input, input.table, rules.number)
  const chosen = input.chosen.get('fields.id')
  if (typeof chosen !== 'string') return found
  const byId: Candidate = {
    value: chosen,
    label: `${input.table.name}.${chosen}`,
    evidence: [{ points: 3.2, reason: 'no column looks like a number of invoices' }],
    verify: 'is the id printed on the invoice?',
  }
  return rankCandidates([...found.filter(({ value }) => value !== chosen), byId])
}

async function listIssueDates(input: PlaceInput): Promise<readonly Candidate[]> {
  const days = await listTimes(input, input.table, rules.issueDate)
  const created = await listTimes(input, input.table, rules.createdAt)
  const found = days.filter(isNamed)
  const byCreation = created.filter(isNamed).map((candidate) => ({
    ...candidate,
    evidence: [
      { points: 3, reason: 'no column looks like the day of issue' },
      ...candidate.evidence.map(({ points, reason }) => ({ points: points / 20, reason })),
    ],
    verify: 'is an invoice issued on the day on which it is created?',
  }))
  const all = rankCandidates([...found, ...byCreation])
  return all.length > 0 ? all : days
}

async function listDueDates(input: PlaceInput): Promise<readonly Candidate[]> {
  const none: Candidate = {
    value: null,
    label: 'invoices have no due date',
    evidence: [{ points: 5, reason: 'no column looks like a due date' }],
  }
  return rankCandidates([...(await listTimes(input, input.table, rules.dueDate)).filter(isNamed), none])
}
