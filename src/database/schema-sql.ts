import { quoteText, toQuotedName } from './sql.js'
import type { Statement } from './statement.js'

/** A statement on a table of `information_schema`. @param cells SQL by the names of the result */
function select(
  cells: Readonly<Record<string, string>>,
  { from, where, order }: { readonly from: string; readonly where: string; readonly order: string },
  more = '',
): Statement {
  const named = Object.entries(cells).map(([name, cell]) => `${cell} as ${toQuotedName(name)}`)
  const source = `information_schema.${from} as \`catalog\``
  return {
    sql: `select ${named.join(', ')}${more} from ${source} where ${where} order by ${order}`,
    values: [],
  }
}

/** The condition for some tables of a database, or for all. */
function among(tables: readonly string[] | undefined, database = 'database()'): string {
  const names = tables?.map(quoteText).join(', ')
  return `table_schema = ${database}${names === undefined ? '' : ` and table_name in (${names || 'null'})`}`
}

/** The columns of some tables and views that the user may see, or of all, as `information_schema` describes them. */
export function renderColumns(tables?: readonly string[]): Statement {
  const cells = {
    tableName: 'table_name',
    name: 'column_name',
    dataType: 'data_type',
    columnType: 'column_type',
    nullable: 'is_nullable',
    length: 'coalesce(character_maximum_length, 0)',
    fractionDigits: 'coalesce(datetime_precision, 0)',
    characterSet: 'character_set_name',
    collation: 'collation_name',
    extra: 'extra',
    comment: 'column_comment',
  }
  return select(cells, { from: 'columns', where: among(tables), order: 'table_name, ordinal_position' })
}

/** Reads the clock of the server, and no row of some columns: it is an error where one of them cannot be read. */
export function renderProbe(
  columns: readonly { readonly table: string; readonly column: string }[],
): Statement {
  const tables = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const names = columns.filter((one) => one.table === table).map(({ column }) => toQuotedName(column))
    return { name: toQuotedName(table), columns: [...new Set(names)] }
  })
  // Not a join `on 1 = 0`, for which MariaDB reads the whole table.
  const joins = tables.map(
    ({ name, columns: own }) =>
      `left join (select ${own.join(', ')} from ${name} limit 0) as ${name} on true`,
  )
  return {
    sql: `select cast(utc_timestamp(6) as char) as clock from (select 1 as one) as \`vitrine row\` ${joins.join(' ')}`,
    values: [],
  }
}

/**
 * The parts of the indexes of some tables, or of all, in order; only a whole, ascending column has a name. With all cells of the
 * server: MySQL says in IS_VISIBLE whether the optimizer uses an index, MariaDB in IGNORED.
 */
export function renderIndexes(tables?: readonly string[]): Statement {
  const cells = {
    tableName: 'table_name',
    name: 'index_name',
    nonUnique: 'non_unique',
    columnName: "case when sub_part is null and collation = 'A' then column_name end",
    // Whatever the part and the order: a prefix that is unique makes the whole unique, and a hash index has no order.
    partName: 'column_name',
  }
  const order = 'table_name, index_name, seq_in_index'
  return select(cells, { from: 'statistics', where: among(tables), order }, ', `catalog`.*')
}

/** The tables and views that the user may see: of the current database where none is named, and some where they are. */
export function renderTables(only: {
  readonly database?: string
  readonly names?: readonly string[]
}): Statement {
  const { database, names } = only
  const cells = { tableName: 'table_name', type: 'table_type', engine: 'engine', rowCount: 'table_rows' }
  const where = among(names, database === undefined ? undefined : quoteText(database))
  return select(cells, { from: 'tables', where, order: 'table_name' })
}

/** The foreign keys of the database, a row for each of their columns. */
export function renderForeignKeys(): Statement {
  const cells = {
    tableName: 'table_name',
    name: 'constraint_name',
    columnName: 'column_name',
    target: 'referenced_table_name',
    key: 'referenced_column_name',
  }
  const where = `${among(undefined)} and referenced_table_schema = database()`
  const order = 'table_name, constraint_name, ordinal_position'
  return select(cells, { from: 'key_column_usage', where, order })
}
