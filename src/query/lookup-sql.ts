import type { Knex } from 'knex'
import type { Column } from '../database/column.js'
import { bytesEqual, join, quoteColumn, quoteName, raw } from '../database/fragments-sql.js'
import type {
  FoundColumn,
  Lookup,
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
function toKey({ table, key, on }: Lookup): string {
  return JSON.stringify([table, key.name, on.column.name, on.lookup === undefined ? null : toKey(on.lookup)])
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
 * @param isHinted whether each lookup must be read by its unique index: otherwise the optimizer may read a whole table
 *   for a hash join.
 */
export function renderJoins(projection: readonly Projected[], isHinted: boolean): readonly Knex.Raw[] {
  const name = nameInPage(projection)
  return listLookups(projection).map((lookup, at) => {
    const { table, key, index, on } = lookup
    const equal = renderKeyEquals(key, name({ column: key, lookup }), on, name(on))
    const aliased = raw('? as ?', quoteName(table), quoteName(toAlias(at)))
    return isHinted
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

/** The tables of a chain of lookups, joined, as `link1`, `link2`. */
export function renderChain(chain: readonly Lookup[]): Knex.Raw {
  const tables = chain.map(({ table, key, on }, at) => {
    const [alias, before] = [`link${at + 1}`, `link${at}`]
    const quoted = raw('? as ?', quoteName(table), quoteName(alias))
    if (at === 0) return quoted
    const equal = renderKeyEquals(key, quoteColumn(alias, key), on, quoteColumn(before, on.column))
    return raw('join ? on ?', quoted, equal)
  })
  return join(tables, ' ')
}

/**
 * What a test says of the one row that a lookup finds: 1, 0, or NULL where there is no row, several, or where the test is
 * NULL. A scalar subquery, because both servers turn EXISTS into a join, which can begin at the other table and then sort.
 *
 * It names the id of the row, because MariaDB caches the results of a subquery by the columns that it names, which it
 * compares by their collations: without the id, a row with `e1` would get the result of one with `E1`.
 */
export function renderInLookup(
  { name, id }: Pick<ResolvedTable, 'name' | 'id'>,
  found: LookupColumn,
  toTest: (quoted: Knex.Raw) => Knex.Raw,
): Knex.Raw {
  const row = quoteColumn(name, id.column)
  const toRowTest = (quoted: Knex.Raw): Knex.Raw => raw('(?) and ? <=> ?', toTest(quoted), row, row)
  return renderLookup(found, (on) => quoteColumn(name, on), toRowTest)
}

/**
 * The same for a lookup that begins with a column or with a value.
 *
 * @param toOn names the column that the lookup begins with, or gives its value.
 */
export function renderLookup(
  { column, lookup }: LookupColumn,
  toOn: (column: Column) => Knex.Raw,
  toTest: (quoted: Knex.Raw) => Knex.Raw,
): Knex.Raw {
  const chain = listChain(lookup)
  const [first] = chain
  if (first === undefined) throw new Error('A lookup has at least one table')
  const key = quoteColumn('link1', first.key)
  return raw(
    '(select min(?) from ? where ? having count(*) = 1)',
    toTest(quoteColumn(`link${chain.length}`, column)),
    renderChain(chain),
    renderKeyEquals(first.key, key, first.on, toOn(first.on.column)),
  )
}
