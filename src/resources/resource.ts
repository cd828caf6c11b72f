import type { TObject } from '@sinclair/typebox'
import type { Instant } from '../values/instant.js'
import type { BoundRecord } from './bind-record.js'
import type { ResolvedField } from './field.js'
import type { Scope } from './options.js'
import type { ResolvedTable } from './resolved-table.js'

/** The names of the resources, which are also their sections in the mapping file and their paths. */
export const resourceNames = ['registrations', 'invoices'] as const

/** The name of a resource. */
export type ResourceName = (typeof resourceNames)[number]

/** What the routes and the OpenAPI document need of a resource; no database is needed for it. */
export interface DocumentedResource {
  readonly name: ResourceName
  /** What one record is called in the OpenAPI document. */
  readonly typeName: string
  readonly scope: Scope
  /** The JSON schema of a record: no other field leaves the process. */
  readonly schema: TObject
  /** The public statuses, where the mapping lists them. */
  readonly statuses: readonly string[] | undefined
}

/** The resolved fields by their public names, in the order of the contract. */
type ResolvedFields = Readonly<Record<string, ResolvedField>>

/** A resource whose columns were found in the live schema. */
export interface ResolvedResource<Fields extends ResolvedFields = ResolvedFields> extends DocumentedResource {
  readonly table: ResolvedTable
  readonly invalidRows: 'skip' | 'fail'
  /** Of the mapping: a higher one says that records changed without `updatedAt`. */
  readonly epoch: number
  readonly fields: Fields
  /** The record of a row. */
  readonly record: BoundRecord
}

/** A resource while its table may change: the statements that serve it are chosen for each request. */
export interface LiveResource extends DocumentedResource {
  /**
   * The resource as the schema was last read.
   *
   * @throws Problem `database_unavailable` while the mapping does not fit the schema.
   */
  readonly requireResolved: () => ResolvedResource
  /**
   * Called before an answer leaves out a row or has none.
   *
   * @returns the clock of the database, read after the call.
   * @throws Problem `database_unavailable` when the schema is no longer the one that `used` was resolved with.
   */
  readonly confirm: (answer: UsedResource) => Promise<Instant>
}

/** What an answer was made with. */
export interface UsedResource {
  readonly used: ResolvedResource
  /** Whether an index that makes a key unique may be missing. */
  readonly withIndexes: boolean
}

/** A column that the mapping names. */
export interface MappedColumn {
  readonly table: string
  readonly column: string
  /** Path in the mapping file, such as `registrations.fields.status`. */
  readonly path: string
}
