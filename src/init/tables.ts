import type { DescribedTable, Description } from '../database/description.js'
import { totalRule } from './amounts.js'
import { countPoints, rankCandidates } from './candidate.js'
import type { Candidate, Evidence } from './candidate.js'
import { findColumns } from './column-rule.js'
import type { ColumnRule, Search } from './column-rule.js'
import { findEventColumns } from './events.js'
import { hasPersonName, isAttendee, weighPerson } from './people.js'
import { rules } from './rules.js'
import { invoiceWords, registrationWords } from './vocabulary.js'
import { listWays } from './ways.js'
import type { Way } from './ways.js'
import { toNoun, toSnake } from './words.js'

/** A table below this is not taken for a collection, unless the other one has none either. */
export const tablePointsMin = 9

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
  readonly has: (rule: ColumnRule) => boolean
}

/** Something that speaks for a table, or against it. */
type Sign = readonly [points: number, reason: string, holds: (examined: Examined) => boolean]

const hasEvent = ({ table, search }: Examined): boolean =>
  findEventColumns(search.listParents, table).length > 0
const hasEventBehind = (one: Examined): boolean => one.ways.some(({ table }) => hasEvent({ ...one, table }))
const hasColumn = (names: RegExp, { table }: Examined): boolean =>
  table.columns.some(({ name }) => names.test(toSnake(name)))

const attendeeNames = /^(?:attendee|participant|registrant|delegate|teilnehmer|participante|deelnemer)_/
const invoicedNames = /^(?:is_)?invoiced|^invoice_(?:no|number|date|ref)|(?:^|_)invoice_(?:number|no)$/
const receivedNames =
  /(?:^|_)(?:purchase|vendor|supplier|fournisseur|fourn|lieferant|proveedor|fornitore|incoming|expense)/
const currencyRule: ColumnRule = {
  names: {
    5: `${rules.currency.names[10]} ${rules.currency.names[9]} (?:currency|waehrung|devise|moneda|valuta)_id
      id_(?:currency|devise|moneda) fk_currency`,
  },
  kinds: ['integer', 'text'],
}
const statusNameRule: ColumnRule = {
  names: { 1: '(?:[a-z0-9]+_)*(?:status|state|statut|estado|stato|etat)(?:_id)?' },
  kinds: ['text', 'integer'],
}

/** What every collection has. */
const commonSigns: readonly Sign[] = [
  [1, 'a time of the last change', ({ has }) => has(rules.updatedAt)],
  [1, 'a primary key of one column', ({ table }) => table.primary.length === 1],
  [1, 'a status', ({ has }) => has(statusNameRule)],
  [1, 'a tenant', ({ table, search }) => search.hasTenant(table)],
]

/** What tells registrations: a person and an event meet in a row. */
const registrationSigns: readonly Sign[] = [
  [5, 'an event', hasEvent],
  [3, 'an event by another table', (one) => !hasEvent(one) && hasEventBehind(one)],
  [-10, 'nothing leads to an event', (one) => !hasEvent(one) && !hasEventBehind(one)],
  [4, 'an e-mail address', ({ has }) => has(rules.email)],
  // An order has the address of who pays; a position of it names who comes.
  [3, 'the name of a person', ({ table, people }) => people.length > 0 || hasPersonName(table)],
  [2, 'columns about an attendee', (one) => hasColumn(attendeeNames, one)],
  [2, 'a person and an event in one row', (one) => hasEvent(one) && one.people.some(isAttendee)],
  [3, 'a check-in', ({ has }) => has(rules.checkedIn) || has(rules.checkedInAt)],
  [-2, 'a total', ({ has }) => has(totalRule)],
]

/** What tells invoices: a total with a number, a day and a currency. */
const invoiceSigns: readonly Sign[] = [
  [4, 'a total', ({ has }) => has(totalRule)],
  [3, 'a number', ({ table }) => findColumns(table, rules.number).some((one) => countPoints(one) >= 7)],
  [2, 'a day of issue', ({ has }) => has(rules.issueDate)],
  [2, 'a due date', ({ has }) => has(rules.dueDate)],
  [2, 'a currency', ({ has }) => has(currencyRule)],
  [3, 'a column about invoices', (one) => hasColumn(invoicedNames, one)],
  [-6, 'it is what others bill', ({ table }) => receivedNames.test(toSnake(table.name))],
]

/** A word for the collection is worth up to 10; structure counts more than a name. */
const nameWeight = 0.6
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
  const candidates = [...search.description.values()].map((table): Candidate<DescribedTable> => {
    const [, ...ways] = listWays(table, search.listParents)
    const people = ways.filter((way) => weighPerson(way) !== undefined)
    const examined = {
      table,
      search,
      ways,
      people,
      has: (rule: ColumnRule) => findColumns(table, rule).length > 0,
    }
    const named = (words[toNoun(table.name)] ?? 0) * nameWeight
    const found = signs.filter(([, , holds]) => holds(examined))
    return {
      value: table,
      label: table.name,
      evidence: [
        ...(named > 0 ? [[named, 'its name'] as const] : []),
        ...found.map(([points, reason]): Evidence => [points, reason]),
        ...(table.rows > 0 ? [[0, `about ${table.rows} rows`] as const] : []),
      ],
      verify: table.isView
        ? 'it is a view: pages are fast only where workspace and updatedAt are bare columns of one table behind it'
        : undefined,
    }
  })
  return rankCandidates(candidates)
}
