import type { Column, Table } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import { bind, join, prepare, quote, quoteColumn, Sql, sql } from '../database/sql.js'
import type { RunQuery } from '../database/statement.js'
import { listCollections, resolveSections } from '../mapping/resolve-mapping.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { findZero, isIndexable, listVisibilityTests } from '../collections/row-test.js'
import type { ResolvedTable } from '../collections/resolved-table.js'

/** The most values of the columns before a column in its index, at each of which a zero date is looked for. */
const prefixesMax = 10_000

/**
 * Marks the columns of times that hold no zero date, of those by which pages of a collection are chosen: a page of another
 * table reads two ranges of its index, one for NULL and one for the zero date. A column that no index finds, or whose index
 * has too many values before it, stays as it is.
 */
export async function markZeroFree(mapping: Mapping, schema: Schema, runQuery: RunQuery): Promise<Schema> {
  const marked = new Map(schema)
  const { registrations, invoices } = resolveSections(mapping, schema)
  const resolved = { registrations: registrations.resolved, invoices: invoices.resolved }
  const searches = listCollections(resolved).flatMap(({ table }) =>
    listUnsetTimes(table).flatMap((column) => {
      const search = renderSearch(table, column)
      return search === undefined ? [] : [{ table, column, search }]
    }),
  )
  const free = await findZeroFree(
    searches.map(({ search }) => search),
    runQuery,
  )
  for (const [at, { table, column }] of searches.entries()) {
    const found = marked.get(table.name)
    if (found !== undefined && free.has(at)) marked.set(table.name, mark(found, column))
  }
  return marked
}

/** The columns of times that are not set in the rows of a page. */
function listUnsetTimes(table: ResolvedTable): readonly Column[] {
  return listVisibilityTests(table)
    .filter((test) => test.is === 'unset' && isIndexable(test) && findZero(test.column) !== undefined)
    .map(({ column }) => column)
}

/** Looks for a zero date by an index, behind each value of the columns before it; undefined where no index has the column. */
function renderSearch(table: ResolvedTable, column: Column): Sql | undefined {
  const positions = table.indexes.map(({ columns }) => columns.indexOf(column.name.toLowerCase()))
  const nearest = Math.min(...positions.filter((at) => at >= 0))
  const index = table.indexes[positions.indexOf(nearest)]
  const zero = findZero(column)
  if (index === undefined || zero === undefined) return undefined
  const source = sql`${quote(table.name)} as \`t\` force index (${quote(index.name)})`
  const before = index.columns.slice(0, nearest).map((name) => ({ ...column, name }))
  const isZero = sql`${quoteColumn('t', column)} = ${zero}`
  const same = before.map((one) => sql`${quoteColumn('t', one)} = ${quoteColumn('w', one)} and `)
  const found = sql`exists(select 1 from ${source} where ${join(same, '')}${isZero})`
  if (before.length === 0) return sql`1 as \`prefixes\`, ${found} as \`found\``
  const names = join(
    before.map((one) => quoteColumn('t', one)),
    ', ',
  )
  const prefixes = sql`(select distinct ${names} from ${source} limit ${new Sql(String(prefixesMax + 1))}) as \`w\``
  return sql`count(*) as \`prefixes\`, max(${found}) as \`found\` from ${prefixes}`
}

/**
 * The searches that found no zero date, by their numbers, all in one statement. An error says nothing of the columns: what
 * it means for the service, the comparison with the schema finds out.
 */
async function findZeroFree(searches: readonly Sql[], runQuery: RunQuery): Promise<ReadonlySet<number>> {
  if (searches.length === 0) return new Set()
  const parts = searches.map((search, at) => sql`(select ${new Sql(String(at))} as \`at\`, ${search})`)
  try {
    const rows = await runQuery(
      bind(
        prepare(() => join(parts, ' union all ')),
        {},
      ),
    )
    const free = rows.filter(
      ({ found, prefixes }) => Number(found ?? 0) === 0 && Number(prefixes) <= prefixesMax,
    )
    return new Set(free.map((row) => Number(row['at'])))
  } catch {
    return new Set()
  }
}

function mark(table: Table, column: Column): Table {
  const name = column.name.toLowerCase()
  return { ...table, columns: new Map(table.columns).set(name, { ...column, isZeroFree: true }) }
}
