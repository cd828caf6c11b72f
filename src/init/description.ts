import { toColumn } from '../database/column.js'
import type { Column } from '../database/column.js'
import { groupByTable } from '../database/schema.js'
import type { Row, RunQuery } from '../database/statement.js'
import { renderIndexes } from '../database/schema-sql.js'
import { renderAllColumns, renderForeignKeys, renderTables } from './description-sql.js'

/** A column, with what helps to recognize its purpose. */
export interface DescribedColumn extends Column {
  /** Bytes of a text or binary column; 0 for others. */
  readonly bytes: number
  /** Digits after the point of a number. */
  readonly scale: number
  /** Such as `auto_increment` or `on update CURRENT_TIMESTAMP`, in lower case. */
  readonly extra: string
  readonly defaultValue: string | null
  readonly comment: string
}

/** An index by its whole columns. */
export interface DescribedIndex {
  readonly name: string
  readonly unique: boolean
  /** In order; empty where its first part is no whole column. */
  readonly columns: readonly string[]
  /** Whether the index has further parts, which are no whole columns. */
  readonly isPartial: boolean
}

/** A foreign key of one column. */
export interface ForeignKey {
  readonly column: string
  readonly target: string
  readonly key: string
}

/** A table or view of the product. */
export interface DescribedTable {
  readonly name: string
  readonly isView: boolean
  /** The estimate of the server. */
  readonly rows: number
  readonly columns: readonly DescribedColumn[]
  /** The columns of the primary key. */
  readonly primary: readonly string[]
  readonly indexes: readonly DescribedIndex[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** The tables of a database by their names. */
export type Description = ReadonlyMap<string, DescribedTable>

/** The tables, columns, indexes and foreign keys that the user may see. Source: `information_schema`; no row is read. */
export async function readDescription(runQuery: RunQuery): Promise<Description> {
  const tables = await runQuery(renderTables())
  const columns = groupByTable(await runQuery(renderAllColumns()))
  const indexes = groupByTable(await runQuery(renderIndexes()))
  const foreignKeys = groupByTable(await runQuery(renderForeignKeys()))
  return new Map(
    tables.flatMap((row): [string, DescribedTable][] => {
      const name = String(row['tableName'])
      const described = (columns.get(name) ?? []).map(toDescribedColumn)
      if (described.length === 0) return []
      const found = toIndexes(indexes.get(name) ?? [])
      const table = {
        name,
        isView: String(row['tableType']).includes('VIEW'),
        rows: Number(row['rowCount']),
        columns: described,
        primary: found.find((index) => index.name === 'PRIMARY')?.columns ?? [],
        indexes: found,
        foreignKeys: toForeignKeys(foreignKeys.get(name) ?? []),
      }
      return [[name, table]]
    }),
  )
}

/** Whether a column alone identifies a row of its table: the primary key, or a unique index. */
export function isUnique({ indexes }: DescribedTable, column: string): boolean {
  return indexes.some(
    ({ unique, columns, isPartial }) =>
      unique && !isPartial && columns.length === 1 && isSameName(columns[0], column),
  )
}

/** Whether two names are one for MySQL's columns. */
export function isSameName(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/** The column of this name. */
export function findColumn({ columns }: DescribedTable, name: string): DescribedColumn | undefined {
  return columns.find((column) => isSameName(column.name, name))
}

/** Names are listed by one server as text and by another as bytes. */
function toText(cell: unknown): string {
  return Buffer.isBuffer(cell) ? cell.toString() : typeof cell === 'string' ? cell : ''
}

function toDescribedColumn(row: Row): DescribedColumn {
  const column = toColumn({
    name: String(row['name']),
    dataType: String(row['dataType']),
    columnType: toText(row['columnType']),
    nullable: row['nullable'] === 'YES',
    length: Number(row['length']),
    fractionDigits: Number(row['fractionDigits']),
    characterSet: toTextOrNull(row['characterSet']),
    collation: toTextOrNull(row['collation']),
  })
  return {
    ...column,
    // The mapping file cannot name such a column.
    kind: column.name.includes('.') ? 'unreadable' : column.kind,
    bytes: Number(row['bytes']),
    scale: Number(row['scale']),
    extra: toText(row['extra']).toLowerCase(),
    defaultValue: toTextOrNull(row['defaultValue']),
    comment: toText(row['comment']),
  }
}

function toTextOrNull(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : toText(cell)
}

function toIndexes(rows: readonly Row[]): readonly DescribedIndex[] {
  const parts = new Map<string, { unique: boolean; columns: (string | null)[] }>()
  for (const row of rows) {
    const name = String(row['name'])
    const index = parts.get(name) ?? { unique: Number(row['nonUnique']) === 0, columns: [] }
    index.columns.push(toTextOrNull(row['columnName']))
    parts.set(name, index)
  }
  return [...parts].map(([name, { unique, columns }]) => {
    const end = columns.indexOf(null)
    const whole = columns.slice(0, end === -1 ? columns.length : end).filter((column) => column !== null)
    return { name, unique, columns: whole, isPartial: whole.length < columns.length }
  })
}

/** Only those of one column: a lookup follows a single column. */
function toForeignKeys(rows: readonly Row[]): readonly ForeignKey[] {
  const groups = new Map<string, ForeignKey[]>()
  for (const row of rows) {
    const name = String(row['name'])
    const key = {
      column: String(row['columnName']),
      target: String(row['target']),
      key: String(row['key']),
    }
    groups.set(name, [...(groups.get(name) ?? []), key])
  }
  return [...groups.values()].flatMap((keys) => (keys.length === 1 ? keys : []))
}
