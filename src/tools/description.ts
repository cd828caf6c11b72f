import type { Column, Index } from '../database/column.js'
import { renderColumns, renderForeignKeys, renderIndexes } from '../database/schema-sql.js'
import { groupRows, readTables, toIndexes, toColumn, toText } from '../database/schema.js'
import type { Row, RunQuery } from '../database/statement.js'

/** A column, with what helps to recognize its purpose. */
export interface DescribedColumn extends Column {
  /** Such as `auto_increment` or `on update CURRENT_TIMESTAMP`, in lower case. */
  readonly extra: string
  readonly comment: string
}

/** A foreign key of one column. */
export type ForeignKey = Readonly<Record<'column' | 'target' | 'key', string>>

/** A table or view of the product. */
export interface DescribedTable {
  readonly name: string
  readonly isView: boolean
  /** The estimate of the server. */
  readonly rows: number
  readonly columns: readonly DescribedColumn[]
  /** The columns of the primary key. */
  readonly primary: readonly string[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** The tables of a database by their names. */
export type Description = ReadonlyMap<string, DescribedTable>

/**
 * The tables, columns, indexes and foreign keys that the user may see. Source: `information_schema`; no row is read.
 *
 * @param spelled names that the mapping has: a server can store the name of every table in lower case.
 */
export async function readDescription(
  runQuery: RunQuery,
  spelled: readonly string[] = [],
): Promise<Description> {
  const tables = await readTables(runQuery)
  const stored = new Set(tables.map(({ name }) => name))
  const names = new Map(
    spelled.flatMap((name) => (stored.has(name) ? [] : [[name.toLowerCase(), name] as const])),
  )
  const spell = (name: string): string => names.get(name) ?? name
  const columns = groupRows(await runQuery(renderColumns()), 'tableName')
  const indexes = groupRows(await runQuery(renderIndexes()), 'tableName')
  const foreignKeys = groupRows(await runQuery(renderForeignKeys()), 'tableName')
  const described = tables.map(({ name, isView, rows = 0 }): DescribedTable => {
    const parts = indexes.get(name) ?? []
    const primary = parts.filter((part) => part['name'] === 'PRIMARY')
    return {
      name: spell(name),
      isView,
      rows,
      columns: (columns.get(name) ?? []).map(toDescribedColumn),
      primary: primary.map(({ partName }) => toText(partName)),
      indexes: toIndexes(parts),
      foreignKeys: toForeignKeys(foreignKeys.get(name) ?? [], spell),
    }
  })
  return new Map(described.flatMap((table) => (table.columns.length > 0 ? [[table.name, table]] : [])))
}

function toDescribedColumn(row: Row): DescribedColumn {
  const column = toColumn(row)
  return {
    ...column,
    // The mapping file cannot name such a column.
    kind: column.name.includes('.') ? 'unreadable' : column.kind,
    extra: toText(row['extra']).toLowerCase(),
    comment: toText(row['comment']),
  }
}

/** Only those of one column: a lookup follows a single column. */
function toForeignKeys(rows: readonly Row[], spell: (name: string) => string): readonly ForeignKey[] {
  return [...groupRows(rows, 'name').values()].flatMap(([row, ...others]) => {
    const [column = '', target = '', key = ''] = ['columnName', 'target', 'key'].map((name) =>
      toText(row?.[name]),
    )
    return others.length > 0 ? [] : [{ column, target: spell(target), key }]
  })
}

/** Whether a column alone identifies a row of its table: the primary key, or a unique index. */
export function isUnique({ indexes }: DescribedTable, column: string): boolean {
  return indexes.some(({ uniqueOn }) => uniqueOn === column.toLowerCase())
}

/** Whether two names are one for MySQL's columns. */
export function isSameName(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/** Whether a column alone is the primary key. */
export function isPrimaryKey({ primary }: DescribedTable, column: string): boolean {
  return primary.length === 1 && isSameName(primary[0], column)
}

/** The column of this name. */
export function findColumn({ columns }: DescribedTable, name: string): DescribedColumn | undefined {
  return columns.find((column) => isSameName(column.name, name))
}
