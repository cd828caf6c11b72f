import type { DescribedTable, Description } from '../database/description.js'
import { totalRule } from './amounts.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import { findEventColumns, weighEventTable } from './events.js'
import { hasPersonName, isAttendee, weighPerson } from './people.js'
import { rules } from './rules.js'
import { besideWords, eventWords, invoiceWords, registrationWords, weighNoun } from './vocabulary.js'
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
  /** The tables that its rows lead to. */
  readonly ways: readonly Way[]
  /** Those of people. */
  readonly people: readonly Way[]
  readonly hasLines: boolean
  readonly has: (rule: ColumnRule) => boolean
}

/** Something that speaks for a table, or against it. */
type Sign = readonly [points: number, reason: string, holds: (examined: Examined) => boolean]

const hasOwnEvent = ({ table, search }: Examined): boolean =>
  findEventColumns(search.listParents, table).length > 0
const hasEvent = (one: Examined): boolean =>
  hasOwnEvent(one) || one.ways.some((way) => findEventColumns(one.search.listParents, way.table).length > 0)
const hasAddress = ({ people }: Examined): boolean =>
  people.some((way) => findColumns(way.table, rules.email).length > 0)
const hasTotal = (pointsMin: number, { table }: Examined): boolean =>
  findColumns(table, totalRule).some((one) => countPoints(one) >= pointsMin)
const hasColumn = (names: RegExp, { table }: Examined): boolean =>
  table.columns.some(({ name }) => names.test(toSnake(name)))
const hasMoving = ({ table, has }: Examined): boolean =>
  has(rules.updatedAt) || table.columns.some(({ extra }) => extra.includes('on update'))

const attendeeNames = /^(?:attendee|participant|registrant|delegate|teilnehmer|participante|deelnemer)_/
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
  // An order has the address of who pays; a position of it names who comes.
  [-3, 'no name of a person', ({ table, people }) => people.length === 0 && !hasPersonName(table)],
  [2, 'columns about an attendee', (one) => hasColumn(attendeeNames, one)],
  [2, 'a person and an event in one row', (one) => hasOwnEvent(one) && one.people.some(isAttendee)],
  [3, 'a check-in', ({ has }) => has(rules.checkedIn) || has(rules.checkedInAt)],
  [-4, 'quantities, as of what is sold', ({ has }) => has(quantityRule)],
  [-2, 'a total and a currency', ({ has }) => has(totalRule) && has(rules.currency)],
  [
    -5,
    'its rows are events themselves',
    ({ table }) => countPoints({ evidence: weighEventTable(table) }) >= 6,
  ],
]

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
  [3, 'a column about invoices', (one) => hasColumn(invoicedNames, one)],
  [-6, 'it is what others bill', ({ table }) => receivedNames.test(toSnake(table.name))],
  [1, 'a customer', ({ people }) => people.length > 0],
]

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

const collections = {
  registrations: { words: registrationWords, signs: [...registrationSigns, ...commonSigns] },
  invoices: { words: invoiceWords, signs: [...invoiceSigns, ...commonSigns] },
} as const

/** All tables by how well they fit a collection. */
export function rankTables(
  search: TableSearch,
  collection: keyof typeof collections,
): readonly Candidate<DescribedTable>[] {
  const { words, signs } = collections[collection]
  const tables = [...search.description.values()]
  const rowsMax = Math.max(1, ...tables.map(({ rows }) => rows))
  const lines = tables.filter((table) => findColumns(table, quantityRule).length > 0)
  // Another table leads to them and has quantities.
  const withLines = new Set(lines.flatMap((line) => search.listParents(line).map(({ parent }) => parent)))
  const candidates = tables.map((table): Candidate<DescribedTable> => {
    const examined = examine(table, search, withLines.has(table))
    const found = signs.filter(([, , holds]) => holds(examined))
    const share = Math.log(1 + table.rows) / Math.log(1 + rowsMax)
    const rows: readonly Evidence[] = table.rows > 0 ? [[share, `about ${table.rows} rows`]] : []
    return {
      value: table,
      label: table.name,
      evidence: [
        ...weighTableName(table, words),
        ...found.map(([points, reason]): Evidence => [points, reason]),
        ...rows,
      ],
      verify: table.isView
        ? 'it is a view: pages are fast only where workspace and updatedAt are bare columns of one table behind it'
        : undefined,
    }
  })
  return rankCandidates(candidates)
}

function examine(table: DescribedTable, search: TableSearch, hasLines: boolean): Examined {
  const [, ...ways] = listWays(table, search.listParents)
  const people = ways.filter((way) => weighPerson(way) !== undefined)
  return { table, search, ways, people, hasLines, has: (rule) => findColumns(table, rule).length > 0 }
}

function weighTableName({ name }: DescribedTable, words: Words): readonly Evidence[] {
  const own = listTableWords(name)
  const points = weighNoun(own, words) * nameWeight
  // A row for an event and a person has words of both in its name.
  const isBeside = (word: string): boolean =>
    besideWords.has(word) && words[word] === undefined && eventWords[word] === undefined
  const beside = own.filter(isBeside)
  return [
    ...(points > 0 ? [[points, 'its name'] as const] : []),
    ...beside.slice(0, 2).map((word) => [besidePoints, `"${word}" in its name`] as const),
  ]
}
