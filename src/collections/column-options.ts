import { Type } from '@sinclair/typebox'
import type { ObjectOptions, Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import { closed, ColumnName, lookupForm, lookupNeeds, lookupOf, oneOf } from './options.js'
import type { LookupMapping } from './options.js'

/*
 * Where a value comes from, as the mapping file names it: a column, alone or with what the file says of its cells; the same
 * for all records; or the first of several places that has a value.
 */

/** A column as an option names it, with what it says of the cells. A name alone says nothing more. */
export type ColumnMapping<More = unknown> = { readonly column: string } & Partial<LookupMapping> & More
/** A column by its name, or with more. */
export type ColumnOption<More = unknown> = string | ColumnMapping<More>
type ColumnWith<More extends TProperties> = ColumnOption<Partial<Static<TObject<More>>>>

/**
 * An option for a column of the table of the section.
 *
 * @param more what it can say of the cells; each of it may be left out.
 * @param limits of the object.
 */
export function ownColumn<More extends TProperties>(
  more: More,
  description: string,
  limits: ObjectOptions = {},
  lookup: TProperties = {},
) {
  const optional = Object.fromEntries(Object.entries(more).map(([name, one]) => [name, Type.Optional(one)]))
  const place = Type.Object({ ...lookup, column: ColumnName, ...optional }, { ...closed, ...limits })
  return Type.Unsafe<ColumnWith<More>>(Type.Union([ColumnName, place], { description }))
}

/** The same, or for a column of a row that a lookup reads. */
export function foundColumn<More extends TProperties>(
  more: More,
  description: string,
  needs: Readonly<Record<string, readonly string[]>> = {},
) {
  const title = `lookup-${Object.keys(more).join('-')}`
  const limits = { title, dependencies: { ...lookupNeeds, ...needs } }
  return ownColumn(more, `${description}; ${lookupForm}`, limits, lookupOf)
}

/** The members of an option that may say more than the name of a column. */
export function partsOf<More>(option: string | ColumnMapping<More>): ColumnMapping<Partial<More>> {
  return (typeof option === 'string' ? { column: option } : option) as ColumnMapping<Partial<More>>
}

/** The column of an option. */
export function nameOf(option: ColumnOption): string {
  return partsOf(option).column
}

const constantText = (description: string) => Type.String({ pattern: '^.{1,200}$', description })
/** A text that is the same for every record. */
export const ConstantOption = Type.Object({ constant: constantText('text in quotes') }, closed)
/** The same as the mapping names it. */
export type Constant = Readonly<Static<typeof ConstantOption>>

/** Whether a value is the same for all rows. */
export function isConstant(option: unknown): option is Constant {
  return typeof option === 'object' && option !== null && 'constant' in option
}

/** One place, or the first of several that has a value; a constant is the last of them. */
export type FirstMapping<Place> = Place | { readonly first: readonly (Place | Constant)[] }

/** Whether an option is the first of several places that has a value. */
export function isFirst<Place>(
  option: FirstMapping<Place>,
): option is { readonly first: readonly (Place | Constant)[] } {
  return typeof option === 'object' && option !== null && 'first' in option
}

/** An option for one place, or for the first of several that has a value. @param others that cannot be one of several */
export function firstOf<Place extends TSchema, Other extends TSchema = never>(
  one: Place,
  others: readonly Other[] = [],
) {
  const description = 'a list of 2 to 8 columns; only the last one can be { constant: TEXT }'
  const place = Type.Union([one, ConstantOption], { description: `${one.description}; { constant: TEXT }` })
  const places = Type.Array(place, { minItems: 2, maxItems: 8, description })
  const form = `${one.description}; or { first: [COLUMN, …, { constant: TEXT }] } for the first that is not empty`
  return Type.Unsafe<FirstMapping<Static<Place>> | Static<Other>>(
    Type.Union([one, Type.Object({ first: places }, closed), ...others], { description: form }),
  )
}

/** For a ZEROFILL integer; `zeros: true` is what happens without it. */
export const zeros = oneOf([false], {
  title: 'zeros',
  description: 'false, where a ZEROFILL integer is shown without its leading zeros',
})
const identifierParts = {
  zeros,
  as: oneOf(['uuid', 'uuid-swapped'], {
    title: 'as',
    description: 'uuid, or uuid-swapped for what UUID_TO_BIN(…, 1) stores',
  }),
}
/** The same in words. */
export const zerosForm = '{ column, zeros: false } for ZEROFILL without its zeros'
const identifierForm = `a column name, or { column, as: uuid | uuid-swapped } for 16 bytes, or ${zerosForm}`
/** A column of identifiers of the same table. */
export const IdentifierOption = ownColumn(identifierParts, identifierForm)
/** A column of identifiers of this table or of another. */
export const ReferenceOption = foundColumn(identifierParts, identifierForm)
/** A column of identifiers, which callers send and see as text. */
export type IdentifierMapping = Static<typeof ReferenceOption>

/** The option of a workspace. @param Place where it is not the same for all records */
function workspace<Place extends TSchema>(one: Place) {
  const constant = constantText('the one workspace, as text in quotes')
  const confirmed = oneOf([true], { description: 'true, where one customer owns the whole database' })
  const OneWorkspace = Type.Object({ constant, confirmed: Type.Optional(confirmed) }, closed)
  const description = `${one.description}; or { constant: "1" } where there is one workspace`
  return Type.Union([one, OneWorkspace], { description })
}
/** The workspace of a row of the key table. */
export const KeyWorkspaceOption = workspace(IdentifierOption)
/** The workspace of a record. */
export const WorkspaceOption = workspace(ReferenceOption)
