import type { Column, Index, Table } from '../database/column.js'
import { all, convert, hint, join, quote, quoteColumn, Sql, sql, toBytes } from '../database/sql.js'
import { isLookedUp, listProjectedColumns, toLookupKey } from './found-column.js'
import type { FoundColumn, Lookup, LookupColumn, NameColumn, RowTest, Selected } from './found-column.js'
import { testCell, testCondition } from './row-test.js'

/*
 * A lookup reads one row of another table by its unique key. In a list, lookups are joined to the rows of the page; in a
 * condition, they are a subquery that reads one row. `matchKey` is the one rule by which a row refers to another.
 */

/**
 * The index by which a lookup finds its rows: the one that begins with the key, then has the most columns that are tested.
 *
 * @param isUnique whether it has to make the key unique.
 */
export function chooseKeyIndex(
  { indexes }: Table,
  key: Column,
  tests: readonly RowTest[],
  isUnique: boolean,
): Index | undefined {
  const name = key.name.toLowerCase()
  const tested = new Set(tests.map(({ column }) => column.name.toLowerCase()))
  const rank = ({ name: index, columns }: Index): number =>
    [...columns, ''].findIndex((column, at) => at > 0 && !tested.has(column)) +
    (index === 'PRIMARY' ? 0.5 : 0)
  const serving = indexes.filter(({ uniqueOn, columns: [first] }) => (isUnique ? uniqueOn : first) === name)
  return serving.toSorted((a, b) => rank(b) - rank(a))[0]
}

/** A lookup and those that it begins with, the one first whose `on` is a column of the collection's own table. */
export function listChain(lookup: Lookup | undefined): readonly Lookup[] {
  return lookup === undefined ? [] : [...listChain(lookup.on.lookup), lookup]
}

/** The lookups of columns, each once, those first that others begin with. */
export function listLookups(columns: readonly FoundColumn[]): readonly Lookup[] {
  const chains = columns.flatMap(({ lookup }) => listChain(lookup))
  return [...new Map(chains.map((lookup) => [toLookupKey(lookup), lookup])).values()]
}

/**
 * The lookups of a projection as joins behind the derived table `page`, and the names of its columns and of theirs. A row that is
 * missing gives NULL. Each lookup is read by the index of its key: otherwise the optimizer may read a whole table for a hash join.
 */
export function joinLookups(projection: readonly Selected[]): {
  readonly name: NameColumn
  readonly joins: readonly Sql[]
} {
  const lookups = listLookups(listProjectedColumns(projection.filter(({ kind }) => kind !== 'sum')))
  const keys = lookups.map(toLookupKey)
  const name: NameColumn = ({ column, lookup }) =>
    quoteColumn(lookup === undefined ? 'page' : `lookup${keys.indexOf(toLookupKey(lookup)) + 1}`, column)
  const joins = lookups.map((lookup, at) => {
    const alias = `lookup${at + 1}`
    const table = sql`${quote(lookup.table)} as ${quote(alias)}${hint(isChosen(lookup) ? 'PRIMARY' : lookup.index)}`
    return sql`left join ${table} on ${isFound(lookup, alias, name(lookup.on))}`
  })
  return { name, joins }
}

/**
 * The condition that a key equals the column that refers to it: as a foreign key between the two would, by their collation
 * where both have the same, else byte for byte.
 */
export function matchKey(key: Column, quotedKey: Sql, on: Column, quotedOn: Sql): Sql {
  if (!comparesBytes(key, on)) return sql`${quotedKey} = ${quotedOn}`
  // Columns of different collations cannot be compared as they are, and an index on the key serves only its own collation.
  const bytes = sql`${toBytes(key, quotedKey)} = ${toBytes(on, quotedOn)}`
  // A UUID of MariaDB has no character set.
  return sql`${quotedKey} = ${key.characterSet === null ? quotedOn : convert(quotedOn, key)} and ${bytes}`
}

/** Whether a key and the column that refers to it have no collation in common. */
export function comparesBytes(key: Column, on: Column): boolean {
  return key.kind === 'text' && (key.collation !== on.collation || key.characterSet !== on.characterSet)
}

/** The conditions that a row has the key of a lookup and passes its tests. */
function listFits({ key, tests, on }: Lookup, alias: string, value: Sql): readonly Sql[] {
  const conditions = tests.map((test) => testCell(test, quoteColumn(alias, test.column)))
  return [matchKey(key, quoteColumn(alias, key), on.column, value), ...conditions]
}

/** The sum of a column over all rows that a lookup finds, NULL where there is none: one value for each row of `page`. */
export function selectSum(found: LookupColumn, nullIsZero: boolean): Selected {
  const { column, lookup } = found
  const cell = quoteColumn('line', column)
  const sum = nullIsZero ? sql`sum(${cell})` : sql`case when count(*) = count(${cell}) then sum(${cell}) end`
  const lines = sql`${quote(lookup.table)} as ${quote('line')}${hint(lookup.index)}`
  const select = (name: NameColumn): Sql => {
    const conditions = all([...listFits(lookup, 'line', name(lookup.on)), isUncached])
    return sql`(select ${sum} from ${lines} where ${conditions})`
  }
  return { kind: 'sum', columns: [found], select }
}

