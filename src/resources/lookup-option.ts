import { Type } from '@sinclair/typebox'
import {
  As,
  ColumnName,
  FoundColumnName,
  KeyName,
  OwnColumnName,
  TableName,
  closed,
  isLines,
} from './options.js'
import { OwnTestOption } from './test-option.js'
import type { OwnTestMapping } from './test-option.js'

/*
 * A lookup reads columns of the one row of another table whose unique column `key` has the value of the column `on`.
 * Without `key` it is the primary key. `on` can be a column that another lookup reads. With `where`, the key need not be
 * unique: of several rows that pass these tests, the one with the lowest primary key counts.
 */

const lookupBy = {
  key: Type.Optional(KeyName),
  where: Type.Optional(
    Type.Array(OwnTestOption, {
      minItems: 1,
      maxItems: 8,
      description: 'a list of tests of columns of the other table; all of them must hold',
    }),
  ),
}

/** The names of a lookup beside the columns that it reads. */
export const lookupOf = {
  from: TableName,
  on: Type.Union(
    [
      ColumnName,
      Type.Object({ from: TableName, on: ColumnName, ...lookupBy, column: FoundColumnName }, closed),
    ],
    { description: 'a column name, or { from, on: COLUMN, key, column } for a column of another table' },
  ),
  ...lookupBy,
}
/** A lookup in words, for an error message. */
export const lookupForm = '{ from: TABLE, on: COLUMN, key: COLUMN, column: COLUMN }'

/** The shapes of a column of identifiers of this table or of another. */
export const referenceShapes = [
  OwnColumnName,
  Type.Object({ column: ColumnName, as: As }, closed),
  Type.Object({ ...lookupOf, column: FoundColumnName, as: Type.Optional(As) }, closed),
] as const

/** The same in words. */
export const referenceForm = `a column name, { column, as: uuid | uuid-swapped } for 16 bytes, or ${lookupForm}`

/** What finds the row of a lookup. */
interface LookupBy {
  readonly from: string
  readonly key?: string
  readonly where?: readonly OwnTestMapping[]
  /** The columns of the primary key, where there is a `where`. The mapping file does not name them. */
  readonly primary?: readonly string[]
}

/** What every lookup has. */
export interface LookupMapping extends LookupBy {
  readonly on: string | (LookupBy & { readonly on: string; readonly column: string })
}

/** Whether an option reads a row of another table. */
export function isLookup(option: unknown): option is LookupMapping {
  return (
    typeof option === 'object' && option !== null && 'from' in option && 'on' in option && !isLines(option)
  )
}
