import { all, join, quote, quoteColumn, sql, toStatement } from '../../database/sql.js'
import type { Sql } from '../../database/sql.js'
import type { BoundValue, Statement } from '../../database/statement.js'
import { listUnarchived, selectFromPage } from '../../collections/rows.js'
import { findOwnColumn } from '../../collections/resolved-table.js'
import type { EventLink, FoundColumn, ResolvedTable } from '../../collections/resolved-table.js'

interface GroupsInput {
  readonly table: ResolvedTable
  /** The column whose values are counted. */
  readonly found: FoundColumn
  /** Whether only records count: rows of the mapping's `where` that are not archived. Otherwise an index can be enough. */
  readonly isVisible: boolean
  /** Counts only among the rows with the greatest ids; undefined for the whole table. */
  readonly newest?: number | undefined
}

/**
 * The values of a column with their numbers of rows, the most frequent first; values that differ in one byte differ. For a
 * lookup, rows are counted by the column of the table itself first, so that each row of the other table is read once.
 */
export function renderGroups(input: GroupsInput & { readonly limit: number }): Statement {
  return toStatement(sql`${countValues(input)} order by sum(\`rows\`) desc limit ${String(input.limit)}`)
}

/** The values with the most rows, with the number of rows in the middle, and with the fewest, in this order; and NULL. */
export function renderSizes(input: GroupsInput): Statement {
  const place = sql`row_number() over (order by \`value\` is null, \`rows\` desc) as \`place\``
  const size = sql`count(\`value\`) over () as \`size\``
  const ranked = sql`select \`value\`, \`rows\`, ${place}, ${size} from (${countValues(input)}) as \`sized\``
  const isWanted = sql`\`value\` is null or \`place\` in (1, ceiling(\`size\` / 2), \`size\`)`
  return toStatement(
    sql`select \`value\`, \`rows\` from (${ranked}) as \`ranked\` where ${isWanted} order by \`place\``,
  )
}

function countValues(input: GroupsInput): Sql {
  const { table, found } = input
  const own = quote(findOwnColumn(found).name)
  const as = found.lookup === undefined ? quote('value') : own
  // Without the bytes, a collation that ignores case would count different values as one.
  const groups = input.isVisible ? sql`${own}, cast(${own} as binary)` : own
  const rows = sql`select ${own} as ${as}, count(*) as \`rows\` from ${fromRows(input)} group by ${groups}`
  const values = found.lookup === undefined ? rows : lookUpValues(table, found, rows)
  return sql`select \`value\`, sum(\`rows\`) as \`rows\` from (${values}) as \`counted\` group by \`value\`, cast(\`value\` as binary)`
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
    isHinted: true,
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

/** The number of rows of a table. */
export function renderCount({ name }: ResolvedTable): Statement {
  return toStatement(sql`select count(*) as \`rows\` from ${quote(name)}`)
}

/** The event that most of these invoices are linked to. @param invoices stored ids, at least one. */
export function renderLinkedEvent(
  { table, invoice, event }: EventLink,
  invoices: readonly BoundValue[],
): Statement {
  const name = quote(event.column.name)
  const ids = invoices.map((id) => sql`${id}`)
  const isLinked = sql`${quote(invoice.column.name)} in (${join(ids, ', ')})`
  return toStatement(
    sql`select ${name} as \`event\` from ${quote(table)} where ${isLinked} group by ${name} order by count(*) desc limit ${'1'}`,
  )
}
