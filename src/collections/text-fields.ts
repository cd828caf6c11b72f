import { Type } from '@sinclair/typebox'
import type { Static, TUnsafe } from '@sinclair/typebox'
import { RowFault } from '../errors.js'
import { joinTexts, readJsonText, readUtf8, requireText, textLengthMax } from '../values/cells.js'
import { readIdentifier } from '../values/identifiers.js'
import type { AcceptedColumn } from './accepted-columns.js'
import {
  firstOf,
  foundColumn,
  IdentifierOption,
  partsOf,
  ReferenceOption,
  zeros,
  zerosForm,
} from './column-options.js'
import type { ColumnOption, FirstMapping, IdentifierMapping } from './column-options.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField, listPlaces, toCellField, toFirst } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { closed, ColumnName, lookupNeeds, lookupOf, oneOf, TableName } from './options.js'
import type { EventPlaces, IdentifierColumn } from './resolved-table.js'

/* Identifiers: text, an integer or a UUID of 16 bytes, which callers send and see as text. */

/** An opaque identifier. */
export function identifier(documented: Documented) {
  const declared = {
    content: 'text',
    schema: identifierSchema(documented),
    option: IdentifierOption,
  } as const
  return defineField(declared, (option, columns) =>
    notEmpty(toIdentifierField(columns.findIdentifier(option), columns)),
  )
}

/** The identifier of an event. */
export function eventIdentifier(documented: Documented) {
  const schema = identifierSchema(documented)
  return defineField({ content: 'text', schema, option: firstOf(ReferenceOption) }, (option, columns) => {
    const found = findEvent(option, columns)
    return {
      ...notEmpty(toFirst<IdentifierColumn>(found.places, (place) => toIdentifierField(place, columns))),
      found,
    }
  })
}

function identifierSchema({ description, example }: Documented) {
  return Type.String({
    description: `${description} Opaque: compare it, do not take it apart.`,
    maxLength: textLengthMax,
    examples: [example],
  })
}

const Link = Type.Object(
  { table: TableName, invoice: IdentifierOption, event: IdentifierOption },
  {
    ...closed,
    description: '{ table, invoice, event }, or null where invoices have no event',
  },
)
/** The option of the filter `eventId` where the record does not show its event: a place, a table that links them, or none. */
export const EventFilterOption = firstOf(ReferenceOption, [Link, Type.Null()])
/** The same as the mapping names it. */
export type EventFilterMapping = Static<typeof EventFilterOption>

/** The places that can have the event of a record. */
export function findEvent(option: FirstMapping<IdentifierMapping>, columns: ColumnResolver): EventPlaces {
  const places = listPlaces(option, columns).map((place) => columns.findPlace(place))
  return { kind: 'places', places }
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
  pattern: '^\\$(\\.([A-Za-z_]\\w*|"[^"\\\\]+")|\\[\\d+\\])+$',
  description: 'a path to one value in a JSON document, such as $.settings.currency or $."e-mail"[0]',
})
/** For text that was stored as UTF-8 in a column declared latin1. */
const charset = oneOf(['utf8-in-latin1'], {
  title: 'charset',
  description: 'utf8-in-latin1, where UTF-8 was stored in a column declared latin1',
})

const textForm =
  'a column name, or { column, json: $.path } for text in a JSON document, or { column, charset: utf8-in-latin1 }'
/** Text in one place of this table or of another. */
export const TextOption = foundColumn({ json, charset }, textForm)
/** The same as the mapping names it. */
export type TextMapping = Static<typeof TextOption>

const textColumns: AcceptedColumn = {
  kinds: ['text'],
  form: 'CHAR, VARCHAR, TEXT or ENUM; for a reference to another table, { from: TABLE, on: COLUMN, column: COLUMN }',
}
const documents: AcceptedColumn = { kinds: ['json', 'text'], form: 'JSON or text' }

/** Text of one place. */
export function resolveText(place: TextMapping, columns: ColumnResolver): ResolvedField {
  const { json: path, charset: stored } = partsOf(place)
  if (path === undefined) return resolveParts([place], partsOf(place), columns)
  if (stored !== undefined) columns.report('json beside charset', 'one of them')
  return toCellField({ ...columns.find(place, documents), json: path }, columns, readJsonText)
}

/** A field of text in one place, or in the first of several that has one. */
function textField<Place>(
  content: 'personal' | 'text',
  option: TUnsafe<FirstMapping<Place>>,
  resolve: (place: Place, columns: ColumnResolver) => ResolvedField,
) {
  return ({ description, example }: Documented) => {
    const schema = Type.String({ description, maxLength: textLengthMax, examples: [example] })
    return defineField({ content, schema, option }, (mapped, columns) =>
      toFirst(listPlaces<Place>(mapped, columns), (place) => resolve(place, columns)),
    )
  }
}

/** Text of any script, as it stands, that tells about a person. */
export const personalText = textField('personal', firstOf(TextOption), resolveText)

const NumberOption = foundColumn({ json, charset, zeros }, `${textForm}, or ${zerosForm}`)

/** A reference that people read, such as an invoice's number: text or an integer. */
export const reference = textField('text', firstOf(NumberOption), (place, columns) => {
  const { json: path, charset: stored, zeros: isPlain } = partsOf(place)
  if ((path ?? stored) === undefined) return toIdentifierField(columns.findCode(place), columns)
  if (isPlain !== undefined) columns.report('zeros beside json or charset', 'one of them')
  return resolveText(place, columns)
})

const Parts = Type.Object(
  {
    ...lookupOf,
    columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
    separator: Type.Optional(Type.String()),
    charset: Type.Optional(charset),
  },
  { ...closed, dependencies: lookupNeeds },
)
type PartsMapping = Static<typeof Parts>
const NameOption = Type.Union([TextOption, Parts], {
  description: `${TextOption.description}; { columns: [column…], separator } for a name in parts`,
})

/** A person's name, in one column or in several that are joined. */
export const personName = textField('personal', firstOf(NameOption), (place, columns) => {
  if (typeof place === 'string' || !('columns' in place)) return resolveText(place, columns)
  return resolveParts(place.columns, place, columns.follow(place))
})

/** Text in one column, or in several that are joined. */
function resolveParts(
  options: readonly ColumnOption[],
  { charset: stored, separator = ' ' }: Partial<Pick<PartsMapping, 'charset' | 'separator'>>,
  columns: ColumnResolver,
): ResolvedField {
  const all = options.map((option) => {
    const found = columns.find(option, textColumns)
    const { characterSet } = found.column
    if (stored !== undefined && characterSet !== null && characterSet !== 'latin1')
      columns.reportColumn(found, 'latin1, or a mapping without charset', ` in ${characterSet}`)
    return toCellField({ ...found, charset: stored }, columns, stored === undefined ? requireText : readUtf8)
  })
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
