import { bindTemplate, builder, raw, toTemplate } from '../database/fragments-sql.js'
import { columnCells } from '../database/schema-sql.js'
import type { Statement } from '../database/statement.js'

/** Every table and view of the database that the user may see, with the server's estimates of their sizes. */
export function renderTables(): Statement {
  return bindTemplate(
    toTemplate(
      builder
        .select({
          tableName: 'table_name',
          tableType: 'table_type',
          rowCount: raw('coalesce(table_rows, 0)'),
          engine: 'engine',
        })
        .from('information_schema.tables')
        .where('table_schema', raw('database()'))
        .orderBy('table_name'),
    ),
  )
}

/** Every column of the database that the user may see. */
export function renderAllColumns(): Statement {
  return bindTemplate(
    toTemplate(
      builder
        .select({
          ...columnCells,
          bytes: raw('coalesce(character_octet_length, 0)'),
          scale: raw('coalesce(numeric_scale, 0)'),
          extra: 'extra',
          defaultValue: 'column_default',
          comment: 'column_comment',
        })
        .from('information_schema.columns')
        .where('table_schema', raw('database()'))
        .orderBy(['table_name', 'ordinal_position']),
    ),
  )
}

/** The foreign keys of the database, a row for each of their columns. */
export function renderForeignKeys(): Statement {
  return bindTemplate(
    toTemplate(
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
    ),
  )
}
