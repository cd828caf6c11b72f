import type { Column, Table } from '../database/column.js'
import type { Schema } from '../database/schema.js'
import { bind, join, prepare, quote, quoteColumn, sql } from '../database/sql.js'
import type { RunQuery, Statement } from '../database/statement.js'
import { listResources, resolveSections } from '../mapping/resolve-mapping.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { findZero, isIndexable, listVisibilityTests } from '../query/tests.js'
import type { ResolvedTable } from '../resources/resolved-table.js'

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
  for (const { table } of listResources(resolved))
    for (const column of listUnsetTimes(table)) {
      const found = marked.get(table.name)
      const statement = renderSearch(table, column)
      if (found === undefined || statement === undefined || !(await isZeroFree(statement, runQuery))) continue
      marked.set(table.name, mark(found, column))
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
function renderSearch(table: ResolvedTable, column: Column): Statement | undefined {
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
  if (before.length === 0)
    return bind(
      prepare(() => sql`select 1 as \`prefixes\`, ${found} as \`found\``),
      {},
    )
  const names = join(
    before.map((one) => quoteColumn('t', one)),
    ', ',
  )
  const prefixes = sql`(select distinct ${names} from ${source} limit ${String(prefixesMax + 1)}) as \`w\``
  return bind(
    prepare(() => sql`select count(*) as \`prefixes\`, max(${found}) as \`found\` from ${prefixes}`),
    {},
  )
}

/** An error says nothing of the column: what it means for the service, the comparison with the schema finds out. */
async function isZeroFree(statement: Statement, runQuery: RunQuery): Promise<boolean> {
  try {
    const [row] = await runQuery(statement)
    return Number(row?.['found'] ?? 0) === 0 && Number(row?.['prefixes']) <= prefixesMax
  } catch {
    return false
  }
}

function mark(table: Table, column: Column): Table {
  const name = column.name.toLowerCase()
  return { ...table, columns: new Map(table.columns).set(name, { ...column, isZeroFree: true }) }
}
