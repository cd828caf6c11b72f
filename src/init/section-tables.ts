import { listTotals } from './amounts.js'
import { sortByScore } from './candidate.js'
import type { Candidate } from './candidate.js'
import { findByRule } from './column-rule.js'
import type { ColumnRule } from './column-rule.js'
import type { DescribedTable, Description } from './description.js'
import { findEventColumns, listEvents } from './events.js'
import { findCheckIn, listEmails, listNames } from './people.js'
import type { FindReferences } from './references.js'
import { rules } from './rules.js'
import type { FindTenants } from './tenants.js'
import { listUpdated } from './times.js'
import { besideWords, invoiceWords, registrationWords } from './vocabulary.js'
import { listTableWords, toSnake } from './words.js'

/** How tables are searched. */
export interface TableSearch {
  readonly description: Description
  readonly findReferences: FindReferences
  readonly findTenants: FindTenants
}

/** Below this score, a table is not proposed. */
const scoreMin = 12

/** The tables that can hold the registrations, the best one first; views only where no table fits. */
export function listRegistrationTables(search: TableSearch): readonly Candidate<DescribedTable>[] {
  return listTables(search, registrationWords, (table) => {
    const { findReferences } = search
    const direct = findEventColumns(table, findReferences).length > 0
    if (!direct && listEvents(table, findReferences).length === 0) return undefined
    const email = listEmails(table, findReferences)[0]
    const name = listNames(table, findReferences)[0]
    if (email === undefined && name === undefined) return undefined
    return [
      [direct ? 5 : 3, direct ? 'a column for the event' : 'an event by another table'],
      [toPoints(email, 3), 'an e-mail address'],
      [toPoints(name, 2), 'a name'],
      [findCheckIn(table).checkedIn.length > 1 ? 3 : 0, 'a check-in'],
      // A kind of ticket, of which many are sold, rather than a ticket.
      [has(table, quantityRule) ? -6 : 0, 'quantities'],
    ]
  })
}

/** The tables that can hold the invoices. */
export function listInvoiceTables(search: TableSearch): readonly Candidate<DescribedTable>[] {
  return listTables(search, invoiceWords, (table) => {
    const [total] = listTotals(table)
    if (total === undefined) return undefined
    return [
      [4, 'an amount'],
      [has(table, rules.number) ? 3 : 0, 'a number'],
      [has(table, rules.issueDate) ? 2 : 0, 'a day of issue'],
      [has(table, rules.dueDate) ? 2 : 0, 'a due date'],
      [has(table, rules.currency) || has(table, currencyKeyRule) ? 2 : 0, 'a currency'],
    ]
  })
}

const currencyKeyRule: ColumnRule = {
  names: [[/^(?:currency_id|id_currency|fk_currency)$/, 5]],
  kinds: ['integer', 'text'],
}
const quantityRule: ColumnRule = {
  names: [
    [/^(?:quantity|quantity_(?:available|sold)|max_per_order|stock|capacity|available_quantity|sold)$/, 5],
  ],
  kinds: ['integer'],
}

function has(table: DescribedTable, rule: ColumnRule): boolean {
  return findByRule(table, rule).length > 0
}

function toPoints(candidate: Candidate | undefined, points: number): number {
  if (candidate === undefined) return 0
  return typeof candidate.value === 'string' || candidate.score > 8 ? points : points - 1
}

type Points = readonly (readonly [points: number, reason: string])[]

function listTables(
  { description, findTenants }: TableSearch,
  words: Readonly<Record<string, number>>,
  weigh: (table: DescribedTable) => Points | undefined,
): readonly Candidate<DescribedTable>[] {
  const candidates = [...description.values()].flatMap((table): Candidate<DescribedTable>[] => {
    const named = scoreTableName(table.name, words) + (words === invoiceWords ? scoreInvoiced(table) : 0)
    if (named < 3) return []
    const own = weigh(table)
    if (own === undefined) return []
    const points: Points = [
      ...own,
      [listUpdated(table).length > 0 ? 1 : -3, 'times'],
      [table.primary.length === 1 ? 1 : -3, 'a primary key of one column'],
      [findTenants(table).length > 0 ? 2 : 0, 'a tenant'],
    ]
    const score = points.reduce((sum, [one]) => sum + one, named)
    if (score < scoreMin && !table.isView) return []
    const reasons = ['its name', ...points.filter(([one]) => one > 0).map(([, reason]) => reason)]
    return [{ value: table, label: table.name, score, reasons: [reasons.join(', ')], ...describeView(table) }]
  })
  const tables = candidates.filter(({ value }) => !value.isView)
  return sortByScore(tables.length > 0 ? tables : candidates)
}

function describeView({ isView }: DescribedTable): Pick<Candidate, 'verify'> {
  return isView
    ? {
        verify:
          'it is a view: pages are fast only where workspace and updatedAt are bare columns of one table behind it',
      }
    : {}
}

/** Orders, sales and payments are invoices where a column says so. */
function scoreInvoiced({ name, columns }: DescribedTable): number {
  const isSale = /^(?:order|sale|purchase|booking|transaction|payment)$/.test(
    listTableWords(name).at(-1) ?? '',
  )
  const isInvoiced = columns.some((column) =>
    /^(?:is_)?invoiced|^invoice_(?:no|number|date|ref)/.test(toSnake(column.name)),
  )
  return isSale && isInvoiced ? 5 : 0
}

/** The last word of a table's name says what its rows are; a word before it, what they belong to. */
export function scoreTableName(name: string, words: Readonly<Record<string, number>>): number {
  const own = listTableWords(name)
  const noun = own.at(-1) ?? ''
  const points = words[noun] ?? 0
  const before = own.slice(0, -1)
  const lesser = Math.max(0, ...before.map((word) => (words[word] ?? 0) * 0.4))
  const beside = own.filter((word) => besideWords.has(word) && words[word] === undefined).length
  return Math.max(points, lesser) - beside * 5
}
