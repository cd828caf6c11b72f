import { all, bind, equals, Hole, join, prepare, quote, quoteColumn, sql } from '../database/sql.js'
import type { Sql } from '../database/sql.js'
import type { BoundValue, Statement } from '../database/statement.js'
import type { Column } from '../database/column.js'
import { listUnarchived, selectFromPage } from '../query/rows.js'
import { testCell } from '../query/tests.js'
import { findOwnColumn } from '../resources/resolved-table.js'
import type { EventLink, FoundColumn, Lookup, ResolvedTable, RowTest } from '../resources/resolved-table.js'

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

function toStatement(text: Sql): Statement {
  return bind(
    prepare(() => text),
    {},
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
  const holes = join(
    invoices.map((_, at) => sql`${new Hole(`id${at}`)}`),
    ', ',
  )
  const isLinked = sql`${quote(invoice.column.name)} in (${holes})`
  const text = sql`select ${name} as \`event\` from ${quote(table)} where ${isLinked} group by ${name} order by count(*) desc limit ${'1'}`
  const given = Object.fromEntries(invoices.map((id, at) => [`id${at}`, id]))
  return bind(
    prepare(() => text),
    given,
  )
}

/** The number of keys with several rows that pass the tests of a lookup. */
export function renderSeveralRows({ table, key, choice }: Lookup): Statement {
  const tests = (choice?.tests ?? []).map((test) => testCell(test, quote(test.column.name)))
  return renderSeveral(table, key, tests)
}

/** The number of ids that several records have, equal by the collation of the column. */
export function renderRepeatedIds(table: ResolvedTable): Statement {
  return renderSeveral(table.name, table.id.column, listUnarchived(table))
}

function renderSeveral(table: string, key: Column, conditions: readonly Sql[]): Statement {
  const name = quoteColumn(table, key)
  const groups = sql`select 1 from ${quote(table)} where ${all([sql`${name} is not null`, ...conditions])} group by ${name} having count(*) > 1`
  return toStatement(sql`select count(*) as \`keys\` from (${groups}) as \`several\``)
}

/** A column whose rows have a key beside their value, such as `meta_value` with `meta_key`. */
export interface KeyedValues {
  readonly table: string
  readonly value: string
  readonly key: RowTest
  /** The columns of the primary key. */
  readonly order: readonly Column[]
  /** The keys that the mapping reads. */
  readonly words: readonly string[]
}

/** Rows of a key-value table that are looked at, those with the greatest primary keys. */
const keyRowsMax = 100_000

/** The keys of a key-value table that the mapping does not read, the most frequent first. */
export function renderOtherKeys(
  { table, key: { column }, order, words }: KeyedValues,
  limit: number,
): Statement {
  const name = quote(column.name)
  const newest = join(
    order.map((one) => sql`${quote(one.name)} desc`),
    ', ',
  )
  const rows = sql`(select ${name} from ${quote(table)} order by ${newest} limit ${String(keyRowsMax)}) as \`newest\``
  const listed = join(
    words.map((word) => equals(column, name, word)),
    ' or ',
  )
  return toStatement(
    sql`select ${name} as \`value\` from ${rows} where not (${listed}) group by ${name} order by count(*) desc limit ${String(limit)}`,
  )
}
