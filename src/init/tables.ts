import { totalRule } from './amounts.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import type { DescribedTable, Description } from './description.js'
import { findEventColumns, weighEventTable } from './events.js'
import { weighPerson } from './people.js'
import { rules } from './rules.js'
import { besideWords, invoiceWords, registrationWords, weighNoun } from './vocabulary.js'
import type { Words } from './vocabulary.js'
import { listWays } from './ways.js'
import type { Way } from './ways.js'
import { listTableWords, toSnake } from './words.js'

/** A table below this is not taken for a collection, unless the other one has none either. */
export const tablePointsMin = 9
/** A word for the collection is worth up to 10; structure counts more than a name. */
const nameWeight = 0.6
const besidePoints = -5

/** How tables are searched. */
export interface TableSearch extends Search {
  readonly description: Description
  /** Whether a table reaches a tenant. */
  readonly hasTenant: (table: DescribedTable) => boolean
}

/** A table with what was found about it. */
interface Examined {
  readonly table: DescribedTable
  readonly search: TableSearch
  readonly ways: readonly Way[]
  /** The ways to people. */
  readonly people: readonly Way[]
  readonly hasLines: boolean
  readonly has: (rule: ColumnRule) => boolean
}

/** Something that speaks for a table, or against it. */
type Sign = readonly [points: number, reason: string, holds: (examined: Examined) => boolean]

const hasOwnEvent = ({ table, search }: Examined): boolean => findEventColumns(search, table).length > 0
const hasEvent = (one: Examined): boolean =>
  hasOwnEvent(one) || one.ways.some((way) => findEventColumns(one.search, way.table).length > 0)
const hasAddress = ({ people }: Examined): boolean =>
  people.some((way) => findColumns(way.table, rules.email).length > 0)

/** What tells registrations: a person and an event meet in a row. */
const registrationSigns: readonly Sign[] = [
  [5, 'an event', hasOwnEvent],
  [3, 'an event by another table', (one) => !hasOwnEvent(one) && hasEvent(one)],
  [-10, 'nothing leads to an event', (one) => !hasEvent(one)],
  [4, 'an e-mail address', ({ has }) => has(rules.email)],
  [3, 'an e-mail address by another table', (one) => !one.has(rules.email) && hasAddress(one)],
  [
    1,
    'a person without an address',
    (one) => !one.has(rules.email) && !hasAddress(one) && one.people.length > 0,
  ],
  [-8, 'no person', ({ has, people }) => !has(rules.email) && people.length === 0],
  [3, 'a check-in', ({ has }) => has(rules.checkedIn) || has(rules.checkedInAt)],
  [-4, 'quantities, as of what is sold', ({ has }) => has(quantityRule)],
  [-2, 'a total and a currency', ({ has }) => has(totalRule) && has(rules.currency)],
  [
    -5,
    'its rows are events themselves',
    ({ table }) => countPoints({ evidence: weighEventTable(table) }) >= 6,
  ],
]

const hasTotal = (pointsMin: number, { table }: Examined): boolean =>
  findColumns(table, totalRule).some((one) => countPoints(one) >= pointsMin)
const hasName = (names: RegExp, { table }: Examined): boolean =>
  table.columns.some(({ name }) => names.test(toSnake(name)))

/** What tells invoices: a total with a number, a day and a currency, and lines in another table. */
const invoiceSigns: readonly Sign[] = [
  [4, 'a total', (one) => hasTotal(8, one)],
  [2, 'an amount', (one) => hasTotal(0, one) && !hasTotal(8, one)],
  [-10, 'no amount', (one) => !hasTotal(0, one)],
  [3, 'a number', ({ table }) => findColumns(table, rules.number).some((one) => countPoints(one) >= 7)],
  [2, 'a day of issue', ({ has }) => has(rules.issueDate)],
  [2, 'a due date', ({ has }) => has(rules.dueDate)],
  [2, 'a currency', ({ has }) => has(rules.currency) || has(currencyKeyRule)],
  [3, 'another table has its lines', ({ hasLines }) => hasLines],
  [-6, 'quantities, as a line has', ({ has, hasLines }) => has(quantityRule) && !hasLines],
  [3, 'a column about invoices', (one) => hasName(invoicedNames, one)],
  [-6, 'it is what others bill', ({ table }) => receivedNames.test(toSnake(table.name))],
  [1, 'a customer', ({ people }) => people.length > 0],
]

const hasMoving = ({ table, has }: Examined): boolean =>
  has(rules.updatedAt) || table.columns.some(({ extra }) => extra.includes('on update'))

