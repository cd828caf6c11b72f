import { Type } from '@sinclair/typebox'
import type { TProperties, TSchema } from '@sinclair/typebox'
import {
  anyOf,
  closed,
  ColumnName,
  columnName,
  FoundColumnName,
  lookupForm,
  lookupOf,
  oneOf,
} from './options.js'
import type { LookupMapping } from './options.js'

/* A column as the mapping file names it: alone, or with what it says of the cells; and the columns of identifiers. */

const OwnColumnName = columnName(
  'ownColumn',
  'a column name without a dot; a column of another table is { from: TABLE, on: COLUMN, column: COLUMN }',
)

/** A column as an option names it, with what it says of the cells. A name alone says nothing more. */
export interface ColumnMapping extends Partial<LookupMapping> {
  readonly column: string
}
/** A column by its name, or with more. */
export type ColumnOption<More = unknown> = string | (ColumnMapping & More)

/** A column of the same table: its name, or an object with more. */
export function ownShapes(more: TProperties): readonly TSchema[] {
  return [ColumnName, Type.Object({ column: ColumnName, ...more }, closed)]
}

/** The same, or a column of a row that a lookup reads, which needs no more. @param title of the lookup in the schema */
export function foundShapes(more: TProperties, title?: string): readonly TSchema[] {
  const optional = Object.fromEntries(Object.entries(more).map(([name, one]) => [name, Type.Optional(one)]))
  const options = { ...closed, ...(title !== undefined && { title }) }
  return [
    OwnColumnName,
    Type.Object({ column: ColumnName, ...more }, closed),
    Type.Object({ ...lookupOf, column: FoundColumnName, ...optional }, options),
  ]
}

/** The members of an option that may say more than the name of a column. */
export function partsOf<More>(option: ColumnOption<More>): ColumnMapping & Partial<More> {
  return (typeof option === 'string' ? { column: option } : option) as ColumnMapping & Partial<More>
}

/** The column of an option. */
export function nameOf(option: ColumnOption): string {
  return partsOf(option).column
}

const as = {
  as: oneOf(['uuid', 'uuid-swapped'], {
    title: 'as',
    description: 'uuid, or uuid-swapped for what UUID_TO_BIN(…, 1) stores',
  }),
}
type As = 'uuid' | 'uuid-swapped'
/** A column of identifiers, which callers send and see as text. */
export type IdentifierMapping = ColumnOption<{ readonly as?: As }>
type OwnIdentifierMapping = string | { readonly column: string; readonly as: As }
const identifierForm = 'a column name, { column, as: uuid | uuid-swapped } for 16 bytes'
/** A column of identifiers of the same table. */
export const IdentifierOption = anyOf<OwnIdentifierMapping>(
  ownShapes(as),
  identifierForm.replace(',', ', or'),
)
/** The shapes of a column of identifiers of this table or of another. */
export const referenceShapes = foundShapes(as, 'referenceLookup')
/** The same in words. */
export const referenceForm = `${identifierForm}, or ${lookupForm}`

/** The same for every record. */
export interface Constant {
  readonly constant: string
}
const ConstantWorkspace = Type.Object(
  {
    constant: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'the one workspace, as text in quotes',
    }),
    confirmed: Type.Optional(
      oneOf([true], { description: 'true, where one customer owns the whole database' }),
    ),
  },
  closed,
)
type OneWorkspace = Constant & { readonly confirmed?: true }
/** The workspace of a record as the mapping names it. */
export type WorkspaceMapping = IdentifierMapping | OneWorkspace
const oneWorkspace = 'or { constant: "1" } where there is one workspace'
/** The workspace of a row of the key table. */
export const KeyWorkspaceOption = anyOf<OwnIdentifierMapping | OneWorkspace>(
  [...ownShapes(as), ConstantWorkspace],
  `${identifierForm}, ${oneWorkspace}`,
)
/** The workspace of a record. */
export const WorkspaceOption = anyOf<WorkspaceMapping>(
  [...referenceShapes, ConstantWorkspace],
  `${identifierForm}, ${lookupForm}, ${oneWorkspace}`,
)

/** Whether a value is the same for all rows. */
export function isConstant(option: unknown): option is Constant {
  return typeof option === 'object' && option !== null && 'constant' in option
}
