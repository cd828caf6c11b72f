import { Type } from '@sinclair/typebox'
import { joinTexts, readJsonText, readUtf8, requireText } from '../values/text.js'
import type { AcceptedColumn } from './accepted-columns.js'
import type { ColumnResolver } from './column-resolver.js'
import { defineField } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { resolveFirst, withFirst } from './first-place.js'
import { identifierTransforms, toIdentifierField } from './identifier-fields.js'
import { foundShapes, partsOf } from './column-options.js'
import { closed, ColumnName, FoundColumnName, lookupForm, lookupOf, oneOf } from './options.js'
import type { ColumnOption } from './column-options.js'
import type { LookupMapping } from './options.js'
import type { ProjectedColumn } from './resolved-table.js'

/*
 * The places that a text can come from: a column of this table or of another, or text in a JSON document there. Each place
 * is a field whose `read` gives its text, or null where there is none.
 */

const JsonPath = Type.String({
  title: 'json',
  maxLength: 200,
  pattern: '^\\$(\\.([A-Za-z_]\\w*|"[^"\\\\]+")|\\[\\d+\\])+$',
  description: 'a path to one value in a JSON document, such as $.settings.currency or $."e-mail"[0]',
})
/** For text that was stored as UTF-8 in a column declared latin1. */
const Charset = oneOf(['utf8-in-latin1'], {
  title: 'charset',
  description: 'utf8-in-latin1, where UTF-8 was stored in a column declared latin1',
})
type Charset = 'utf8-in-latin1'

/** Text in one place, as the mapping names it; not with both. */
export type TextMapping = ColumnOption<{ readonly json?: string; readonly charset?: Charset }>
/** The shapes of text in one place. */
export const textShapes = [
  Type.Object({ column: ColumnName, charset: Charset }, closed),
  Type.Object({ ...lookupOf, column: FoundColumnName, charset: Charset }, closed),
  ...foundShapes({ json: JsonPath }, 'textLookup'),
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
  const { json, charset } = partsOf(place)
  const as = columns.nextCell()
  if (json === undefined)
    return {
      projection: [{ as, ...columns.find(place, textColumns), charset }],
      read: readTextOf(as, charset),
      transform: describeText(charset),
    }
  return {
    projection: [{ as, ...columns.find(place, documents), json }],
    read: (row) => readJsonText(row[as]),
    transform: `${json} of the JSON document as text`,
  }
}

/** Reads a cell of text, unchanged. */
export function readTextOf(as: string, charset?: ProjectedColumn['charset']): ResolvedField['read'] {
  const read = charset === undefined ? requireText : readUtf8
  return ({ [as]: cell }) => (cell === null || cell === undefined ? null : read(cell))
}

function describeText(charset: ProjectedColumn['charset']): string {
  return charset === undefined ? identifierTransforms.text : 'its bytes as UTF-8'
}

const TextOption = withFirst<TextMapping>(textShapes, textForm)

/** Text of any script, as it stands. */
export function text(documented: Documented) {
  return defineField(toSchema(documented), TextOption, (option, columns) =>
    resolveFirst(option, columns, resolveText),
  )
}

/** A reference that people read, such as an invoice's number: text or an integer. */
export function reference(documented: Documented) {
  return defineField(toSchema(documented), TextOption, (option, columns) =>
    resolveFirst(option, columns, (place) => {
      const { json, charset } = partsOf(place)
      return (json ?? charset) === undefined
        ? toIdentifierField(columns.findCode(place), columns)
        : resolveText(place, columns)
    }),
  )
}

function toSchema({ description, example }: Documented) {
  return Type.String({ description, examples: [example] })
}

const parts = {
  columns: Type.Array(ColumnName, { minItems: 1, maxItems: 8 }),
  separator: Type.Optional(Type.String()),
  charset: Type.Optional(Charset),
}
/** A name in parts, of this table or of another. */
interface PartsMapping extends Partial<LookupMapping> {
  readonly columns: readonly string[]
  readonly separator?: string
  readonly charset?: Charset
}
const NameOption = withFirst<TextMapping | PartsMapping>(
  [...textShapes, Type.Object(parts, closed), Type.Object({ ...lookupOf, ...parts }, closed)],
  `${textForm}, or { columns: [column…], separator } in the place of column`,
)

/** A person's name, in one column or in several that are joined. */
export function personName(documented: Documented) {
  return defineField(toSchema(documented), NameOption, (option, columns) =>
    resolveFirst(option, columns, resolveName),
  )
}

function resolveName(place: TextMapping | PartsMapping, columns: ColumnResolver): ResolvedField {
  if (typeof place === 'string' || !('columns' in place)) return resolveText(place, columns)
  const located = columns.follow(place)
  const { separator = ' ', charset } = place
  const all = place.columns.map((column) => ({
    as: columns.nextCell(),
    ...located.find(column, textColumns),
    charset,
  }))
  const [first] = all
  if (all.length === 1 && first !== undefined)
    return { projection: all, read: readTextOf(first.as, charset), transform: describeText(charset) }
  return {
    projection: all,
    read: (row) =>
      joinTexts(
        all.map(({ as }) => row[as]),
        separator,
        charset && readUtf8,
      ),
    missing: 'is NULL in every part',
    transform: `joined by ${JSON.stringify(separator)}, empty parts left out`,
  }
}
