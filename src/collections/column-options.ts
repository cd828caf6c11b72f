import { Type } from '@sinclair/typebox'
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import { anyOf, closed, ColumnName, lookupForm, lookupOf, oneOf } from './options.js'
import { OwnColumnName } from './options.js'
import type { LookupMapping } from './options.js'

/*
 * Where a value comes from, as the mapping file names it: a column, alone or with what the file says of its cells; the same
 * for all records; or the first of several places that has a value.
 */

/** A column as an option names it, with what it says of the cells. A name alone says nothing more. */
export interface ColumnMapping extends Partial<LookupMapping> {
  readonly column: string
}
/** A column by its name, or with more. */
export type ColumnOption<More = unknown> = string | (ColumnMapping & More)
/** A column with what some properties say of its cells, each of which may be left out. */
export type ColumnWith<More extends TProperties> = ColumnOption<Partial<Static<TObject<More>>>>

/** A column of the same table: its name, or an object with more. */
export function ownShapes(more: TProperties, Name = ColumnName): readonly TSchema[] {
  return [Name, Type.Object({ column: ColumnName, ...more }, closed)]
}

/** The same, or a column of a row that a lookup reads, which needs no more. @param title of the lookup in the schema */
export function foundShapes(more: TProperties, title?: string): readonly TSchema[] {
  const optional = Object.fromEntries(Object.entries(more).map(([name, one]) => [name, Type.Optional(one)]))
  const options = { ...closed, ...(title !== undefined && { title }) }
  const lookup = Type.Object({ ...lookupOf, column: ColumnName, ...optional }, options)
  return [...ownShapes(more, OwnColumnName), lookup]
}

/** The members of an option that may say more than the name of a column. */
export function partsOf<More>(option: ColumnOption<More>): ColumnMapping & Partial<More> {
  return (typeof option === 'string' ? { column: option } : option) as ColumnMapping & Partial<More>
}

/** The column of an option. */
export function nameOf(option: ColumnOption): string {
  return partsOf(option).column
}

/** The same for every record. */
export interface Constant {
  readonly constant: string
}

/** Whether a value is the same for all rows. */
export function isConstant(option: unknown): option is Constant {
  return typeof option === 'object' && option !== null && 'constant' in option
}

const constantText = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const AnyConstant = Type.Object({ constant: constantText('text in quotes') }, closed)

/** One place, or the first of several that has a value; a constant is the last of them. */
export type FirstMapping<Place> = Place | { readonly first: readonly (Place | Constant)[] }

/** The first of several places, in words. */
export const firstForm = '{ first: [place, …, { constant: TEXT }] } for the first that is not empty'

/** The shapes of one place, and of a list of them. @param Last a constant, where one place cannot be it */
export function firstShapes(
  shapes: readonly TSchema[],
  form: string,
  Last: TSchema | null = AnyConstant,
): readonly TSchema[] {
  const places = [...shapes, ...(Last === null ? [] : [Last])]
  const ending = Last === null ? '' : '; or { constant: TEXT }'
  const place = Type.Union(places, { description: `${form}${ending}` })
  const description = 'a list of 2 to 8 places, with a constant as the last one or none'
  const first = Type.Array(place, { minItems: 2, maxItems: 8, description })
  return [...shapes, Type.Object({ first }, closed)]
}

/** Whether an option is the first of several places that has a value. */
export function isFirst<Place>(
  option: FirstMapping<Place>,
): option is { readonly first: readonly (Place | Constant)[] } {
  return typeof option === 'object' && option !== null && 'first' in option
}

const as = {
  as: oneOf(['uuid', 'uuid-swapped'], {
    title: 'as',
    description: 'uuid, or uuid-swapped for what UUID_TO_BIN(…, 1) stores',
  }),
}
/** A column of identifiers, which callers send and see as text. */
export type IdentifierMapping = ColumnWith<typeof as>
const identifierForm = 'a column name, { column, as: uuid | uuid-swapped } for 16 bytes'
type OwnIdentifierMapping = string | { readonly column: string; readonly as: 'uuid' | 'uuid-swapped' }
/** A column of identifiers of the same table. */
export const IdentifierOption = anyOf<OwnIdentifierMapping>(
  ownShapes(as),
  identifierForm.replace(',', ', or'),
)
/** The shapes of a column of identifiers of this table or of another. */
export const referenceShapes = foundShapes(as, 'referenceLookup')
/** The same in words. */
export const referenceForm = `${identifierForm}, or ${lookupForm}`

const OneWorkspace = Type.Object(
  {
    constant: constantText('the one workspace, as text in quotes'),
    confirmed: Type.Optional(
      oneOf([true], { description: 'true, where one customer owns the whole database' }),
    ),
  },
  closed,
)
/** The workspace of a record as the mapping names it. */
export type WorkspaceMapping = IdentifierMapping | Static<typeof OneWorkspace>
const oneWorkspace = 'or { constant: "1" } where there is one workspace'
/** The workspace of a row of the key table. */
export const KeyWorkspaceOption = anyOf<OwnIdentifierMapping | Static<typeof OneWorkspace>>(
  [...ownShapes(as), OneWorkspace],
  `${identifierForm}, ${oneWorkspace}`,
)
/** The workspace of a record. */
export const WorkspaceOption = anyOf<WorkspaceMapping>(
  [...referenceShapes, OneWorkspace],
  `${identifierForm}, ${lookupForm}, ${oneWorkspace}`,
)
