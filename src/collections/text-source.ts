import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { RowFault } from '../errors.js'
import { readIdentifier } from '../values/identifier.js'
import type { IdentifierKind } from '../values/identifier.js'
import { readJsonText, readUtf8, requireText } from '../values/text.js'
import type { AcceptedColumn, ColumnResolver, FieldIssue, ResolvedField } from './field.js'
import { lookupForm, lookupOf } from './section-options.js'
import { ColumnName, FoundColumnName, OwnColumnName, closed, isConstant, isFirst, nameOf } from './options.js'
import { createCellNames } from './resolved-table.js'
import type { IdentifierColumn, ProjectedColumn } from './resolved-table.js'

/*
 * The places that a text can come from: a column of this table or of another, text in a JSON document there, or the first
 * of several places that has one. Each place is a field whose `read` gives its text, or null where there is none.
 */

const JsonPath = Type.String({
  title: 'json',
  maxLength: 200,
  pattern: '^\\$(\\.([A-Za-z_]\\w*|"[^"\\\\]+")|\\[\\d+\\])+$',
  description: 'a path to one value in a JSON document, such as $.settings.currency or $."e-mail"[0]',
})

/** For text that was stored as UTF-8 in a column declared latin1. */
export const CharsetOption = Type.Literal('utf8-in-latin1', {
  title: 'charset',
  description: 'utf8-in-latin1, where UTF-8 was stored in a column declared latin1',
})

/** The shapes of text in one place. */
export const textShapes = [
  Type.Object({ column: ColumnName, charset: CharsetOption }, closed),
  Type.Object({ ...lookupOf, column: FoundColumnName, charset: CharsetOption }, closed),
  OwnColumnName,
  Type.Object({ column: ColumnName, json: JsonPath }, closed),
  Type.Object(
    { ...lookupOf, column: FoundColumnName, json: Type.Optional(JsonPath) },
    { ...closed, title: 'textLookup' },
  ),
] as const
/** Text in one place, in words. */
export const textForm = `a column name, ${lookupForm}, or either with json: $.path for text in a JSON document, or with charset: utf8-in-latin1`

/** Text in one place, as the mapping names it. */
export type TextMapping = Static<(typeof textShapes)[number]>

const ConstantText = Type.Object(
  { constant: Type.String({ minLength: 1, maxLength: 200, description: 'text in quotes' }) },
  closed,
)

/** An option with these shapes, or with the first of several of them that has a value. */
export function withFirst<Shapes extends readonly TSchema[]>(shapes: readonly [...Shapes], form: string) {
  const places = firstOf<[...Shapes, typeof ConstantText]>(
    [...shapes, ConstantText],
    `${form}; or { constant: TEXT }`,
  )
  const First = Type.Object({ first: places }, closed)
  return Type.Union([...shapes, First], { description: `${form}; or ${firstForm}` })
}

/** The first of several places, in words. */
export const firstForm = '{ first: [place, …, { constant: TEXT }] } for the first that is not empty'

/** The list of a `first`. @param place what one of them may be, in words */
export function firstOf<Shapes extends readonly TSchema[]>(shapes: readonly [...Shapes], place: string) {
  const description = 'a list of 2 to 8 places, with a constant as the last one or none'
  return Type.Unsafe<Static<Shapes[number]>[]>(
    Type.Array(Type.Union([...shapes], { description: place }), { minItems: 2, maxItems: 8, description }),
  )
}

/** What is wrong with the constants of an option: nothing behind one is ever read. */
export function findFirstIssue(option: unknown): FieldIssue | undefined {
  if (!isFirst(option)) return undefined
  const at = option.first.slice(0, -1).findIndex(isConstant)
  const part = option.first[at]
  if (!isConstant(part)) return undefined
  return {
    path: `.first.${at}.constant`,
    found: `${part.constant}, and others behind it`,
    allowed: 'a constant as the last one',
  }
}

/** The columns of one place: the cells are named after the field, such as email, email2, email3. */
export type ResolvePlace<Place> = (place: Place, nextName: () => string) => ResolvedField

/** A field of one place, or of the first of several that is neither NULL nor empty. */
export function resolveFirst<Place>(
  option: Place | { readonly first: readonly (Place | { readonly constant: string })[] },
  name: string,
  resolve: ResolvePlace<Place>,
): ResolvedField {
  const nextName = createCellNames(name)
  if (!isFirst(option)) return resolve(option, nextName)
  const places = option.first.map((place) =>
    isConstant(place) ? toConstant(place.constant) : resolve(place as Place, nextName),
  )
  return {
    projection: places.flatMap(({ projection }) => projection),
    read: (row, readField) => {
      for (const { read } of places) {
        const value = read(row, readField)
        if (typeof value === 'string' && value !== '') return value
      }
      return null
    },
    transform: `the first that is not empty: ${[...new Set(places.map(({ transform }) => transform))].join(', else ')}`,
  }
}

/** The same text for every row. */
export function toConstant(constant: string): ResolvedField {
  return { projection: [], read: () => constant, transform: constant }
}

/** A field that the mapping leaves out. */
export const alwaysNull: ResolvedField = {
  projection: [],
  read: () => null,
  missing: null,
  transform: 'always null',
}

/** Columns of text. */
export const textColumns: AcceptedColumn = {
  kinds: ['text'],
  form: 'CHAR, VARCHAR, TEXT or ENUM; for a reference to another table, { from: TABLE, on: COLUMN, column: COLUMN }',
}
const documents: AcceptedColumn = { kinds: ['json', 'text'], form: 'JSON or text' }

/** Text of one place. */
export function resolveText(resolver: ColumnResolver, path: string): ResolvePlace<TextMapping> {
  return (place, nextName) => {
    const { find, lookup } = resolver.follow(place, path)
    const json = typeof place === 'object' && 'json' in place ? place.json : undefined
    const charset = typeof place === 'object' && 'charset' in place ? place.charset : undefined
    const as = nextName()
    if (json === undefined)
      return {
        projection: [{ as, column: find(nameOf(place), textColumns, path), lookup, charset }],
        read: readTextOf(as, charset),
        transform: describeText(charset),
      }
    return {
      projection: [{ as, column: find(nameOf(place), documents, path), lookup, json }],
      read: (row) => readJsonText(row[as]),
      transform: `${json} of the JSON document as text`,
    }
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
  as: string,
  found: IdentifierColumn,
): ResolvedField & { readonly found: IdentifierColumn } {
  return {
    found,
    projection: [{ as, column: found.column, lookup: found.lookup }],
    read: readIdentifierOf(as, found),
    transform: identifierTransforms[found.identifier],
  }
}

/** An identifier that no request can name is none. */
export function notEmpty<Resolved extends ResolvedField>(field: Resolved): Resolved {
  return {
    ...field,
    read: (row, readField) => {
      const value = field.read(row, readField)
      if (value === '') throw new RowFault('is empty')
      return value
    },
  }
}

/** Reads a cell that is shown as its text. */
export function readIdentifierOf(as: string, { identifier }: IdentifierColumn): ResolvedField['read'] {
  return ({ [as]: cell }) => (cell === null || cell === undefined ? null : readIdentifier(cell, identifier))
}

/** Reads a cell of text, unchanged. */
export function readTextOf(as: string, charset?: ProjectedColumn['charset']): ResolvedField['read'] {
  const read = charset === undefined ? requireText : readUtf8
  return ({ [as]: cell }) => (cell === null || cell === undefined ? null : read(cell))
}

/** How text is shown, in words. */
export function describeText(charset: ProjectedColumn['charset']): string {
  return charset === undefined ? identifierTransforms.text : 'its bytes as UTF-8'
}
