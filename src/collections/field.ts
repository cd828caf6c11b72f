import type { Static, TOptional, TSchema } from '@sinclair/typebox'
import type { BoundValue, Row } from '../database/statement.js'
import type { ColumnResolver } from './column-resolver.js'
import { isConstant, isFirst } from './options.js'
import type { Constant, FirstMapping } from './options.js'
import { selectColumn } from './found-column.js'
import type { FoundColumn, Projected, Selected } from './found-column.js'

/*
 * A public field is declared once, by one call of a field kind in `registrations.ts` or `invoices.ts`. From that
 * declaration come its JSON schema, what the mapping file may say for it, the columns that `grants` prints, the columns
 * that statements select, the reader of its cells, and its line in the report of `check`.
 */

/**
 * What the values of a field are, by which each reader of them decides: `personal` text, which an attendee writes about a person
 * and `/mcp` leaves out; other `text`; and the words, amounts and times that `check` shows as they are.
 */
export type FieldContent = 'personal' | 'text' | 'word' | 'amount' | 'time'

/** What callers read about a field. */
export interface Documented<Example = string> {
  readonly description: string
  readonly example: Example
}

/** Reads the value of another field of the same row. @throws RowFault */
export type ReadField = (field: string, row: Row) => unknown

/** A field whose columns were found. */
export interface ResolvedField {
  /** The columns that statements select; empty where the value is a constant or comes from another field's column. */
  readonly projection: readonly Projected[]
  /** The value of a row, null for none. @throws RowFault when the row cannot be shown truthfully. */
  readonly read: (row: Row, readField: ReadField) => string | boolean | null
  /** Whether a text of it never has a character that JSON escapes. */
  readonly isPlain?: boolean
  /** The other field without which it cannot be read. */
  readonly needs?: string
  /** Why a row without a value cannot be shown, `is NULL` where undefined; null where it is shown as null. */
  readonly missing?: string | null
}

/** A field by which statements also find or order rows. */
export type FieldOf<Found> = ResolvedField & { readonly found: Found }

/** The declaration of a public field. */
export interface Field<Resolved extends ResolvedField = ResolvedField> {
  readonly content: FieldContent
  /** The JSON schema of the value. */
  readonly schema: TSchema
  /** What the mapping file may say for the field; `Type.Optional` where it may be left out. */
  readonly option: TSchema
  /** Finds the columns. What no schema can express is an issue too. @param columns for this field */
  readonly resolve: (option: unknown, columns: ColumnResolver) => Resolved
}

/** What a request compares with, as it is stored, by the names of the holes; undefined for what no row can have. */
export type Wanted = readonly (readonly [name: string, value: BoundValue | undefined])[]

/** What the mapping holds for an option: undefined where an optional one was left out. */
type OptionValue<Option extends TSchema> =
  Option extends TOptional<TSchema> ? Static<Option> | undefined : Static<Option>

/** A field whose option was checked. */
export function defineField<Option extends TSchema, Resolved extends ResolvedField>(
  declared: Pick<Field, 'content' | 'schema'> & { readonly option: Option },
  resolve: (option: OptionValue<Option>, columns: ColumnResolver) => Resolved,
): Field<Resolved> {
  return { ...declared, resolve: (option, columns) => resolve(option as OptionValue<Option>, columns) }
}

/** A field of one cell, which is read where it is not NULL. */
export function toCellField<Value extends string | boolean>(
  selected: Selected,
  columns: ColumnResolver,
  read: (cell: unknown) => Value | null,
) {
  const as = columns.nextCell()
  return {
    projection: [{ as, ...selected }],
    read: ({ [as]: cell }: Row) => (cell === null || cell === undefined ? null : read(cell)),
  }
}

/** The same of one column. */
export function toColumnField<Found extends FoundColumn, Value extends string | boolean>(
  found: Found,
  columns: ColumnResolver,
  read: (cell: unknown) => Value | null,
) {
  return { found, ...toCellField(selectColumn(found), columns, read) }
}

/** A field that the mapping leaves out. */
export const alwaysNull: ResolvedField = {
  projection: [],
  read: () => null,
  missing: null,
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
export function toFirst<Place>(
  places: readonly (Place | Constant)[],
  resolve: (place: Place) => ResolvedField,
): ResolvedField {
  const all = places.map((place): ResolvedField => {
    if (isConstant(place)) return { projection: [], read: () => place.constant }
    return resolve(place)
  })
  const [first, ...others] = all
  if (first !== undefined && others.length === 0) return first
  return {
    projection: all.flatMap(({ projection }) => projection),
    read: (row, readField) => {
      for (const { read } of all) {
        const value = read(row, readField)
        if (typeof value === 'string' && value !== '') return value
      }
      return null
    },
    missing: 'is NULL or empty',
  }
}
