import type { Knex } from 'knex'
import { bindTemplate, builder, join, quoteName, raw, slot, toTemplate } from '../database/fragments-sql.js'
import type { Column } from '../database/column.js'
import type { BoundValue, Statement } from '../database/statement.js'
import { applyUnarchived } from '../query/condition-sql.js'
import { quoteOrder, selectFromPage } from '../query/table-sql.js'
import { renderCellTest } from '../query/test-sql.js'
import { findOwnColumn } from '../resources/resolved-table.js'
import type { EventLink, FoundColumn, Lookup, ResolvedTable } from '../resources/resolved-table.js'

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
  const query = countValues(input).orderByRaw(raw('sum(`rows`) desc')).limit(input.limit)
  return bindTemplate(toTemplate(query))
}

/** The values with the most rows, with the number of rows in the middle, and with the fewest, in this order; and NULL. */
export function renderSizes(input: GroupsInput): Statement {
  const ranked = builder
    .select([
      raw('`value`'),
      raw('`rows`'),
      raw('row_number() over (order by `value` is null, `rows` desc) as `place`'),
      raw('count(`value`) over () as `size`'),
    ])
    .from(raw('? as `sized`', countValues(input)))
  const query = builder
    .select([raw('`value`'), raw('`rows`')])
    .from(raw('? as `ranked`', ranked))
    .whereRaw(raw('`value` is null or `place` in (1, ceiling(`size` / 2), `size`)'))
    .orderByRaw(raw('`place`'))
  return bindTemplate(toTemplate(query))
}

function countValues(input: GroupsInput): Knex.QueryBuilder {
  const { table, found } = input
  const own = findOwnColumn(found)
  const rows = builder
    .select([raw('? as ?', quoteName(own.name), quoteName(found.lookup ? own.name : 'value')), countRows])
    .from(renderRows(input))
    // Without the bytes, a collation that ignores case would count different values as one.
    .groupByRaw(raw(input.isVisible ? '?, cast(? as binary)' : '?', ...repeat(own, input.isVisible ? 2 : 1)))
  const values = found.lookup === undefined ? rows : lookUpValues(table, found, rows)
  return builder
    .select([raw('`value`'), raw('sum(`rows`) as `rows`')])
    .from(raw('? as `counted`', values))
    .groupByRaw(raw('`value`, cast(`value` as binary)'))
}

const countRows = raw('count(*) as `rows`')

function repeat({ name }: Column, times: number): readonly Knex.Raw[] {
  return Array.from({ length: times }, () => quoteName(name))
}

function lookUpValues(table: ResolvedTable, found: FoundColumn, rows: Knex.QueryBuilder): Knex.QueryBuilder {
  return selectFromPage({
    table: {
      ...table,
      projection: [{ ...found, as: 'value' }],
      isIdUnique: true,
      // Such a page has no ids.
      id: { ...table.id, column: findOwnColumn(found) },
    },
    page: rows,
    also: [raw('`page`.`rows` as `rows`')],
    isHinted: true,
    isOrdered: false,
  })
}

function renderRows({ table, found, isVisible, newest }: GroupsInput): Knex.Raw {
  const name = quoteName(table.name)
  if (!isVisible && newest === undefined) return name
  const query = builder.select([quoteName(findOwnColumn(found).name)]).from(name)
  if (isVisible) applyUnarchived(query, table)
  if (newest !== undefined) query.orderByRaw(raw('? desc', quoteOrder(table, table.id.column))).limit(newest)
  return raw('? as `newest`', query)
}

/** The number of rows of a table. */
export function renderCount({ name }: ResolvedTable): Statement {
  return bindTemplate(toTemplate(builder.select([raw('count(*) as `rows`')]).from(quoteName(name))))
}

/** The event that most of these invoices are linked to. @param invoices stored ids, at least one. */
export function renderLinkedEvent(
  { table, invoice, event }: EventLink,
  invoices: readonly BoundValue[],
): Statement {
  const name = quoteName(event.column.name)
  const ids = invoices.map((_, at) => slot(`id${at}`))
  const query = builder
    .select([raw('? as `event`', name)])
    .from(quoteName(table))
    .whereRaw(raw('? in (?)', quoteName(invoice.column.name), join(ids, ', ')))
    .groupByRaw(raw('?', name))
    .orderByRaw(raw('count(*) desc'))
    .limit(1)
  return bindTemplate(toTemplate(query), new Map(invoices.map((id, at) => [`id${at}`, id])))
}

/** The number of keys with several rows that pass the tests of a lookup. */
export function renderSeveral({ table, key, choice }: Lookup): Statement {
  const name = quoteName(key.name)
  const groups = builder
    .select([raw('1')])
    .from(quoteName(table))
    .whereRaw(raw('? is not null', name))
  for (const test of choice?.tests ?? []) groups.where(renderCellTest(test, quoteName(test.column.name)))
  groups.groupByRaw(raw('?', name)).havingRaw(raw('count(*) > 1'))
  return bindTemplate(
    toTemplate(builder.select([raw('count(*) as `keys`')]).from(raw('? as `several`', groups))),
  )
}
