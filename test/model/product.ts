import type { Section } from './mapping.js'

/*
 * A product as plain data: its tables with every row, and the mapping over them. It can be printed and sent to a server.
 */

/** NULL, text as it is, bytes as hexadecimal digits, anything else as the server writes it. */
export type Cell = string | null

/** What the oracle has to know of a column's type. */
export type Kind =
  'text' | 'json' | 'integer' | 'binary' | 'decimal' | 'float' | 'bit' | 'date' | 'datetime' | 'timestamp'

/** A column with the text of its type. */
export interface Column {
  readonly name: string
  readonly kind: Kind
  /** Such as `varchar(40)`, without the collation. */
  readonly type: string
  /** Of text columns. */
  readonly collation?: string | undefined
  readonly nullable: boolean
}

/** A table with its rows, or a view of every column of another table. */
export interface Table {
  readonly name: string
  readonly viewOf?: string | undefined
  readonly columns: readonly Column[]
  /** The names of the columns of the primary key. */
  readonly primary: readonly string[]
  /** Columns that are unique by themselves. */
  readonly unique: readonly string[]
  readonly indexes: readonly (readonly string[])[]
  readonly rows: readonly (readonly Cell[])[]
}

/** An API key, and what it may do. */
export interface Key {
  readonly token: string
  /** Index in the list of workspaces. */
  readonly workspace: number
  readonly scopes: readonly string[]
  readonly state: 'valid' | 'expired' | 'revoked'
}

/** The two collections of the contract. */
export const collections = ['registrations', 'invoices'] as const
export type Collection = (typeof collections)[number]

/** The mapping file, as data. */
export interface Mapping {
  readonly timezone?: string
  readonly zeroDates?: true
  readonly apiKeys: Readonly<Record<string, unknown>>
  readonly registrations?: Section
  readonly invoices?: Section
  readonly neverRead: readonly string[]
}

/** A product, its mapping, and the keys that callers have. */
export interface Product {
  readonly tables: readonly Table[]
  readonly mapping: Mapping
  /** The workspaces as the key table has them, in their public form. */
  readonly workspaces: readonly string[]
  readonly keys: readonly Key[]
  /** The most entries that a page visits where a lookup finds the workspace. */
  readonly entriesMax: number
}

/** The table of a name. @throws Error where there is none */
export function findTable(tables: readonly Table[], name: string): Table {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new Error(`No table ${name}`)
  return table
}

/** The place of a column in its table. @throws Error where there is none */
export function findPlace(table: Table, name: string): number {
  const place = table.columns.findIndex((column) => column.name === name)
  if (place === -1) throw new Error(`No column ${name} in ${table.name}`)
  return place
}
