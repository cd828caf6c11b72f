import { all, join, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { Statement } from '../../database/statement.js'
import { listUnarchived, selectFromPage } from '../../collections/rows.js'
import { findOwnColumn } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'

interface GroupsInput {
  readonly table: ResolvedTable
  /** The column whose values are counted. */
  readonly found: FoundColumn
  /** Whether only records count: rows of the mapping's `where` that are not archived. Otherwise an index can be enough. */
  readonly isVisible: boolean
  readonly limit: number
  /** Counts only among the rows with the greatest ids; undefined for the whole table. */
  readonly newest?: number | undefined
}

/**
 * The values of a column with their numbers of rows, the most frequent first; values that differ in one byte differ. For a
 * lookup, rows are counted by the column of the table itself first, so that each row of the other table is read once.
 */
export function renderGroups(input: GroupsInput): Statement {
  const { table, found, limit } = input
  const own = quote(findOwnColumn(found).name)
  const as = found.lookup === undefined ? quote('value') : own
  // Without the bytes, a collation that ignores case would count different values as one.
  const groups = input.isVisible ? sql`${own}, cast(${own} as binary)` : own
  const rows = sql`select ${own} as ${as}, count(*) as \`rows\` from ${fromRows(input)} group by ${groups}`
  const values = found.lookup === undefined ? rows : lookUpValues(table, found, rows)
  return toStatement(
    sql`select \`value\`, sum(\`rows\`) as \`rows\` from (${values}) as \`counted\` group by \`value\`, cast(\`value\` as binary) order by sum(\`rows\`) desc limit ${String(limit)}`,
  )
}

function lookUpValues(table: ResolvedTable, found: FoundColumn, rows: Sql): Sql {
  const reading = {
    table: {
      ...table,
      projection: [{ ...found, as: 'value' }],
      // Such a page has no ids.
      id: { ...table.id, column: findOwnColumn(found) },
    },
    also: [sql`\`page\`.\`rows\` as \`rows\``],
    isOrdered: false,
  }
  return selectFromPage(reading, sql`(${rows})`)
}

function fromRows({ table, found, isVisible, newest }: GroupsInput): Sql {
  const name = quote(table.name)
  if (!isVisible && newest === undefined) return name
  const where = isVisible ? listUnarchived(table) : []
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  const order = quoteColumn(table.name, table.id.column)
  const limit = newest === undefined ? sql`` : sql` order by ${order} desc limit ${String(newest)}`
  return sql`(select ${quote(findOwnColumn(found).name)} from ${name}${conditions}${limit}) as \`newest\``
}

/** Rows that a question about a column reads: those with the greatest ids. */
const newestMax = 20_000

/** Some columns of the newest rows, behind FROM, under the name of the table. */
export function fromNewest({ name, id }: ResolvedTable, columns: readonly string[]): Sql {
  const names = [...new Set([...columns, id.column.name])].map(quote)
  const order = quoteColumn(name, id.column)
  return sql`(select ${join(names, ', ')} from ${quote(name)} order by ${order} desc limit ${String(newestMax)}) as ${quote(name)}`
}
