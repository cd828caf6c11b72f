import type { Knex } from 'knex'
import type { Column } from '../database/column.js'
import { bytesEqual, join, quoteColumn, quoteName, raw } from '../database/fragments-sql.js'
import { renderCellTest } from './test-sql.js'
import type {
  FoundColumn,
  Lookup,
  LookupChoice,
  LookupColumn,
  Projected,
  ResolvedTable,
} from '../resources/resolved-table.js'

/*
 * A lookup reads one row of another table by its unique key. In a list, lookups are joined to the rows of the page; in a
 * condition, they are a subquery that reads one row. `renderKeyEquals` is the one rule by which a row refers to another.
 */

/** The lookups of a projection, each once, those first that others begin with. */
export function listLookups(projection: readonly Projected[]): readonly Lookup[] {
  const found = new Map<string, Lookup>()
  for (const one of projection) {
    if ('cases' in one) continue
    for (const lookup of listChain(one.lookup)) found.set(toKey(lookup), lookup)
  }
  return [...found.values()]
}

/** A lookup and those that it begins with, the one first whose `on` is a column of the resource's own table. */
export function listChain(lookup: Lookup | undefined): readonly Lookup[] {
  return lookup === undefined ? [] : [...listChain(lookup.on.lookup), lookup]
}

/** Equal for lookups that read the same row. */
function toKey({ table, key, choice, on }: Lookup): string {
  const tests = choice?.tests.map(({ column, is, isNegated }) => [column.name, is, isNegated === true])
  return JSON.stringify([
    table,
    key.name,
    on.column.name,
    on.lookup === undefined ? null : toKey(on.lookup),
    tests ?? null,
  ])
}

/** Names columns of the derived table `page` and of the lookups that are joined to it. */
export function nameInPage(projection: readonly Projected[]): (found: FoundColumn) => Knex.Raw {
  const keys = listLookups(projection).map(toKey)
  return ({ column, lookup }) =>
    quoteColumn(lookup === undefined ? 'page' : toAlias(keys.indexOf(toKey(lookup))), column)
}

/**
 * The lookups as joins behind the derived table `page`. A row that is missing gives NULL.
 *
 * @param isHinted whether each lookup must be read by the index of its key: otherwise the optimizer may read a whole table
 *   for a hash join.
 */
export function renderJoins(
  { projection, id }: Pick<ResolvedTable, 'projection' | 'id'>,
  isHinted: boolean,
): readonly Knex.Raw[] {
  const name = nameInPage(projection)
  const row = quoteColumn('page', id.column)
  return listLookups(projection).map((lookup, at) => {
    const { table, index, on } = lookup
    const equal = renderIsFound(lookup, { alias: toAlias(at), on: name(on), row })
    const aliased = raw('? as ?', quoteName(table), quoteName(toAlias(at)))
    return isHinted && index !== ''
      ? raw('left join ? force index (?) on ?', aliased, quoteName(index), equal)
      : raw('left join ? on ?', aliased, equal)
  })
}

function toAlias(at: number): string {
  return `lookup${at + 1}`
}

/**
 * The condition that a key equals the column that refers to it: as a foreign key between the two would, by their collation
 * where both have the same, else byte for byte.
 */
export function renderKeyEquals(
  key: Column,
  quotedKey: Knex.Raw,
  { column }: FoundColumn,
  quotedOn: Knex.Raw,
): Knex.Raw {
  if (key.kind !== 'text' || (key.collation === column.collation && key.characterSet === column.characterSet))
    return raw('? = ?', quotedKey, quotedOn)
  // Columns of different collations cannot be compared as they are, and an index on the key serves only its own collation.
  const converted = raw(`convert(? using ${key.characterSet ?? ''}) collate ${key.collation ?? ''}`, quotedOn)
  return raw('? = ? and ?', quotedKey, converted, bytesEqual([key, quotedKey], [column, quotedOn]))
}

/** A row of the table of a lookup, and what it is compared with. */
interface FoundRow {
  /** The name of the table in the statement. */
  readonly alias: string
  /** The column that the lookup begins with, or a value. */
  readonly on: Knex.Raw
  /** The id of the row that has the lookup; undefined where a value has it. */
  readonly row?: Knex.Raw | undefined
}

/**
 * The condition that a row is the one that a lookup finds. Where the lookup chooses, no row that fits too has a lower
 * primary key: a scalar subquery, which ends at the first such row. Neither server uses an index for
 * `key = (select min(…))`.
 */
