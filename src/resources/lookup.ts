import type { Column, Index, Table } from '../database/column.js'
import type { ColumnResolver, ResolverInput } from './field.js'
import { isLookup } from './section-options.js'
import type { LookupMapping } from './section-options.js'
import { nameOf } from './options.js'
import type { FoundColumn, Lookup } from './resolved-table.js'

/**
 * Finds the key of a lookup, which must be unique by itself unless the lookup has tests, and the column that refers to it.
 * A lookup that cannot be served is an issue.
 *
 * @param resolver of the table that the option belongs to.
 */
export function findLookup(
  input: ResolverInput,
  resolver: ColumnResolver,
  option: LookupMapping,
  path: string,
): Lookup {
  return toLookup(input, { resolver, option, path, found: findKey(input, option, path) })
}

/** Finds the rows of another table whose key has the value of a column: all of them count. */
export function findLines(
  input: ResolverInput,
  resolver: ColumnResolver,
  option: LookupMapping,
  path: string,
): Lookup {
  const table = input.schema.get(option.from)
  const { key = '' } = option
  const column = table?.columns.get(key.toLowerCase())
  if (table === undefined || column === undefined) {
    const allowed = 'a column that the database user may read'
    input.issues.push({
      path: `${input.section}.${path}.key`,
      found: `${option.from}.${key}, ${isGone}`,
      allowed,
    })
    return toLookup(input, { resolver, option, path, found: {} })
  }
  const found = { key: column, index: chooseKeyIndex(table, column, option), order: [] }
  return toLookup(input, { resolver, option, path, found })
}

interface LookupInput {
  readonly resolver: ColumnResolver
  readonly option: LookupMapping
  readonly path: string
  readonly found: Partial<FoundKey>
}

function toLookup(
  input: ResolverInput,
  { resolver, option, path, found: { key, index, order } }: LookupInput,
): Lookup {
  const nested = resolver.follow(option.on, `${path}.on`)
  const on: FoundColumn = {
    column: nested.find(nameOf(option.on), keyKinds, `${path}.on`),
    lookup: nested.lookup,
  }
  if (key !== undefined && on.column.name !== '' && !isComparable(key, on.column))
    input.issues.push({
      path: `${input.section}.${path}.on`,
      found: `${on.column.name} of type ${on.column.type} for ${option.from}.${key.name} of type ${key.type}`,
      allowed: 'two columns of text, two of integers, or two of BINARY with the same length',
    })
  const choice = order && {
    order,
    tests: (option.where ?? []).map((test) => resolver.of(option.from).findTest(test, `${path}.where`)),
  }
  return { table: option.from, key: key ?? on.column, index: index?.name ?? '', choice, on }
}

const keyKinds = ['text', 'integer', 'binary'] as const

interface FoundKey {
  readonly key: Column
  /** The index that begins with the key. */
  readonly index: Index | undefined
  /** The columns of the primary key, where the key need not be unique. */
  readonly order?: readonly Column[]
}

/** The primary key, or the column that the mapping names; undefined with an issue where it cannot find one row. */
function findKey(input: ResolverInput, option: LookupMapping, path: string): Partial<FoundKey> {
  const table = input.schema.get(option.from)
  // The column of the field is reported as missing.
  if (table === undefined) return {}
  const primary = table.indexes.find(({ name }) => name === 'PRIMARY')
  const found =
    option.where === undefined ? findUnique(table, primary, option) : findAny(table, primary, option)
  if (typeof found === 'object') return found
  const allowed =
    option.where === undefined ? uniqueForm : 'a column of a table with a primary key; a view has none'
  input.issues.push({ path: `${input.section}.${path}.key`, found, allowed })
  return {}
}

const uniqueForm =
  'a column that a primary key or a UNIQUE index of one column makes unique, or a lookup with where; a view has none'
const isGone = 'which does not exist or may not be read'

/** A key that is unique by itself, or what is wrong. */
function findUnique(
  table: Table,
  primary: Index | undefined,
  { from, key }: LookupMapping,
): FoundKey | string {
  if (key === undefined) {
    const column = primary?.uniqueOn === undefined ? undefined : table.columns.get(primary.uniqueOn)
    return column === undefined || primary === undefined
      ? `no primary key of one column in ${from}`
      : { key: column, index: primary }
  }
  const column = table.columns.get(key.toLowerCase())
  const index = table.indexes.find(({ uniqueOn }) => uniqueOn === key.toLowerCase())
  if (column === undefined) return `${from}.${key}, ${isGone}`
  return index === undefined ? `${from}.${key}, which is not unique by itself` : { key: column, index }
}

/** Any key, in a table of which the primary key tells rows apart; or what is wrong. */
function findAny(table: Table, primary: Index | undefined, option: LookupMapping): FoundKey | string {
  const { from, key } = option
  if (primary === undefined || primary.columns.length === 0)
    return `no primary key of whole columns in ${from}`
  const column = table.columns.get((key ?? primary.uniqueOn ?? '').toLowerCase())
  if (column === undefined)
    return key === undefined ? `no primary key of one column in ${from}` : `${from}.${key}, ${isGone}`
  const order = primary.columns.map((name) => table.columns.get(name.toLowerCase()))
  const readable = order.filter((one) => one !== undefined)
  if (readable.length < order.length)
    return `${from} by its primary key (${primary.columns.join(', ')}), ${isGone}`
  return { key: column, index: chooseKeyIndex(table, column, option), order: readable }
}

/** The index that begins with a key, then with the most columns that are tested. */
function chooseKeyIndex(
  { indexes }: Table,
  { name }: Column,
  { where = [] }: LookupMapping,
): Index | undefined {
  const tested = new Set(where.map(({ column }) => column.toLowerCase()))
  const countTested = ({ columns }: Index): number =>
    [...columns, ''].findIndex((column, at) => at > 0 && !tested.has(column))
  return indexes
    .filter(({ columns: [first] }) => first === name.toLowerCase())
    .reduce<Index | undefined>(
      (best, next) => (best !== undefined && countTested(best) >= countTested(next) ? best : next),
      undefined,
    )
}

function isComparable(key: Column, on: Column): boolean {
  if (key.kind !== on.kind) return false
  return key.kind !== 'binary' || key.length === on.length
}

/** Assumed where the mapping does not name the key or the primary key, and the schema was not read. */
export const assumedKey = 'id'

/** A column by which a lookup finds its row, and the place in the option that names it. */
interface LookupColumn {
  readonly table: string
  readonly column: string
  /** Below the path of the option, such as `.on`. */
  readonly path: string
}

/** The columns by which a lookup finds its row. `table` is the one that `on` belongs to. */
export function listLookupColumns(option: unknown, table: string, path = ''): readonly LookupColumn[] {
  if (!isLookup(option)) return []
  const onTable = isLookup(option.on) ? option.on.from : table
  const { from, where = [] } = option
  const primary = where.length === 0 ? [] : (option.primary ?? [assumedKey])
  return [
    { table: onTable, column: nameOf(option.on), path: `${path}.on` },
    { table: from, column: option.key ?? assumedKey, path: `${path}.key` },
    ...where.map(({ column }) => ({ table: from, column, path: `${path}.where` })),
    ...primary.map((column) => ({ table: from, column, path: `${path}.where` })),
    ...listLookupColumns(option.on, table, `${path}.on`),
  ]
}
