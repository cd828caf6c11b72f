import { bindTemplate, builder, raw, toTemplate } from './fragments-sql.js'
import type { Statement } from './statement.js'

/** What `toColumn` is made from. */
export const columnCells = {
  tableName: 'table_name',
  name: 'column_name',
  dataType: 'data_type',
  columnType: 'column_type',
  nullable: 'is_nullable',
  length: raw('coalesce(character_maximum_length, 0)'),
  fractionDigits: raw('coalesce(datetime_precision, 0)'),
  characterSet: 'character_set_name',
  collation: 'collation_name',
} as const

/** The columns of tables and views that the user may see, as `information_schema` describes them. */
export function renderColumns(tables: readonly string[]): Statement {
  return bindTemplate(
    toTemplate(
      builder
        .select(columnCells)
        .from('information_schema.columns')
        .where('table_schema', raw('database()'))
        .whereIn('table_name', tables)
        .orderBy(['table_name', 'ordinal_position']),
    ),
  )
}

/** The parts of the indexes of some tables, or of all, in order; only a whole, ascending column has a name. */
export function renderIndexes(tables?: readonly string[]): Statement {
  const query = builder
    .select({
      tableName: 'table_name',
      name: 'index_name',
      nonUnique: 'non_unique',
      cardinality: 'cardinality',
      columnName: raw("case when sub_part is null and collation = 'A' then column_name end"),
      // Whatever the order: the entries of a hash index have none.
      wholeName: raw('case when sub_part is null then column_name end'),
    })
    .from('information_schema.statistics')
    .where('table_schema', raw('database()'))
    .orderBy(['table_name', 'index_name', 'seq_in_index'])
  if (tables !== undefined) query.whereIn('table_name', tables)
  return bindTemplate(toTemplate(query))
}