function renderIsFound({ table, key, choice, on }: Lookup, { alias, on: value, row }: FoundRow): Knex.Raw {
  const listFits = (name: string, { tests }: LookupChoice): readonly Knex.Raw[] => [
    renderKeyEquals(key, quoteColumn(name, key), on, value),
    ...tests.map((test) => renderCellTest(test, quoteColumn(name, test.column))),
  ]
  if (choice === undefined) return renderKeyEquals(key, quoteColumn(alias, key), on, value)
  const before = [
    ...listFits('before', choice),
    renderIsBefore(choice.order, alias),
    // As in `renderInLookup`.
    ...(row === undefined ? [] : [raw('? <=> ?', row, row)]),
  ]
  const from = raw('? as `before`', quoteName(table))
  const isFirst = raw('(select 1 from ? where ? limit 1) is null', from, join(before, ' and '))
  return join([...listFits(alias, choice), isFirst], ' and ')
}

/** The condition that the primary key of a row of `before` is lower, column by column. */
function renderIsBefore(order: readonly Column[], alias: string): Knex.Raw {
  const compare = (column: Column, operator: string): Knex.Raw =>
    raw(`? ${operator} ?`, quoteColumn('before', column), quoteColumn(alias, column))
  const ways = order.map((column, at) => {
    const equal = order.slice(0, at).map((one) => compare(one, '='))
    return join([...equal, compare(column, '<')], ' and ')
  })
  return raw('(?)', join(ways, ' or '))
}

/**
 * The tables of a chain of lookups, joined, as `link1`, `link2`.
 *
 * @param row the id of the row that has the lookups.
 */
export function renderChain(chain: readonly Lookup[], row?: Knex.Raw): Knex.Raw {
  const tables = chain.map((lookup, at) => {
    const [alias, before] = [`link${at + 1}`, `link${at}`]
    const quoted = raw('? as ?', quoteName(lookup.table), quoteName(alias))
    if (at === 0) return quoted
    return raw(
      'join ? on ?',
      quoted,
      renderIsFound(lookup, { alias, on: quoteColumn(before, lookup.on.column), row }),
    )
  })
  return join(tables, ' ')
}

/**
 * What a test says of the one row that a lookup finds: 1, 0, or NULL where the test is NULL. Several rows are 0, whatever
 * it says: a unique index is missing then. A scalar subquery, because both servers turn EXISTS into a join, which can begin at the other table and then sort.
 *
 * It names the id of the row, because MariaDB caches the results of a subquery by the columns that it names, which it
 * compares by their collations: without the id, a row with `e1` would get the result of one with `E1`.
 */
export function renderInLookup(
  { name, id }: Pick<ResolvedTable, 'name' | 'id'>,
  found: LookupColumn,
  toTest: (quoted: Knex.Raw) => Knex.Raw,
  whenMissing: '0' | '1' = '0',
): Knex.Raw {
  const row = quoteColumn(name, id.column)
  const toRowTest = (quoted: Knex.Raw): Knex.Raw => raw('(?) and ? <=> ?', toTest(quoted), row, row)
  return renderLookup(found, { toOn: (on) => quoteColumn(name, on), toTest: toRowTest, row, whenMissing })
}

/** A test of the row that a lookup finds. */
interface LookupTest {
  /** Names the column that the lookup begins with, or gives its value. */
  readonly toOn: (column: Column) => Knex.Raw
  readonly toTest: (quoted: Knex.Raw) => Knex.Raw
  /** The id of the row that has the lookup; undefined where a value has it. */
  readonly row?: Knex.Raw
  /** What the test says of a row that is missing. */
  readonly whenMissing?: '0' | '1'
}

/** The same for a lookup that begins with a column or with a value. */
export function renderLookup(
  { column, lookup }: LookupColumn,
  { toOn, toTest, row, whenMissing = '0' }: LookupTest,
): Knex.Raw {
  const chain = listChain(lookup)
  const [first] = chain
  if (first === undefined) throw new Error('A lookup has at least one table')
  return raw(
    `(select case count(*) when 0 then ${whenMissing} when 1 then min(?) else 0 end from ? where ?)`,
    toTest(quoteColumn(`link${chain.length}`, column)),
    renderChain(chain, row),
    renderIsFound(first, { alias: 'link1', on: toOn(first.on.column), row }),
  )
}
