import { isPrimaryKey } from '../description.js'
import type { DescribedColumn, DescribedTable } from '../description.js'
import { canBeId, hasColumn, hasLastName, isFlag } from '../facts/columns.js'
import { matches, weighNoun } from '../facts/names.js'
import type { Facts, TableFacts } from '../facts/read-facts.js'
import { toNoun, toSnake, toStem } from '../facts/words.js'
import { atEnd, candidate, listWays, rank } from './candidate.js'
import type { Candidate, Input, Way } from './candidate.js'
import { weighEvent, weighPerson } from './lists.js'
import { places } from './places.js'

/** The collections that a mapping can have. */
export type Collection = keyof typeof places

/**
 * All tables by how well they fit a collection: what the best candidate of each place is worth there, the word for their
 * rows, and whether they have rows. There is no second list of signs: a table fits as far as its mapping can be written.
 */
export function rankTables(facts: Facts, collection: Collection): readonly Candidate[] {
  const ranked = [...facts.description.values()].map((table) => {
    const input = { facts, table }
    const fits = places[collection].map(({ weight, list }) => {
      const found = weight === 0 ? [] : list(input).filter(({ why }) => !why.startsWith('no '))
      return Math.min(10, Math.max(0, ...found.map(({ points }) => points))) * weight
    })
    const rows = facts.tables.get(table)?.rows ?? 0
    const noun = weighNoun(collection === 'invoices' ? 'invoice' : 'registration', toNoun(table.name)) * 0.6
    const shape = collection === 'invoices' ? weighInvoices(input) : weighRegistrations(input)
    const points = fits.reduce((sum, fit) => sum + fit, noun + shape)
    return candidate(table.name, table.name, points - (rows === 0 ? 8 : 0), `fits best, ${rows} rows`)
  })
  return rank(ranked)
}

/** What speaks for and against a table of invoices. Those that belong to what is billed are lines or payments. */
function weighInvoices({ facts, table }: Input): number {
  const [noun, snake] = [toNoun(table.name), toSnake(table.name)]
  const isPart = (facts.references.get(table) ?? []).some(
    ({ parent, column }) =>
      !column.nullable &&
      hasColumn(parent, 'total') &&
      weighNoun('invoice', toNoun(parent.name)) >= Math.max(1, weighNoun('invoice', noun)),
  )
  const isOther = isPart || matches('line', snake) || matches('received', snake)
  return (hasColumn(table, 'total') ? 2 : -4) + (hasColumn(table, 'tax') ? 2 : 0) - (isOther ? 6 : 0)
}

/** What speaks for and against a table of registrations. Each of several people of an order is a row of another table. */
function weighRegistrations({ facts, table }: Input): number {
  const own = weighNoun('registration', toNoun(table.name))
  const ways = listWays({ facts, table })
  const hasEvent = ways.some(
    ({ steps, table: end }) =>
      (steps.length > 0 && weighEvent(end) >= 6) ||
      end.columns.some(({ name }) => weighNoun('event', toStem(name).stem.at(-1) ?? '') >= 4),
  )
  const isHead = [...facts.references].some(
    ([child, list]) =>
      list.some(({ parent, column }) => parent === table && !column.nullable) &&
      (own <= 3 || weighNoun('registration', toNoun(child.name)) > own) &&
      weighNoun('invoice', toNoun(child.name)) < 5 &&
      (hasColumn(child, 'email') || hasColumn(child, 'fullName') || hasLastName(child)),
  )
  const against = [
    !hasEvent,
    isHead,
    weighEvent(table) >= 8,
    own === 0 || matches('staff', toNoun(table.name)),
  ]
  const isOfPeople = hasColumn(table, 'email') || ways.some((way) => weighPerson(way) !== undefined)
  return (isOfPeople ? 2 : 0) - against.filter(Boolean).length * 6
}

/** A way to the tenant of a row. */
export interface Tenant extends Candidate {
  readonly column?: DescribedColumn
}

/** The ways to a tenant. Only a column that every row has, with several tenants in it, can be certain. */
export function listTenants(input: Input): readonly Tenant[] {
  const found = listWays(input).flatMap((way) =>
    way.table.columns.flatMap((column) => weighTenant(input, way, column)),
  )
  const ask = 'is this the database of one tenant? Every key would read every row'
  const one = candidate(
    { constant: '1' },
    'one workspace for all rows',
    0.5,
    'for a product with one tenant',
    ask,
  )
  return rank([...found, one])
}

function weighTenant({ facts }: Input, way: Way, column: DescribedColumn): readonly Tenant[] {
  const parent = facts.references.get(way.table)?.find((one) => one.column === column)?.parent
  const { stem, isKey } = toStem(column.name)
  const isNamed = stem.length === 1 && (isKey || parent !== undefined)
  const named = isNamed ? weighNoun('tenant', stem.join('_')) : 0
  const points = Math.max(named, parent === undefined ? 0 : weighNoun('tenant', toNoun(parent.name)) - 2)
  if (points <= 0 || !canBeTenant(way.table, column)) return []
  const [why, ask] = describeTenant(facts.tables.get(way.table), column, parent)
  return [{ ...atEnd(way, column.name, column.name, points + weighStep(way), why, ask), column }]
}

function weighStep({ steps: [first] }: Way): number {
  if (first === undefined) return 4
  return weighEvent(first.parent) >= 6 ? 1 : -1
}

function canBeTenant(table: DescribedTable, column: DescribedColumn): boolean {
  if (isPrimaryKey(table, column.name) || isFlag(column)) return false
  const isOther = /^(?:billing|shipping|bank|parent|created|updated)_/.test(toSnake(column.name))
  return canBeId(column) && !isOther
}

function describeTenant(
  facts: TableFacts | undefined,
  { name }: DescribedColumn,
  parent: DescribedTable | undefined,
): readonly [why: string, ask: string | undefined] {
  const own = facts?.columns.get(name)
  if (facts?.rows === undefined || own === undefined) return ['no rows', 'is it the tenant?']
  const why = `${own.distinct} in ${own.filled} of ${facts.rows} rows${parent === undefined ? '' : `, a key of ${parent.name}`}`
  if (own.filled < facts.rows) return [why, 'which tenant has a row without it?']
  if (own.distinct < 2) return [why, 'all rows have the same one: is it the tenant?']
  return [why, parent !== undefined && hasLastName(parent) ? 'is it a tenant, or a person?' : undefined]
}
