import { Type } from '@sinclair/typebox'
import type { TSchema } from '@sinclair/typebox'
import type { ColumnResolver } from './column-resolver.js'
import type { ResolvedField } from './field.js'
import { isConstant } from './column-options.js'
import { anyOf, closed } from './options.js'
import type { Constant } from './column-options.js'

/* A value can come from one place, or from the first of several places that has one. A constant is the last of them. */

/** One place, or several. */
export type FirstMapping<Place> = Place | { readonly first: readonly (Place | Constant)[] }

/** The first of several places, in words. */
export const firstForm = '{ first: [place, …, { constant: TEXT }] } for the first that is not empty'

const AnyText = Type.Object(
  { constant: Type.String({ minLength: 1, maxLength: 200, description: 'text in quotes' }) },
  closed,
)

/** The constant that a list of places can end with, and the words for it. */
const anyConstant = { shape: AnyText, form: '; or { constant: TEXT }' }

/** The shapes of one place, and of a list of them. @param constant the shape of one, where a place can be no constant itself */
export function firstShapes(
  shapes: readonly TSchema[],
  form: string,
  constant: Partial<typeof anyConstant> = anyConstant,
): readonly TSchema[] {
  const places = [...shapes, ...(constant.shape === undefined ? [] : [constant.shape])]
  const place = Type.Union(places, { description: `${form}${constant.form ?? ''}` })
  const description = 'a list of 2 to 8 places, with a constant as the last one or none'
  const first = Type.Array(place, { minItems: 2, maxItems: 8, description })
  return [...shapes, Type.Object({ first }, closed)]
}

/** An option for text in one place, or in the first of several that has one. */
export function withFirst<Place>(shapes: readonly TSchema[], form: string) {
  return anyOf<FirstMapping<Place>>(firstShapes(shapes, form), `${form}; or ${firstForm}`)
}

/** Whether an option is the first of several places that has a value. */
export function isFirst<Place>(
  option: FirstMapping<Place>,
): option is { readonly first: readonly (Place | Constant)[] } {
  return typeof option === 'object' && option !== null && 'first' in option
}

/** The places of an option. A constant that is not the last one is an issue: nothing behind it is ever read. */
export function listPlaces<Place>(
  option: FirstMapping<Place>,
  columns: ColumnResolver,
): readonly (Place | Constant)[] {
  if (!isFirst(option)) return [option]
  const at = option.first.slice(0, -1).findIndex(isConstant)
  const part = option.first[at]
  if (isConstant(part))
    columns
      .at(`first.${at}.constant`)
      .report(`${part.constant}, and others behind it`, 'a constant as the last one')
  return option.first
}

/** A field of one place, or of the first of several that is neither NULL nor empty. */
export function resolveFirst<Place>(
  option: FirstMapping<Place>,
  columns: ColumnResolver,
  resolve: (place: Place, columns: ColumnResolver) => ResolvedField,
): ResolvedField {
  return toFirst(listPlaces(option, columns), (place) => resolve(place, columns))
}

/** The same for places whose columns were found. */
export function toFirst<Place>(
  places: readonly (Place | Constant)[],
  resolve: (place: Place) => ResolvedField,
): ResolvedField {
  const all = places.map((place) => (isConstant(place) ? toConstant(place.constant) : resolve(place)))
  const [one, ...others] = all
  if (one !== undefined && others.length === 0) return one
  return {
    projection: all.flatMap(({ projection }) => projection),
    read: (row, readField) => {
      for (const { read } of all) {
        const value = read(row, readField)
        if (typeof value === 'string' && value !== '') return value
      }
      return null
    },
    transform: `the first that is not empty: ${[...new Set(all.map(({ transform }) => transform))].join(', else ')}`,
  }
}

function toConstant(constant: string): ResolvedField {
  return { projection: [], read: () => constant, transform: constant }
}
