import type { Knex } from 'knex'
import { bindTemplate, builder, quoteName, raw, toTemplate } from '../database/fragments-sql.js'
import type { Statement } from '../database/statement.js'
import type { DescribedColumn, DescribedTable } from '../database/description.js'

/** The rows that are read from each end of a table: the oldest have what newer ones do not have, and the reverse. */
export const endRowsMax = 500

const asBytes = 'cast(convert(? using utf8mb4) as binary)'

/**
 * The most frequent values of a column with their numbers of rows, byte for byte: a collation can treat two words as
 * one. It reads the whole table, or the index of the column.
 */
export function renderCodes(table: DescribedTable, column: string, max: number): Statement {
  return groupCodes(builder.from(quoteName(table.name)).select({ held: quoteName(column) }), max)
}

/** The same of both ends of the table. */
export function renderEndCodes(table: DescribedTable, column: string, max: number): Statement {
  return groupCodes(
    selectEnds(table, [column], () => 'held'),
    max,
  )
}

function groupCodes(rows: Knex.QueryBuilder, max: number): Statement {
  return bindTemplate(
    toTemplate(
      builder
        .from(rows.as('cells'))
        .select({ code: raw(asBytes, raw('held')), rowCount: raw('count(*)') })
        // Not the name of the stored column, whose collation would group words.
        .groupBy('code')
        .orderBy('rowCount', 'desc')
        .orderBy('code')
        .limit(max),
    ),
  )
}

/** For each column how many rows of both ends have a value, and of text, how many look like an address or a currency. */
export function renderProfile(table: DescribedTable): Statement {
  const names = table.columns.map(({ name }) => name)
  const cells = table.columns.flatMap((column, at) => listCounts(column, raw(`c${at}`), at))
  return bindTemplate(
    toTemplate(
      builder
        .from(selectEnds(table, names, (at) => `c${at}`).as('ends'))
        .select(Object.fromEntries([['rowCount', raw('count(*)')], ...cells])),
    ),
  )
}

function listCounts({ kind }: DescribedColumn, cell: Knex.Raw, at: number): readonly [string, Knex.Raw][] {
  if (kind !== 'text') return [[`filled${at}`, raw('sum(? is not null)', cell)]]
  return [
    [`filled${at}`, raw("sum(? is not null and ? <> '')", cell, cell)],
    [`mails${at}`, raw("sum(? like '%_@_%._%')", cell)],
    [`threes${at}`, raw('sum(char_length(?) = 3)', cell)],
    // A question mark would be a placeholder.
    [`decimals${at}`, raw("sum(? regexp '^-{0,1}[0-9]+([.][0-9]+){0,1}$')", cell)],
  ]
}

function selectEnds(
  { name, primary }: DescribedTable,
  columns: readonly string[],
  toAlias: (at: number) => string,
): Knex.QueryBuilder {
  const selectEnd = (direction: 'asc' | 'desc'): Knex.QueryBuilder => {
    const rows = builder
      .from(quoteName(name))
      .select(Object.fromEntries(columns.map((column, at) => [toAlias(at), quoteName(column)])))
      .limit(endRowsMax)
    for (const column of primary) rows.orderByRaw(raw(`? ${direction}`, quoteName(column)))
    return builder.from(rows.as(direction)).select('*')
  }
  return primary.length === 0 ? selectEnd('asc') : selectEnd('asc').unionAll(selectEnd('desc'))
}
