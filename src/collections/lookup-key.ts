import type { Column, Index, Table } from '../database/column.js'
import type { LookupMapping } from './options.js'

/* How a lookup finds its row: by a key that is unique, or by any key and the tests that choose among its rows. */

/** What is found at a place whose column is missing. */
export const isGone = 'which does not exist or may not be read'

/** Assumed where the mapping does not name the key or the primary key, and the schema was not read. */
export const assumedKey = 'id'

/** The key of a lookup in the live schema. */
export interface FoundKey {
  readonly key: Column
  /** The index that begins with the key. */
  readonly index: Index | undefined
  /** The columns of the primary key, by which a row is chosen; none where all rows count. */
  readonly order?: readonly Column[]
}

/** Why no key finds one row, and what would. */
export interface UnusableKey {
  readonly found: string
  readonly allowed: string
}

/** The primary key, or the column that the option names. @param isOne whether one row counts, and not all of them */
export function findKey(table: Table, option: LookupMapping, isOne: boolean): FoundKey | UnusableKey {
  const primary = table.indexes.find(({ name }) => name === 'PRIMARY')
  const key = findColumn(table, option.key ?? primary?.uniqueOn)
  if (isOne && option.where === undefined) return findUnique(table, primary, key)
  const order = isOne ? listPrimary(table, primary) : []
  const allowed = isOne
    ? 'a column of a table with a primary key; a view has none'
    : 'a column that the database user may read'
  if (typeof order === 'string') return { found: order, allowed }
  return typeof key === 'string'
    ? { found: key, allowed }
    : { key, index: chooseKeyIndex(table, key, option), order }
}

function findColumn({ name: from, columns }: Table, key: string | undefined): Column | string {
  if (key === undefined) return `no primary key of one column in ${from}`
  return columns.get(key.toLowerCase()) ?? `${from}.${key}, ${isGone}`
}

function findUnique(table: Table, primary: Index | undefined, key: Column | string): FoundKey | UnusableKey {
  const allowed =
    'a column that a primary key or a UNIQUE index of one column makes unique, or a lookup with where; a view has none'
  if (typeof key === 'string') return { found: key, allowed }
  const index = [primary, ...table.indexes].find((one) => one?.uniqueOn === key.name.toLowerCase())
  const found = `${table.name}.${key.name}, which is not unique by itself`
  return index === undefined ? { found, allowed } : { key, index }
}

/** The columns of the primary key, which tells rows apart; or why there are none. */
function listPrimary({ name, columns }: Table, primary: Index | undefined): readonly Column[] | string {
  const names = primary?.columns ?? []
  if (names.length === 0) return `no primary key of whole columns in ${name}`
  const order = names.flatMap((one) => columns.get(one.toLowerCase()) ?? [])
  return order.length < names.length ? `${name} by its primary key (${names.join(', ')}), ${isGone}` : order
}

/** The index that begins with a key, then with the most columns that are tested. */
function chooseKeyIndex({ indexes }: Table, { name }: Column, { where = [] }: LookupMapping) {
  const tested = new Set(where.map(({ column }) => column.toLowerCase()))
  const countTested = ({ columns }: Index): number =>
    [...columns, ''].findIndex((column, at) => at > 0 && !tested.has(column))
  const serving = indexes.filter(({ columns: [first] }) => first === name.toLowerCase())
  return serving.toSorted((a, b) => countTested(b) - countTested(a))[0]
}
