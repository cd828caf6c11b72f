import { findColumn } from '../description.js'
import type { DescribedTable } from '../description.js'
import { listLineSums } from './amounts.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { hasCheckInTable, isCheckInTable } from './check-ins.js'
import { findColumns, hasColumn } from './columns.js'
import type { Search } from './columns.js'
import { findEventColumns } from './events.js'
import { listChildren } from './graph.js'
import type { Graph, Way } from './graph.js'
import { nouns, patterns } from './names.js'
import type { RuleName } from './names.js'
import type { Step } from './parents.js'
import { hasPersonName, isOfPeople, weighPerson } from './people.js'
import { toNoun, toSnake } from './words.js'

/** A table below this is not taken for a collection, unless the other one has none either. */
export const tablePointsMin = 9

/** How tables are searched. */
export interface TableSearch extends Search {
  /** Whether a table reaches a tenant. */
  readonly hasTenant: (table: DescribedTable) => boolean
}

/** A table with what was found about it. */
interface Examined {
  readonly table: DescribedTable
  readonly hasTenant: boolean
  /** The ways of its rows to people. */
  readonly people: readonly Way[]
  /** Whether it has the id of an event, and whether another table that it leads to has one. */
  readonly hasEvent: boolean
  readonly hasEventBehind: boolean
  /** Whether rows of another table are lines of it. */
  readonly hasLines: boolean
  /** Whether each row belongs to one of a table that is rather of invoices, such as an order. */
  readonly isOfInvoice: boolean
  /** Whether it only has what several people have in common, each of whom is a row of another table. */
  readonly isHead: boolean
  /** Whether rows of another table are its check-ins. */
  readonly hasCheckIns: boolean
  readonly has: (...rules: readonly RuleName[]) => boolean
}

/** Something that speaks for a table, or against it. */
type Sign = readonly [points: number, reason: string, holds: (examined: Examined) => boolean]

/** What every collection has. */
const commonSigns: readonly Sign[] = [
  [1, 'a time of the last change', ({ has }) => has('updatedAt')],
  [1, 'a primary key of one column', ({ table }) => table.primary.length === 1],
  [1, 'a status', ({ has }) => has('status')],
  [1, 'a tenant', ({ hasTenant }) => hasTenant],
]

/** What tells registrations: a person and an event meet in a row. */
const registrationSigns: readonly Sign[] = [
  [5, 'an event', ({ hasEvent }) => hasEvent],
  [3, 'an event by another table', ({ hasEvent, hasEventBehind }) => !hasEvent && hasEventBehind],
  [-10, 'nothing leads to an event', ({ hasEvent, hasEventBehind }) => !hasEvent && !hasEventBehind],
  [4, 'an e-mail address', ({ has }) => has('email')],
  [
    2,
    'a person with an e-mail address',
    ({ has, people }) => !has('email') && people.some(({ table }) => hasColumn(table, 'email')),
  ],
  [-6, 'its rows say that a person came', ({ table }) => isCheckInTable(table)],
  [
    -6,
    'its rows are those who work at an event',
    ({ table }) => patterns.staffTable.test(toSnake(table.name)),
  ],
  [-6, 'its rows are places', ({ table }) => patterns.placeTable.test(toSnake(table.name))],
  [-8, 'rows of another table are the people of it', ({ isHead }) => isHead],
  // An order has the address of who pays; a position of it names who comes.
  [
    3,
    'the name of a person',
    ({ table, people, has }) => people.length > 0 || hasPersonName(table) || has('fullName'),
  ],
  [3, 'a check-in', ({ has, hasCheckIns }) => hasCheckIns || has('checkedIn', 'checkedInAt')],
  [-2, 'a total', ({ has }) => has('total')],
]

/** What tells invoices: a total with a number, a day and a currency. */
const invoiceSigns: readonly Sign[] = [
  [4, 'a total', ({ has }) => has('total')],
  [-6, 'no total', ({ hasLines, has }) => !has('total', 'net') && !hasLines],
  [3, 'a number', ({ table }) => findColumns(table, 'number').some((one) => countPoints(one) >= 7)],
  [2, 'a day of issue', ({ has }) => has('issueDate')],
  [2, 'a due date', ({ has }) => has('dueDate')],
  [2, 'a currency', ({ has }) => has('currencyOrKey')],
  [2, 'a tax', ({ has }) => has('tax')],
  [2, 'rows of another table are its lines', ({ hasLines }) => hasLines],
  [-6, 'its rows belong to what is billed', ({ isOfInvoice }) => isOfInvoice],
  [-6, 'it is what others bill', ({ table }) => patterns.received.test(toSnake(table.name))],
]

/** A word for the collection is worth up to 10; structure counts more than a name, and a table without rows less. */
const weights = { name: 0.6, noRows: -8 } as const
const collections = {
  registrations: { words: nouns.registration, signs: [...registrationSigns, ...commonSigns] },
  invoices: { words: nouns.invoice, signs: [...invoiceSigns, ...commonSigns] },
} as const

/** The tables of which the rows are counted. */
const examinedMax = 12

