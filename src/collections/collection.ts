import type { TObject } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import type { FieldContent, ResolvedField } from './field.js'
import type { Scope } from './options.js'
import type { ResolvedTable } from './resolved-table.js'

/** The names of the collections, which are also their sections in the mapping file and their paths. */
export const collectionNames = ['registrations', 'invoices'] as const

/** The name of a collection. */
export type CollectionName = (typeof collectionNames)[number]

/** What the routes and the OpenAPI document need of a collection; no database is needed for it. */
export interface DocumentedCollection {
  readonly name: CollectionName
  /** What one record is called in the OpenAPI document. */
  readonly typeName: string
  readonly scope: Scope
  /** The JSON schema of a record: no other field leaves the process. */
  readonly schema: TObject
  /** What the values of each field are. */
  readonly contents: Readonly<Record<string, FieldContent>>
  /** The public statuses, where the mapping lists them. */
  readonly statuses: readonly string[] | undefined
  /** What is done where a row cannot be shown. */
  readonly invalidRows: 'skip' | 'fail'
}

/** A collection whose columns were found in the live schema. */
export interface BoundCollection extends DocumentedCollection {
  readonly table: ResolvedTable
  /** By their public names, in the order of the contract. */
  readonly fields: Readonly<Record<string, ResolvedField>>
  /** What the mapping file says for each field. */
  readonly options: Readonly<Record<string, unknown>>
  /** Writes the record of a row as JSON. @throws RowFault when the row cannot be shown truthfully. */
  readonly record: (row: Row) => string
}
