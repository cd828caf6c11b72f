/** The types that can be read, by the kind of their cells. Those of MariaDB are read and compared as text. */
const types = {
  text: 'char varchar tinytext text mediumtext longtext enum set uuid inet4 inet6',
  json: 'json',
  binary: 'binary varbinary',
  integer: 'tinyint smallint mediumint int bigint',
  decimal: 'decimal',
  float: 'float double',
  bit: 'bit',
  date: 'date',
  datetime: 'datetime',
  timestamp: 'timestamp',
} as const

/** How the cells of a column are read and bound; `unreadable` are types of which a test can only read NULL. */
export type ColumnKind = keyof typeof types | 'unreadable'

/** The kind of a DATA_TYPE. */
export function toKind(dataType: string): ColumnKind {
  const kinds = Object.keys(types) as (keyof typeof types)[]
  return kinds.find((kind) => types[kind].split(' ').includes(dataType.toLowerCase())) ?? 'unreadable'
}

/** A column as the server describes it. */
export interface Column {
  /** In the server's spelling. */
  readonly name: string
  readonly kind: ColumnKind
  /** COLUMN_TYPE, for messages. */
  readonly type: string
  readonly nullable: boolean
  readonly unsigned: boolean
  /** Bytes of a BINARY column or characters of a text column; 0 for others. */
  readonly length: number
  /** Fractional digits of a DATETIME or TIMESTAMP; 0 for others. */
  readonly fractionDigits: number
  /** Of text columns. */
  readonly characterSet: string | null
  readonly collation: string | null
  /** Whether the server can return an integer with leading zeros. */
  readonly zerofill: boolean
  /** Whether a column of times can hold a zero date; see `zeroDates` in the mapping file. */
  readonly mayBeZero?: boolean
  /** Whether the leading zeros of a ZEROFILL integer are a part of its public text; undefined where it is not shown. */
  readonly showsZeros?: boolean
}

/** Whether a column is an ENUM or SET, which the server orders by number and compares with text by label. */
export function isEnumerated({ type }: Column): boolean {
  return /^(?:enum|set)\(/iu.test(type)
}

/** The decimals of a DECIMAL, or the fractional digits of a time. */
export function countDigits({ kind, type, fractionDigits }: Column): number {
  return kind === 'decimal' ? Number(/,(\d+)\)/.exec(type)?.[1] ?? 0) : fractionDigits
}

/** The columns of an index in order, then those of the primary key, which InnoDB stores in every secondary index. */
export interface Index {
  readonly name: string
  readonly columns: readonly string[]
  /** The column that the index makes unique by itself, in lower case. */
  readonly uniqueOn?: string | undefined
  /** Of an index that the optimizer does not use, whose name is empty: the clause of ALTER TABLE that changes that, and its columns. */
  readonly unused?: { readonly alter: string; readonly columns: readonly string[] }
}

/** A table or view as the server describes it to this user. */
export interface Table {
  readonly name: string
  /** Whether it is a view, which has no index. */
  readonly isView: boolean
  /** By name in lower case, as MySQL compares column names. */
  readonly columns: ReadonlyMap<string, Column>
  readonly indexes: readonly Index[]
  /** The column with the end of each row, where the table is system-versioned and the product named it. */
  readonly rowEnd?: string | undefined
}

/** Whether a text is the error value of an ENUM: a server without strict mode stores it for a text that is not a label. */
export function isErrorValue(column: Pick<Column, 'type'>, text: string): boolean {
  if (text !== '') return false
  const labels = listEnumLabels(column)
  return labels.length > 0 && !labels.includes('')
}

/** The labels of an ENUM; empty for other types. */
export function listEnumLabels({ type }: Pick<Column, 'type'>): readonly string[] {
  if (!/^enum\(/i.test(type)) return []
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, label = '']) => label.replaceAll("''", "'"))
}