/** All tables by how well they fit a collection. */
export async function rankTables(
  search: TableSearch,
  collection: keyof typeof collections,
): Promise<readonly Candidate<DescribedTable>[]> {
  const { words, signs } = collections[collection]
  // Of tables that fit equally, the one with more rows is used more.
  const tables = [...search.graph.description.values()].sort((one, other) => other.rows - one.rows)
  const all = tables.map((table): Candidate<DescribedTable> => {
    const examined = examine(search, table)
    const named = (words.get(toNoun(table.name)) ?? 0) * weights.name
    const found = signs.filter(([, , holds]) => holds(examined))
    return {
      value: table,
      label: table.name,
      evidence: [
        ...(named > 0 ? [[named, 'its name'] as const] : []),
        ...found.map(([points, reason]): Evidence => [points, reason]),
      ],
      verify: table.isView
        ? 'it is a view: pages are fast only where workspace and updatedAt are bare columns of one table behind it'
        : undefined,
    }
  })
  const ranked = rankCandidates(all)
  const counted = await Promise.all(ranked.slice(0, examinedMax).map((one) => addRows(search, one)))
  // An empty table loses only against one with rows.
  const isAllEmpty = counted.every(({ isEmpty }) => isEmpty)
  const first = counted.map(({ candidate, isEmpty }) => addEmpty(candidate, isEmpty, isAllEmpty))
  return rankCandidates([...first, ...ranked.slice(examinedMax)])
}

function examine({ graph, hasTenant }: TableSearch, table: DescribedTable): Examined {
  const [, ...ways] = graph.listWays(table)
  const values = graph.listKeyValues(table).map((way) => way.table)
  const hasOne = (one: DescribedTable): boolean => findEventColumns(graph, one).length > 0
  return {
    table,
    hasTenant: hasTenant(table),
    people: ways.filter((way) => weighPerson(way) !== undefined),
    hasLines: listLineSums(graph, table).length > 0,
    isOfInvoice: graph
      .listParents(table)
      .some(
        ({ parent, column }) => !column.nullable && weighInvoice(parent) >= Math.max(1, weighInvoice(table)),
      ),
    isHead: listChildren(graph, table).some(
      ({ child, step }) =>
        isDetail(graph, child, step) && (hasProgress(child) || !(isOfPeople(table) && hasProgress(table))),
    ),
    hasCheckIns: hasCheckInTable(graph, table),
    hasEvent: [table, ...values].some(hasOne),
    hasEventBehind: [...ways, ...graph.listLinked(table)].some((way) => hasOne(way.table)),
    has: (...rules) => [table, ...values].some((one) => rules.some((rule) => hasColumn(one, rule))),
  }
}

/** Whether rows say what became of them: the guests of a person's registration with a status do not. */
function hasProgress(table: DescribedTable): boolean {
  return hasColumn(table, 'status') || hasColumn(table, 'checkedIn') || hasColumn(table, 'checkedInAt')
}

/** How surely the name of a table means invoices. */
function weighInvoice({ name }: DescribedTable): number {
  return nouns.invoice.get(toNoun(name)) ?? 0
}

/** Whether each row of a table belongs to one of another table, and is or leads to a person of its own. */
function isDetail(graph: Graph, child: DescribedTable, { key }: Step): boolean {
  const isNeeded = findColumn(child, key)?.nullable === false
  const people = graph
    .listWays(child)
    .filter(({ steps: [step] }) => step !== undefined && step.column.name !== key)
  const isPaid = findColumns(child, 'total').some((one) => countPoints(one) >= 8)
  return isNeeded && !isPaid && !isCheckInTable(child) && (isOfPeople(child) || people.some(isOfPerson))
}

/** Whether a way leads to a person, and to no user or account. */
function isOfPerson(way: Way): boolean {
  const points = nouns.person.get(toNoun(way.table.name)) ?? 0
  return weighPerson(way) !== undefined && points > 1 && hasPersonName(way.table)
}

interface Counted {
  readonly candidate: Candidate<DescribedTable>
  readonly isEmpty: boolean
}

async function addRows({ content }: TableSearch, candidate: Candidate<DescribedTable>): Promise<Counted> {
  const { rows } = candidate.value
  if (rows === 0 && !(await content.hasRows(candidate.value))) return { candidate, isEmpty: true }
  const reason: Evidence = [0, describeRows(candidate.value)]
  return { candidate: { ...candidate, evidence: [...candidate.evidence, reason] }, isEmpty: false }
}

/** The server's estimate of the rows of a table. */
export function describeRows({ rows, isView }: DescribedTable): string {
  if (isView) return 'a view'
  return rows === 0 ? 'no or few rows' : `about ${rows} rows`
}

function addEmpty(
  candidate: Candidate<DescribedTable>,
  isEmpty: boolean,
  isAllEmpty: boolean,
): Candidate<DescribedTable> {
  if (!isEmpty) return candidate
  const evidence: Evidence = [isAllEmpty ? 0 : weights.noRows, 'it has no rows']
  const verify = candidate.verify ?? 'it has no rows: is it in use?'
  return { ...candidate, evidence: [...candidate.evidence, evidence], verify }
}
