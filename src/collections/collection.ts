import type { TObject } from '@sinclair/typebox'
import type { Cells } from '../database/cells.js'
import { RowFault } from '../errors.js'
import type { Instant } from '../values/instant.js'
import type { JsonBytes } from '../values/json-bytes.js'
import type { BoundField, ResolvedField, RowLayout } from './field.js'
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
  /** The public statuses, where the mapping lists them. */
  readonly statuses: readonly string[] | undefined
}

/** The resolved fields by their public names, in the order of the contract. */
type ResolvedFields = Readonly<Record<string, ResolvedField>>

/** A collection whose columns were found in the live schema. */
export interface BoundCollection<
  Fields extends ResolvedFields = ResolvedFields,
> extends DocumentedCollection {
  readonly table: ResolvedTable
  readonly invalidRows: 'skip' | 'fail'
  /** Of the mapping: a higher one says that records changed without `updatedAt`. */
  readonly epoch: number
  readonly fields: Fields
  /** The record of a row. */
  readonly record: BoundRecord
}

/** A collection while its table may change: the statements that serve it are chosen for each request. */
export interface LiveCollection extends DocumentedCollection {
  /**
   * The collection as the schema was last read.
   *
   * @throws Problem `database_unavailable` while the mapping does not fit the schema.
   */
  readonly requireResolved: () => BoundCollection
  /**
   * Called before an answer leaves out a row or has none.
   *
   * @returns the clock of the database, read after the call.
   * @throws Problem `database_unavailable` when the schema is no longer the one that `used` was resolved with.
   */
  readonly confirm: (answer: UsedCollection) => Promise<Instant>
}

/** What an answer was made with. */
export interface UsedCollection {
  readonly used: BoundCollection
  /** Whether an index that makes a key unique may be missing. */
  readonly withIndexes: boolean
}

/** A record of a collection, bound to the cells that its statements select. */
export interface BoundRecord {
  /** Writes the record of the current row as JSON. @throws RowFault when the row cannot be shown truthfully. */
  readonly write: (cells: Cells, out: JsonBytes) => void
  /** The position of a cell, by the name under which it is selected. */
  readonly at: (as: string) => number
}

/** @param fields by their public names, in the order of the contract: exactly these are written. */
export function bindRecord(fields: Readonly<Record<string, ResolvedField>>): BoundRecord {
  const names = Object.values(fields).flatMap(({ projection }) => projection.map(({ as }) => as))
  const layout: RowLayout = {
    at: (as) => {
      const position = names.indexOf(as)
      if (position === -1) throw new Error(`No cell is selected as ${as}`)
      return position
    },
    read: (field) => {
      const { read } = bind(field)
      if (read === undefined) throw new Error(`The value of ${field} cannot be read`)
      return (cells) => {
        try {
          return read(cells)
        } catch (error) {
          throw nameFault(error, field)
        }
      }
    },
  }
  const bind = (field: string): BoundField => {
    const resolved = fields[field]
    if (resolved === undefined) throw new Error(`There is no field ${field}`)
    return resolved.bind(layout)
  }
  const parts = Object.keys(fields).map((field, at) => ({
    field,
    name: `${at === 0 ? '{' : ','}"${field}":`,
    write: bind(field).write,
  }))
  return {
    at: layout.at,
    write: (cells, out) => {
      let current = ''
      try {
        for (const { field, name, write } of parts) {
          current = field
          out.ascii(name)
          write(cells, out)
        }
      } catch (error) {
        throw nameFault(error, current)
      }
      out.ascii('}')
    },
  }
}

/** The fault of a field begins with the field's name, for the log. */
function nameFault(error: unknown, field: string): unknown {
  return error instanceof RowFault ? error.of(field) : error
}
