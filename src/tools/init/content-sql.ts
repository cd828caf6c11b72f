import type { Knex } from 'knex'
import { builder, quoteName, raw, toStatement } from '../../database/builder-sql.js'
import { quoteText } from '../../database/sql.js'
import type { Statement } from '../../database/statement.js'
import type { DescribedColumn, DescribedTable } from '../description.js'

/** The rows that are read from each end of a table: the oldest have what newer ones do not have, and the reverse. */
export const endRowsMax = 500

/** The columns of a table of keys and values. */
export interface KeyAndValue {
  readonly key: DescribedColumn
  readonly value: DescribedColumn
}

/** Of a product with one currency, the second shows that it has several. */
const currenciesMax = 10
/** The characters of a setting that are read. */
const settingMax = 10_000

const asBytes = 'cast(convert(? using utf8mb4) as binary)'

/**
 * The most frequent values of a column with their numbers of rows, byte for byte: a collation can treat two words as
 * one. It reads the whole table, or the index of the column.
 */
export function renderCodes({ name }: DescribedTable, column: string, max: number): Statement {
  return groupCodes(builder.from(quoteName(name)).select({ held: quoteName(column) }), max)
}

/** The same of both ends of the table. */
export function renderEndCodes(table: DescribedTable, column: string, max: number): Statement {
  return groupCodes(selectEnds(table, column), max)
}

type Names = Readonly<Record<string, string>>

/** The cells of columns at one end of the table, under other names. */
function selectEnd(
  { name, primary }: DescribedTable,
  columns: Names,
  direction: 'asc' | 'desc',
): Knex.QueryBuilder {
  const named = Object.entries(columns).map(([as, column]) => [as, quoteName(column)] as const)
  const rows = builder.from(quoteName(name)).select(Object.fromEntries(named)).limit(endRowsMax)
  for (const key of primary) rows.orderByRaw(raw(`? ${direction}`, quoteName(key)))
  return builder.from(rows.as(direction)).select('*')
}

/** The cells of a column at both ends of the table, as `held`. */
function selectEnds(table: DescribedTable, column: string): Knex.QueryBuilder {
  const newest = selectEnd(table, { held: column }, 'desc')
  return table.primary.length > 0 ? selectEnd(table, { held: column }, 'asc').unionAll(newest) : newest
}

/**
 * How many of the newest rows of a table have a value in each column, as `filled0`, and for a text how many differ and how
 * many end with two digits; for an integer, how many digits it has. No value leaves the server.
 */
export function renderFilled(table: DescribedTable, columns: readonly DescribedColumn[]): Statement {
  const counts = columns.flatMap(({ kind }, at): readonly Knex.Raw[] => {
    const held = raw(`c${at}`)
    if (kind === 'integer')
      return [
        raw(`count(?) as filled${at}`, held),
        raw(`max(char_length(?)) as longest${at}`, held),
        raw(`min(char_length(nullif(?, 0))) as shortest${at}`, held),
      ]
    if (kind !== 'text') return [raw(`count(?) as filled${at}`, held)]
    const isDigit = (of: string): string => `${of} between '0' and '9'`
    return [
      raw(`count(nullif(?, '')) as filled${at}`, held),
      raw(`count(distinct nullif(?, '')) as differing${at}`, held),
      raw(`sum(${isDigit(`right(c${at}, 1)`)} and ${isDigit(`left(right(c${at}, 2), 1)`)}) as numbered${at}`),
    ]
  })
  const names = Object.fromEntries(columns.map(({ name }, at) => [`c${at}`, name]))
  return toStatement(
    builder.from(selectEnd(table, names, 'desc').as('cells')).select(raw('count(*) as `rows`'), ...counts),
  )
}

function groupCodes(rows: Knex.QueryBuilder, max: number): Statement {
  return toStatement(
    builder
      .from(rows.as('cells'))
      .select({ code: raw(asBytes, raw('held')), rowCount: raw('count(*)') })
      // Not the name of the stored column, whose collation would group words.
      .groupBy('code')
      .orderBy('rowCount', 'desc')
      .orderBy('code')
      .limit(max),
  )
}

/** The keys of the objects at some paths of the JSON documents of a column, at both ends of the table. */
export function renderKeys(table: DescribedTable, column: string, paths: readonly string[]): Statement {
  const document = 'case when json_valid(held) then held end'
  // A key has letters, digits and _ only, so that a path needs no quotes.
  const keys = paths.map((path, at) => raw(`cast(json_keys(${document}, '${path}') as binary) as keys${at}`))
  return toStatement(builder.from(selectEnds(table, column).as('cells')).distinct(keys))
}

/** A currency in `currency_code` = `EUR`, and in documents such as `{"currency":"EUR"}` and `s:8:"currency";s:3:"EUR";`. */
const currencySetting =
  '(currency|monnaie|devise|moneda|moeda|valuta|waehrung)(_code|_iso|_default){0,1}"{0,1}[=:;] {0,1}(s:3:){0,1}"{0,1}[A-Z]{3}([^A-Za-z0-9]|$)'

/** The currencies that a table of keys and values names. Nothing else of a value leaves the server. */
export function renderCurrencySettings({ name }: DescribedTable, { key, value }: KeyAndValue): Statement {
  // The server limits the time of an expression, and a setting is short.
  const toText = ({ name: column }: DescribedColumn): Knex.Raw =>
    raw(`convert(left(?, ${settingMax}) using utf8mb4)`, quoteName(column))
  const setting = raw("concat(?, '=', ?)", toText(key), toText(value))
  const found = raw(`regexp_substr(?, ${quoteText(currencySetting)})`, setting)
  const code = raw("regexp_substr(?, '[A-Z]{3}[^A-Z]{0,1}$')", found)
  return toStatement(
    builder
      .from(quoteName(name))
      .distinct(raw(`${asBytes} as code`, code))
      .limit(currenciesMax),
  )
}

/** One row of a table, without a value of it. */
export function renderAnyRow({ name }: DescribedTable, column?: string): Statement {
  const rows = builder
    .from(quoteName(name))
    .select({ one: raw('1') })
    .limit(1)
  return toStatement(column === undefined ? rows : rows.whereRaw(raw("? <> ''", quoteName(column))))
}

const ofUser = `grantee = concat("'", replace(current_user(), '@', "'@'"), "'") and privilege_type = 'SELECT'`
const ofDatabase = `${ofUser} and table_schema = database()`

/** The tables of which a user sees only some columns, and those that are granted one by one; none for one who sees all. */
export const partialStatement: Statement = {
  sql: `select name, max(is_table) as isTable from (
    select table_name as name, 0 as is_table from information_schema.column_privileges where ${ofDatabase}
    union all select table_name, 1 from information_schema.table_privileges where ${ofDatabase}) as granted
    where not exists (select 1 from information_schema.user_privileges where ${ofUser})
    and not exists (select 1 from information_schema.schema_privileges where ${ofUser} and database() like table_schema)
    group by name order by name`,
  values: [],
  withoutIndexHint: undefined,
}