/**
 * A condition that always holds. MariaDB caches the results of a subquery by the columns that it names, which it compares
 * by their collations: a row with `e1` would get the result of one with `E1`. Of a subquery with RAND it keeps none.
 */
const isUncached = sql`rand() >= 0`

/** The same for a subquery that a column is compared with: with RAND, MySQL uses no index for it. */
const isUncachedOperand = sql`last_insert_id() >= 0`

/** Whether SQL is a column of a row. A value, which has a hole, is the same for all rows: its result may be cached. */
function isOfRow({ values }: Sql): boolean {
  return values.length === 0
}

/** Whether a lookup chooses one of several rows, which is then read by its primary key. */
export function isChosen({ order }: Lookup): boolean {
  return order.length > 0
}

/**
 * The condition that a row is the one that a lookup finds. Where the lookup chooses, its primary key is the lowest or the highest
 * of those that fit: the first entry of the index of the key, from one of its ends. The key is in the order because MySQL
 * sorts all entries otherwise.
 *
 * @param alias the name of the table in the statement.
 * @param on the column that the lookup begins with, or a value.
 */
function isFound(lookup: Lookup, alias: string, on: Sql): Sql {
  const { table, key, order, isLast, index } = lookup
  if (!isChosen(lookup)) return all(listFits(lookup, alias, on))
  const way = new Sql(isLast ? ' desc' : '')
  const ends = [key, ...order].map((column) => sql`${quoteColumn('end', column)}${way}`)
  const from = sql`from ${quote(table)} as ${quote('end')}${hint(index)}`
  const uncached = isOfRow(on) && comparesBytes(key, lookup.on.column) ? [isUncachedOperand] : []
  const rest = sql`where ${all([...listFits(lookup, 'end', on), ...uncached])} order by ${join(ends, ', ')} limit 1`
  return all(
    order.map(
      (column) => sql`${quoteColumn(alias, column)} = (select ${quoteColumn('end', column)} ${from} ${rest})`,
    ),
  )
}

/** The tables of a chain of lookups, joined, as `link1`, `link2`. */
export function fromChain(chain: readonly Lookup[]): Sql {
  const tables = chain.map((lookup, at) => {
    const alias = `link${at + 1}`
    const table = sql`${quote(lookup.table)} as ${quote(alias)}${hint(isChosen(lookup) ? 'PRIMARY' : '')}`
    const on = quoteColumn(`link${at}`, lookup.on.column)
    return at === 0 ? table : sql`join ${table} on ${isFound(lookup, alias, on)}`
  })
  return join(tables, ' ')
}

/**
 * What a test says of the one row that a lookup finds: 1, 0, or NULL where the test is NULL. Several rows are 0, whatever
 * it says: a unique index is missing then. A scalar subquery, because both servers turn EXISTS into a join.
 *
 * @param toOn what the lookup begins with: the column of a row, or a value.
 */
export function selectFound(
  { column, lookup }: LookupColumn,
  toOn: (column: Column) => Sql,
  test: (quoted: Sql) => Sql,
  holdsForNull = false,
): Sql {
  const chain = listChain(lookup)
  const first = chain[0] ?? lookup
  const on = toOn(first.on.column)
  const missing = holdsForNull ? sql`1` : sql`0`
  const holds = test(quoteColumn(`link${chain.length}`, column))
  const result = isOfRow(on) ? sql`(${holds}) and ${isUncached}` : holds
  return sql`(select case count(*) when 0 then ${missing} when 1 then min(${result}) else 0 end from ${fromChain(chain)} where ${isFound(first, 'link1', on)})`
}

/** A test of a row of the table; columns of a row that a lookup does not find count as NULL. */
export function testRow(test: RowTest, table: { readonly name: string }): Sql {
  return isLookedUp(test) ? testValue(test, table) : testCondition(test, quote(test.column.name))
}

/** The same as a value, in which IS NULL finds no zero date. */
export function testValue(test: RowTest, table: { readonly name: string }): Sql {
  const holdsForNull = (test.is === null) !== test.isNegated
  return testFound(table, test, (quoted) => testCell(test, quoted), holdsForNull)
}

/** A test of a column of a row, or of the row that a lookup finds. */
export function testFound(
  { name }: { readonly name: string },
  found: FoundColumn,
  test: (quoted: Sql) => Sql,
  holdsForNull = false,
): Sql {
  return isLookedUp(found)
    ? selectFound(found, (column) => quoteColumn(name, column), test, holdsForNull)
    : test(quote(found.column.name))
}
