import { builder, raw, toStatement } from './builder-sql.js'
import { toQuotedName } from './sql.js'
import type { Statement } from './statement.js'

/** The columns of some tables and views that the user may see, or of all, as `information_schema` describes them. */
export function renderColumns(tables?: readonly string[]): Statement {
  const query = builder
    .select({
      tableName: 'table_name',
      name: 'column_name',
      dataType: 'data_type',
      columnType: 'column_type',
      nullable: 'is_nullable',
      length: raw('coalesce(character_maximum_length, 0)'),
      fractionDigits: raw('coalesce(datetime_precision, 0)'),
      characterSet: 'character_set_name',
      collation: 'collation_name',
      extra: 'extra',
      comment: 'column_comment',
    })
    .from('information_schema.columns')
    .where('table_schema', raw('database()'))
    .orderBy(['table_name', 'ordinal_position'])
  if (tables !== undefined) query.whereIn('table_name', tables)
  return toStatement(query)
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
  const query = builder
    .select({
      tableName: 'table_name',
      name: 'index_name',
      nonUnique: 'non_unique',
      columnName: raw("case when sub_part is null and collation = 'A' then column_name end"),
      // Whatever the part and the order: a prefix that is unique makes the whole unique, and a hash index has no order.
      partName: 'column_name',
    })
    .select('parts.*')
    .from({ parts: 'information_schema.statistics' })
    .where('table_schema', raw('database()'))
    .orderBy(['table_name', 'index_name', 'seq_in_index'])
  if (tables !== undefined) query.whereIn('table_name', tables)
  return toStatement(query)
}

/** The tables and views that the user may see: of the current database where none is named, and some where they are. */
export function renderTables({
  database,
  names,
}: {
  readonly database?: string
  readonly names?: readonly string[]
}): Statement {
  const query = builder
    .select({ tableName: 'table_name', type: 'table_type', engine: 'engine', rowCount: 'table_rows' })
    .from('information_schema.tables')
    .where('table_schema', database ?? raw('database()'))
    .orderBy('table_name')
  if (names !== undefined) query.whereIn('table_name', names)
  return toStatement(query)
}

/** The foreign keys of the database, a row for each of their columns. */
export function renderForeignKeys(): Statement {
  return toStatement(
    builder
      .select({
        tableName: 'table_name',
        name: 'constraint_name',
        columnName: 'column_name',
        target: 'referenced_table_name',
        key: 'referenced_column_name',
      })
      .from('information_schema.key_column_usage')
      .where('table_schema', raw('database()'))
      .where('referenced_table_schema', raw('database()'))
      .orderBy(['table_name', 'constraint_name', 'ordinal_position']),
  )
}