/** What every collection needs. */
const commonSigns: readonly Sign[] = [
  [1, 'a time of the last change', hasMoving],
  [-4, 'no times', (one) => !hasMoving(one) && !one.has(rules.createdAt)],
  [1, 'a primary key of one column', ({ table }) => table.primary.length === 1],
  [-4, 'no primary key of one column', ({ table }) => !table.isView && table.primary.length !== 1],
  [1, 'a status', ({ has }) => has(statusNameRule)],
  [1, 'a tenant', ({ table, search }) => search.hasTenant(table)],
  [-3, 'it is a view', ({ table }) => table.isView],
]

const invoicedNames = /^(?:is_)?invoiced|^invoice_(?:no|number|date|ref)|(?:^|_)invoice_(?:number|no)$/
const receivedNames =
  /(?:^|_)(?:purchase|vendor|supplier|fournisseur|fourn|lieferant|proveedor|fornitore|incoming|expense)/
const currencyKeyRule: ColumnRule = {
  names: { 5: '(?:currency|waehrung|devise|moneda|valuta)_id id_(?:currency|devise|moneda) fk_currency' },
  kinds: ['integer', 'text'],
}
const quantityRule: ColumnRule = {
  names: {
    5: `quantity qty quantity_(?:available|sold) max_per_order stock available_quantity sold menge anzahl quantite
      cantidad quantita aantal product_quantity`,
  },
  kinds: ['integer', 'decimal', 'float'],
}
const statusNameRule: ColumnRule = {
  names: { 1: '(?:[a-z0-9]+_)*(?:status|state|statut|estado|stato|etat)(?:_id)?' },
  kinds: ['text', 'integer'],
}

/** All tables by how well they fit the registrations. */
export function rankRegistrationTables(search: TableSearch): readonly Candidate<DescribedTable>[] {
  return rankTables(search, registrationWords, [...registrationSigns, ...commonSigns])
}

/** All tables by how well they fit the invoices. */
export function rankInvoiceTables(search: TableSearch): readonly Candidate<DescribedTable>[] {
  return rankTables(search, invoiceWords, [...invoiceSigns, ...commonSigns])
}

function rankTables(
  search: TableSearch,
  words: Words,
  signs: readonly Sign[],
): readonly Candidate<DescribedTable>[] {
  const tables = [...search.description.values()]
  const rowsMax = Math.max(1, ...tables.map(({ rows }) => rows))
  const withLines = listTablesWithLines(tables, search)
  const candidates = tables.map((table): Candidate<DescribedTable> => {
    const examined = examine(table, search, withLines)
    const found = signs.filter(([, , holds]) => holds(examined))
    const rows = Math.log(1 + table.rows) / Math.log(1 + rowsMax)
    return {
      value: table,
      label: table.name,
      evidence: [
        ...weighTableName(table, words),
        ...found.map(([points, reason]) => ({ points, reason })),
        ...(table.rows > 0 ? [{ points: rows, reason: `about ${table.rows} rows` }] : []),
      ],
      verify: table.isView
        ? 'it is a view: pages are fast only where workspace and updatedAt are bare columns of one table behind it'
        : undefined,
    }
  })
  return rankCandidates(candidates)
}

function examine(
  table: DescribedTable,
  search: TableSearch,
  withLines: ReadonlySet<DescribedTable>,
): Examined {
  const ways = listWays(table, search.listParents)
  return {
    table,
    search,
    ways,
    people: ways.filter((way) => weighPerson(way) !== undefined),
    hasLines: withLines.has(table),
    has: (rule) => findColumns(table, rule).length > 0,
  }
}

/** The tables whose rows have lines: another table leads to them and has quantities. */
function listTablesWithLines(
  tables: readonly DescribedTable[],
  { listParents }: TableSearch,
): ReadonlySet<DescribedTable> {
  const lines = tables.filter((table) => findColumns(table, quantityRule).length > 0)
  return new Set(lines.flatMap((line) => listParents(line).map(({ parent }) => parent)))
}

function weighTableName({ name }: DescribedTable, words: Words): readonly Evidence[] {
  const own = listTableWords(name)
  const points = weighNoun(own, words) * nameWeight
  const beside = own.filter((word) => besideWords.has(word) && words[word] === undefined)
  return [
    ...(points > 0 ? [{ points, reason: 'its name' }] : []),
    ...beside.slice(0, 2).map((word) => ({ points: besidePoints, reason: `"${word}" in its name` })),
  ]
}
