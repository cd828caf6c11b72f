import { Type } from '@sinclair/typebox'
import { RowFault } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { firstForm, firstShapes, isFirst, listPlaces, toFirst } from './first-place.js'
import type { FirstMapping } from './first-place.js'
import { IdentifierOption, isConstant, referenceForm, referenceShapes } from './column-options.js'
import { anyOf, closed, lookupForm, TableName } from './options.js'
import type { IdentifierMapping } from './column-options.js'
import type { EventChoice, IdentifierColumn } from './resolved-table.js'

/** An opaque identifier: text, an integer or a UUID of 16 bytes. */
export function identifier(documented: Documented) {
  return defineField(toSchema(documented), IdentifierOption, (option, columns) =>
    notEmpty(toIdentifierField(columns.findIdentifier(option), columns)),
  )
}

/** A column of events of this table or of another, or the first of several that has one. */
const eventShapes = firstShapes(referenceShapes, referenceForm)
const EventOption = anyOf<FirstMapping<IdentifierMapping>>(eventShapes, `${referenceForm}; or ${firstForm}`)

/** The identifier of an event. */
export function eventIdentifier(documented: Documented) {
  return defineField(toSchema(documented), EventOption, (option, columns) => {
    const found = findEvent(option, columns)
    const places = 'first' in found ? found.first : [found]
    return { ...notEmpty(toFirst(places, (place) => toIdentifierField(place, columns))), found }
  })
}

function toSchema({ description, example }: Documented) {
  return Type.String({
    description: `${description} Opaque: compare it, do not take it apart.`,
    examples: [example],
  })
}

/** A table that links invoices to events, as the mapping names it. */
export interface LinkMapping {
  readonly table: string
  readonly invoice: IdentifierMapping
  readonly event: IdentifierMapping
}
/** The filter `eventId` as the mapping names it, where the record does not show its event; null where it has none. */
export type EventFilterMapping = FirstMapping<IdentifierMapping> | LinkMapping | null
/** The option of this filter. */
export const EventFilterOption = anyOf<EventFilterMapping>(
  [
    ...eventShapes,
    Type.Object({ table: TableName, invoice: IdentifierOption, event: IdentifierOption }, closed),
    Type.Null(),
  ],
  `a column name, ${lookupForm}, ${firstForm}, { table, invoice, event } for a table that links invoices and events, or null where invoices have no event`,
)

/** What the filter by event compares. */
export function findEvent(
  option: FirstMapping<IdentifierMapping>,
  columns: ColumnResolver,
): IdentifierColumn | EventChoice {
  if (!isFirst(option)) return columns.findIdentifier(option)
  return {
    first: listPlaces(option, columns).map((place) =>
      isConstant(place) ? place : columns.findIdentifier(place),
    ),
  }
}

/** How an identifier is shown, in words, for the report of `check`. */
export const identifierTransforms: Readonly<Record<IdentifierKind, string>> = {
  text: 'as it stands',
  ascii: 'as it stands',
  'uuid-text': 'as it stands',
  inet4: 'as it stands',
  inet6: 'as it stands',
  signed: 'the number as text',
  unsigned: 'the number as text',
  zerofill: 'the number as text, with its leading zeros',
  uuid: 'its bytes as a lower-case UUID',
  'uuid-swapped': "its bytes as a lower-case UUID, UUID_TO_BIN's swap undone",
}

/** The field of a column of identifiers. */
export function toIdentifierField(
  found: IdentifierColumn,
  columns: ColumnResolver,
): ResolvedField & { readonly found: IdentifierColumn } {
  const as = columns.nextCell()
  return {
    found,
    projection: [{ as, column: found.column, lookup: found.lookup }],
    read: readIdentifierOf(as, found),
    transform: identifierTransforms[found.identifier],
  }
}

/** Reads a cell that is shown as its text. */
export function readIdentifierOf(as: string, { identifier: kind }: IdentifierColumn): ResolvedField['read'] {
  return ({ [as]: cell }) => (cell === null || cell === undefined ? null : readIdentifier(cell, kind))
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
