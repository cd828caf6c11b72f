import { Type } from '@sinclair/typebox'
import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'
import { RowFault } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import { joinTexts, readJsonText, readUtf8, requireText } from '../values/text.js'
import type { AcceptedColumn } from './accepted-columns.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField, listPlaces, toCellField, toFirst } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import {
  firstForm,
  firstShapes,
  foundShapes,
  IdentifierOption,
  isConstant,
  partsOf,
  referenceForm,
  referenceShapes,
} from './column-options.js'
import type { ColumnWith, FirstMapping, IdentifierMapping } from './column-options.js'
import { anyOf, closed, ColumnName, lookupForm, lookupOf } from './options.js'
import { oneOf, TableName } from './options.js'
import type { LookupMapping } from './options.js'
import type { EventPlace, IdentifierColumn, ProjectedColumn } from './resolved-table.js'

/* Identifiers: text, an integer or a UUID of 16 bytes, which callers send and see as text. */

/** An opaque identifier. */
export function identifier(documented: Documented) {
  return defineField(identifierSchema(documented), IdentifierOption, (option, columns) =>
    notEmpty(toIdentifierField(columns.findIdentifier(option), columns)),
  )
}

/** A column of events of this table or of another, or the first of several that has one. */
const eventShapes = firstShapes(referenceShapes, referenceForm)
const EventOption = anyOf<FirstMapping<IdentifierMapping>>(eventShapes, `${referenceForm}; or ${firstForm}`)

/** The identifier of an event. */
export function eventIdentifier(documented: Documented) {
  return defineField(identifierSchema(documented), EventOption, (option, columns) => {
    const found = findEvent(option, columns)
    return { ...notEmpty(toFirst(found, (place) => toIdentifierField(place, columns))), found }
  })
}

function identifierSchema({ description, example }: Documented) {
  return textSchema({
    description: `${description} Opaque: compare it, do not take it apart.`,
    example,
  })
}

const Link = Type.Object({ table: TableName, invoice: IdentifierOption, event: IdentifierOption }, closed)
/** The filter `eventId` as the mapping names it, where the record does not show its event; null where it has none. */
export type EventFilterMapping = FirstMapping<IdentifierMapping> | Static<typeof Link> | null
/** The option of this filter. */
export const EventFilterOption = anyOf<EventFilterMapping>(
  [...eventShapes, Link, Type.Null()],
  `a column name, ${lookupForm}, ${firstForm}, { table, invoice, event } for a table that links invoices and events, or null where invoices have no event`,
)

/** The places that can have the event of a record. */
export function findEvent(
  option: FirstMapping<IdentifierMapping>,
  columns: ColumnResolver,
): readonly EventPlace[] {
  return listPlaces(option, columns).map((place) =>
    isConstant(place) ? place : columns.findIdentifier(place),
  )
}

