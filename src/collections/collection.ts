import type { TObject } from '@sinclair/typebox'
import type { ClockFloor } from '../database/heartbeat.js'
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
}

/** A collection whose columns were found in the live schema. */
export interface BoundCollection extends DocumentedCollection {
  readonly table: ResolvedTable
  readonly invalidRows: 'skip' | 'fail'
  /** Of the mapping: a higher one says that records changed without `updatedAt`. */
  readonly epoch: number
  /** By their public names, in the order of the contract. */
  readonly fields: Readonly<Record<string, ResolvedField>>
  /** What the mapping file says for each field. */
  readonly options: Readonly<Record<string, unknown>>
  /** The record of a row. */
  readonly record: ReadRecord
}

/** A collection while its table may change: the statements that serve it are chosen for each request. */
export interface LiveCollection extends DocumentedCollection {
  /**
   * Reads with the collection as the schema was last read. After an error of the schema, the schema is compared, and the task runs
   * once more.
   *
   * @throws Problem `database_unavailable` while the mapping does not fit the schema.
   */
  readonly read: <Result>(
    task: ReadTask<BoundCollection, Result>,
  ) => Promise<readonly [BoundCollection, Result]>
  /** What is known of the clock of the database, and what its pages prove. */
  readonly clock: ClockFloor
}

/** @param isCompared whether the schema was compared because the task had failed. */
export type ReadTask<Bound, Result> = (bound: Bound, isCompared: boolean) => Promise<Result>

/** Writes the record of a row as JSON. @throws RowFault when the row cannot be shown truthfully. */
export type ReadRecord = (row: Row) => string
