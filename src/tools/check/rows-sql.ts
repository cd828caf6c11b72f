import { all, join, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import { isTimeLimit } from '../../database/errors.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { selectRows } from '../../collections/rows.js'
import { findOwnColumn, listEventColumns, listRecordColumns } from '../../collections/resolved-table.js'
import type { FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'

/** Every column by which the records of a collection are found and read. */
export function listFoundColumns(table: ResolvedTable): readonly FoundColumn[] {
  const { workspace, eventId } = table
  return [
    ...listRecordColumns(table),
    ...('constant' in workspace ? [] : [workspace]),
    ...listEventColumns(eventId),
  ]
}

/** Rows that are read of a table where all rows reach the time limit. */
const newestMax = 20_000

/**
 * Reads all rows of a table, or those with the greatest ids where that reaches the time limit.
 *
 * @param render makes the statement of what stands behind FROM, which has the name of the table.
 * @param others columns that are read beside those of the mapping.
 */
export async function readAll(
  table: ResolvedTable,
  render: (rows: Sql) => Statement,
  runQuery: RunQuery,
  others: readonly string[] = [],
): Promise<{ readonly rows: readonly Row[]; readonly isPart: boolean }> {
  const { name, id, updatedAt } = table
  try {
    return { rows: await runQuery(render(quote(name))), isPart: false }
  } catch (error) {
    if (!isTimeLimit(error)) throw error
    const own = [...listFoundColumns(table), id, updatedAt].map((found) => findOwnColumn(found).name)
    const columns = join([...new Set([...own, ...others])].map(quote), ', ')
    const order = sql`order by ${quoteColumn(name, id.column)} desc limit ${String(newestMax)}`
    const rows = sql`(select ${columns} from ${quote(name)} ${order}) as ${quote(name)}`
    return { rows: await runQuery(render(rows)), isPart: true }
  }
}

/**
 * The values of a column with their numbers of rows, the most frequent first; values that differ in one byte differ.
 *
 * @param where conditions of the rows that count.
 */
export function renderGroups(
  table: ResolvedTable,
  found: FoundColumn,
  rows: Sql,
  { where = [], limit }: { readonly where?: readonly Sql[]; readonly limit: number },
): Statement {
  const conditions = where.length === 0 ? sql`` : sql` where ${all(where)}`
  const own = { ...table, projection: [{ column: found.column, lookup: found.lookup, as: 'value' }] }
  const values = selectRows({ table: own, isOrdered: false }, sql`${rows}${conditions}`)
  // Without the bytes, a collation that ignores case would count different values as one.
  const groups = sql`group by \`value\`, cast(\`value\` as binary) order by count(*) desc limit ${String(limit)}`
  return toStatement(sql`select \`value\`, count(*) as \`rows\` from (${values}) as \`found\` ${groups}`)
}
