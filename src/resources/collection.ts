import type { TObject } from '@sinclair/typebox'
import type { Row } from '../database/statement.js'
import { RowFault } from '../errors.js'
import type { Scope } from '../keys/key-lookup.js'
import type { ResolvedTable, StatusColumn, TimeColumn } from '../mapping/source.js'
import { readIdentifier } from '../values/identifier.js'
import { readText } from '../values/text.js'
import { readTimestamp } from '../values/timestamp.js'

/** A collection as the routes see it; both are served by the same ones and differ in this record alone. */
export interface ResolvedResource<View extends object = object> {
  readonly name: 'registrations' | 'invoices'
  readonly scope: Scope
  readonly table: ResolvedTable
  readonly invalidRows: 'skip' | 'fail'
  /** The public statuses, where the mapping lists them. */
  readonly statuses: readonly string[] | undefined
  /** What leaves the process: no other field can. */
  readonly schema: TObject
  /** @throws RowFault when the row cannot be shown truthfully. */
  readonly toView: (row: Row) => View
}

/** A collection while its table may change: which statements serve it is decided anew for each request. */
export interface LiveResource extends Pick<ResolvedResource, 'name' | 'scope' | 'statuses' | 'schema'> {
  /**
   * The collection as the schema was last seen.
   *
   * @throws Problem `database_unavailable` while the mapping does not fit the schema.
   */
  readonly require: () => ResolvedResource
  /**
   * To be called before an answer leaves out a row, or says that there is none.
   *
   * @throws Problem `database_unavailable` where the schema is no longer the one that `used` was made for.
   */
  readonly confirm: (used: ResolvedResource) => Promise<void>
}

/** A cell as the text of a public field. @throws RowFault */
export type ReadCell<Value = string> = (cell: unknown) => Value

/** Puts the field's name before the reason of a fault, for the log. */
export function named<Value>(field: string, read: ReadCell<Value>): ReadCell<Value> {
  return (cell) => {
    try {
      return read(cell)
    } catch (error) {
      throw error instanceof RowFault ? new RowFault(`${field} ${error.message}`) : error
    }
  }
}

/** A reader of identifiers as the column stores them. */
export function createIdentifierReader(
  field: string,
  column: { readonly identifier: StatusColumn['identifier'] },
): ReadCell {
  return named(field, (cell) => readIdentifier(cell, column.identifier))
}

/** A reader of statuses; where the mapping lists them, one that is not listed is a fault. */
export function createStatusReader({ identifier, values }: StatusColumn): ReadCell {
  return named('status', (cell) => {
    const stored = readIdentifier(cell, identifier)
    if (values === undefined) return stored
    const shown = values.get(stored)
    if (shown === undefined) throw new RowFault('is not in the mapping')
    return shown
  })
}

/** A reader of points in time in the column's own offset. */
export function createTimeReader(field: string, { offsetMinutes }: TimeColumn): ReadCell {
  return named(field, (cell) => readTimestamp(cell, offsetMinutes))
}

/** A reader of text as it stands. */
export function createTextReader(field: string): ReadCell {
  return named(field, readText)
}

/** The public statuses of a mapping's list, each once; undefined where there is no list. */
export function listStatuses(shown: Iterable<string> | undefined): readonly string[] | undefined {
  return shown === undefined ? undefined : [...new Set(shown)]
}
