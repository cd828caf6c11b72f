import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { Column } from '../database/column.js'
import type { BoundValue } from '../database/statement.js'
import { RowFault } from '../errors.js'
import { textLengthMax } from '../values/cells.js'
import { readIdentifier, toStoredIdentifier } from '../values/identifiers.js'
import type { IdentifierKind } from '../values/identifiers.js'
import type { AcceptedColumn, ColumnResolver } from './column-resolver.js'
import { defineField, listPlaces, toColumnField, toFirst } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import type { FoundColumn } from './found-column.js'
import { firstOf, foundColumn, isConstant, oneOf, ownColumn, partsOf } from './options.js'
import type { Constant, FirstMapping } from './options.js'

/* Identifiers: text, an integer or a UUID of 16 bytes, which callers send and see as text. */

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

/** A column of identifiers, which callers send and see as text. */
export interface IdentifierColumn extends FoundColumn {
  readonly kind: 'column'
  readonly identifier: IdentifierKind
}

/** Where a workspace or an event is: in a column, or the same for all records. */
export type IdentifierPlace = IdentifierColumn | { readonly kind: 'constant'; readonly constant: string }

/** Several places of which the first with a value counts; a constant is the last one. */
export interface Places {
  readonly kind: 'places'
  readonly places: readonly IdentifierPlace[]
}

const identifiers: AcceptedColumn = {
  kinds: ['text', 'integer', 'binary'],
  form: 'CHAR, VARCHAR, an integer type or BINARY(16) for a UUID',
}

/** Text or an integer. */
export const codes: AcceptedColumn = {
  kinds: ['text', 'integer'],
  form: 'CHAR, VARCHAR, TEXT, ENUM or an integer type',
}

/** Finds a column of identifiers. @param isShown whether callers see the value. */
export function findIdentifier(
  option: IdentifierMapping,
  columns: ColumnResolver,
  accepted = identifiers,
  isShown = true,
): IdentifierColumn {
  const { as, zeros: isPadded } = partsOf(option)
  const found = columns.find(option, accepted)
  const isUuid = found.column.type === 'binary(16)'
  const { kind, zerofill } = found.column
  if (isUuid !== (as !== undefined || kind === 'binary'))
    columns.reportColumn(found, uuidForm, as && ` as ${as}`)
  if (isPadded !== undefined && !zerofill) columns.reportColumn(found, zerofillForm, ' with zeros: false')
  const column = zerofill && isShown ? { ...found.column, showsZeros: isPadded !== false } : found.column
  return { ...found, kind: 'column', column, identifier: toIdentifierKind(column, as) }
}

const uuidForm = 'BINARY(16) for a UUID; else text or an integer'
const zerofillForm = 'a ZEROFILL integer; leave out zeros for another column'

/** The same, or a constant. */
export function findPlace(
  option: IdentifierMapping | Constant,
  columns: ColumnResolver,
  isShown = true,
): IdentifierPlace {
  return isConstant(option)
    ? { kind: 'constant', constant: option.constant }
    : findIdentifier(option, columns, identifiers, isShown)
}

/** Finds each of several places. */
export function findPlaces(option: FirstMapping<IdentifierMapping>, columns: ColumnResolver): Places {
  const places = listPlaces(option, columns).map((place) => findPlace(place, columns))
  return { kind: 'places', places }
}

/** The columns of places. */
export function listColumns(...places: readonly IdentifierPlace[]): readonly IdentifierColumn[] {
  return places.flatMap((place) => (place.kind === 'column' ? [place] : []))
}

function toIdentifierKind(column: Column, as?: 'uuid' | 'uuid-swapped'): IdentifierKind {
  if (column.showsZeros === true) return 'zerofill'
  if (column.kind === 'integer') return column.unsigned ? 'unsigned' : 'signed'
  if (column.kind === 'binary') return as ?? 'uuid'
  if (column.characterSet === null) return textTypes[column.type.toLowerCase()] ?? 'text'
  return column.characterSet === 'ascii' ? 'ascii' : 'text'
}

/** Text without a character set. */
const textTypes: Readonly<Record<string, IdentifierKind>> = {
  uuid: 'uuid-text',
  inet4: 'inet4',
  inet6: 'inet6',
}

/** The stored form of a caller's text, or undefined where the column cannot hold it. */
export function bindIdentifier(
  { column, identifier }: IdentifierColumn,
  text: string,
): BoundValue | undefined {
  // A CHAR is read without spaces at its end, but a comparison ignores them.
  if (text.endsWith(' ') && /^char\b/i.test(column.type)) return undefined
  return toStoredIdentifier(text, identifier)
}

/** The field of a column of identifiers. */
export function toIdentifierField(found: IdentifierColumn, columns: ColumnResolver) {
  return toColumnField(found, columns, (cell) => readIdentifier(cell, found.identifier))
}

/** An opaque identifier. */
export function identifier(documented: Documented) {
  const schema = identifierSchema(documented)
  return defineField({ content: 'text', schema, option: IdentifierOption }, (option, columns) =>
    notEmpty(toIdentifierField(findIdentifier(option, columns), columns)),
  )
}

/** The identifier of an event. */
export function eventIdentifier(documented: Documented) {
  const schema = identifierSchema(documented)
  return defineField({ content: 'text', schema, option: firstOf(ReferenceOption) }, (option, columns) => {
    const found = findPlaces(option, columns)
    const field = toFirst<IdentifierColumn>(found.places, (place) => toIdentifierField(place, columns))
    return { ...notEmpty(field), found }
  })
}

function identifierSchema({ description, example }: Documented) {
  return Type.String({
    description: `${description} Opaque: compare it, do not take it apart.`,
    maxLength: textLengthMax,
    examples: [example],
  })
}

/** An identifier that no request can name is none. */
function notEmpty<Resolved extends ResolvedField>(field: Resolved): Resolved {
  return {
    ...field,
    read: (row, readField) => {
      const value = field.read(row, readField)
      if (value === '') throw new RowFault('is empty')
      return value
    },
  }
}