/** The field of a column of identifiers. */
export function toIdentifierField(found: IdentifierColumn, columns: ColumnResolver) {
  return toCellField(found, columns, (cell) => readIdentifier(cell, found.identifier))
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

/*
 * The places that a text can come from: a column of this table or of another, or text in a JSON document there. Each place
 * is a field whose `read` gives its text, or null where there is none.
 */

const json = Type.String({
  title: 'json',
  maxLength: 200,
  pattern: '^\\$(\\.([A-Za-z_]\\w*|"[^"\\\\]+")|\\[\\d+\\])+$',
  description: 'a path to one value in a JSON document, such as $.settings.currency or $."e-mail"[0]',
})
/** For text that was stored as UTF-8 in a column declared latin1. */
const charset = oneOf(['utf8-in-latin1'], {
  title: 'charset',
  description: 'utf8-in-latin1, where UTF-8 was stored in a column declared latin1',
})

/** Text in one place, as the mapping names it; not with both. */
export type TextMapping = ColumnWith<{ json: typeof json; charset: typeof charset }>
/** The shapes of text in one place. */
export const textShapes = [
  Type.Object({ column: ColumnName, charset }, closed),
  Type.Object({ ...lookupOf, column: ColumnName, charset }, closed),
  ...foundShapes({ json }, 'textLookup'),
]
/** The same in words. */
export const textForm = `a column name, ${lookupForm}, or either with json: $.path for text in a JSON document, or with charset: utf8-in-latin1`

const textColumns: AcceptedColumn = {
  kinds: ['text'],
  form: 'CHAR, VARCHAR, TEXT or ENUM; for a reference to another table, { from: TABLE, on: COLUMN, column: COLUMN }',
}
const documents: AcceptedColumn = { kinds: ['json', 'text'], form: 'JSON or text' }

/** Text of one place. */
export function resolveText(place: TextMapping, columns: ColumnResolver): ResolvedField {
  const { json: path, charset: stored } = partsOf(place)
  if (path === undefined)
    return toTextField({ ...columns.find(place, textColumns), charset: stored }, columns)
  return toCellField({ ...columns.find(place, documents), json: path }, columns, readJsonText)
}

function toTextField(found: Omit<ProjectedColumn, 'as'>, columns: ColumnResolver) {
  return toCellField(found, columns, found.charset === undefined ? requireText : readUtf8)
}

function textSchema({ description, example }: Documented) {
  return Type.String({ description, examples: [example] })
}

/** A field of text in one place, or in the first of several that has one. */
function textField<Place>(
  documented: Documented,
  option: TUnsafe<FirstMapping<Place>>,
  resolve: (place: Place, columns: ColumnResolver) => ResolvedField,
) {
  return defineField(textSchema(documented), option, (mapped, columns) =>
    toFirst(listPlaces<Place>(mapped, columns), (place) => resolve(place, columns)),
  )
}

/** An option for text in one place, or in the first of several that has one. */
function withFirst<Place>(shapes: readonly TSchema[], form: string) {
  return anyOf<FirstMapping<Place>>(firstShapes(shapes, form), `${form}; or ${firstForm}`)
}
const TextOption = withFirst<TextMapping>(textShapes, textForm)

/** Text of any script, as it stands. */
export function text(documented: Documented) {
  return textField(documented, TextOption, resolveText)
}

/** A reference that people read, such as an invoice's number: text or an integer. */
export function reference(documented: Documented) {
  return textField(documented, TextOption, (place, columns) => {
    const { json: path, charset: stored } = partsOf(place)
    return (path ?? stored) === undefined
      ? toIdentifierField(columns.findCode(place), columns)
      : resolveText(place, columns)
  })
}

const parts = {
  columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
  separator: Type.Optional(Type.String()),
  charset: Type.Optional(charset),
}
const Parts = Type.Object(parts, closed)
/** A name in parts, of this table or of another. */
type PartsMapping = Static<typeof Parts> & Partial<LookupMapping>
const NameOption = withFirst<TextMapping | PartsMapping>(
  [...textShapes, Parts, Type.Object({ ...lookupOf, ...parts }, closed)],
  `${textForm}, or { columns: [column…], separator } in the place of column`,
)

/** A person's name, in one column or in several that are joined. */
export function personName(documented: Documented) {
  return textField(documented, NameOption, resolveName)
}

function resolveName(place: TextMapping | PartsMapping, columns: ColumnResolver): ResolvedField {
  if (typeof place === 'string' || !('columns' in place)) return resolveText(place, columns)
  const located = columns.follow(place)
  const { separator = ' ', charset: stored } = place
  const all = place.columns.map((column) =>
    toTextField({ ...located.find(column, textColumns), charset: stored }, columns),
  )
  const [first] = all
  if (all.length === 1 && first !== undefined) return first
  const cells = all.flatMap(({ projection }) => projection)
  return {
    projection: cells,
    read: (row) =>
      joinTexts(
        cells.map(({ as }) => row[as]),
        separator,
        stored && readUtf8,
      ),
    missing: 'is NULL in every part',
  }
}
