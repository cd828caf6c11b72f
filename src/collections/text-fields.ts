import { Type } from '@sinclair/typebox'
import type { Static, TUnsafe } from '@sinclair/typebox'
import { guard, Sql, sql } from '../database/sql.js'
import { bytesMax, joinTexts, readJsonText, readUtf8, requireText, textLengthMax } from '../values/cells.js'
import type { AcceptedColumn, ColumnResolver } from './column-resolver.js'
import { defineField, listPlaces, toCellField, toColumnField, toFirst } from './field.js'
import type { Documented, ResolvedField } from './field.js'
import { closed, ColumnName, firstOf, foundColumn, lookupNeeds, lookupOf, oneOf, partsOf } from './options.js'
import type { ColumnOption, FirstMapping } from './options.js'
import { cut, isLong, left, selectOf } from './found-column.js'
import type { FoundColumn, Selected } from './found-column.js'
import { codes, findIdentifier, toIdentifierField, zeros, zerosForm } from './identifier-fields.js'

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
  return toCellField(selectJson(columns.find(place, documents), path), columns, readJsonText)
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
  if ((path ?? stored) === undefined) return toIdentifierField(findIdentifier(place, columns, codes), columns)
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
    return stored === undefined
      ? toColumnField(found, columns, requireText)
      : toCellField(selectUtf8(found), columns, readUtf8)
  })
  const [first] = all
  if (all.length === 1 && first !== undefined) return first
  return {
    projection: all.flatMap(({ projection }) => projection),
    read: (row) =>
      joinTexts(
        all.map(({ read }) => read(row)),
        separator,
      ),
    missing: 'is NULL in every part',
  }
}

/**
 * Bytes, because MariaDB writes what is not UTF-8 as question marks, and latin1 has one for each character; no UTF-8 where the
 * column was converted meanwhile.
 */
function selectUtf8(found: FoundColumn): Selected {
  return selectOf(found, isLong(found.column, bytesMax.utf8), (quoted) => {
    const text = cut(found.column, quoted, bytesMax.utf8)
    return sql`case charset(${quoted}) when 'latin1' then cast(convert(${text} using latin1) as binary) else x'ff' end`
  })
}

/**
 * The JSON of a value in a document, in bytes, because escapes have several characters; in the place of a text that is not JSON,
 * one that no value has. A JSON column can become one of text meanwhile.
 */
function selectJson(found: FoundColumn, path: string): Selected {
  return selectOf(found, true, (quoted) => {
    const value = sql`cast(cast(json_extract(${quoted}, ${path}) as char) as binary)`
    const start = left(value, bytesMax.json + 1)
    const deep = found.column.kind === 'json' ? sql`` : guard(sql`when ${isTooDeep(quoted)} then x'7b' `)
    return sql`case ${deep}when json_valid(${quoted}) then ${start} when ${quoted} is not null then x'7b' end`
  })
}

/** A JSON document of MySQL has at most so many levels. */
const levelsMax = 100
/** The server ends a regular expression that finds three times as many places. */
const placesMax = 100_000

/**
 * Whether a text has more levels of brackets than MySQL reads in JSON: an error of the statement, where other text is only no
 * JSON. Each round removes the innermost brackets. A text with too many places to look at counts as one.
 */
function isTooDeep(quoted: Sql): Sql {
  const without = (text: Sql, ...parts: readonly string[]): Sql =>
    parts.reduce((rest, part) => sql`replace(${rest}, ${new Sql(`'${part}'`)}, '')`, text)
  const count = (...parts: readonly string[]): Sql =>
    sql`char_length(${quoted}) - char_length(${without(quoted, ...parts)})`
  const unescaped = without(quoted, '\\\\\\\\', '\\\\"')
  const marks = without(sql`regexp_replace(${unescaped}, '[^"\\\\[\\\\]{}]+', '')`, '""')
  const brackets = sql`replace(replace(regexp_replace(${marks}, '"[^"]*"', ''), '{', '['), '}', ']')`
  const rest = without(brackets, ...Array.from({ length: levelsMax }, () => '[]'))
  return sql`case when ${count('[', '{')} <= ${new Sql(String(levelsMax))} then false when ${count('[', ']', '{', '}', '"')} > ${new Sql(String(placesMax))} then true else ${rest} <> '' end`
}
