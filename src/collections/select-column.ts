import type { Column, ColumnKind } from '../database/column.js'
import { guard, padZeros, Sql, sql } from '../database/sql.js'
import { bytesMax, textLengthMax } from '../values/cells.js'
import type { ProjectedColumn } from './resolved-table.js'

/*
 * What a statement selects of a column for the reader of its cell. The driver has all rows of a result in memory before it gives
 * one, so what bounds the size of a row stands here.
 */

const timeKinds = new Set<ColumnKind>(['date', 'datetime', 'timestamp'])

/** What a reader gets of a column: most columns as they are. */
export function selectColumn({ column, json, charset }: ProjectedColumn, quoted: Sql): Sql {
  if (json !== undefined) return selectJson(column, quoted, json)
  if (charset !== undefined) return selectUtf8(column, quoted)
  if (column.showsZeros === true) return padZeros(column, quoted)
  // As text, it has its zeros.
  if (column.showsZeros === false) return sql`cast(${quoted} as unsigned)`
  // The server writes the text of a time for a quarter of what the driver takes.
  return timeKinds.has(column.kind) ? sql`cast(${quoted} as char)` : cut(column, quoted)
}

/** Whether a reader gets only a part of a column: of a document, or of a text that can be longer than one that is shown. */
export function isCut({ column, json, charset }: Omit<ProjectedColumn, 'as'>): boolean {
  return json !== undefined || exceeds(column, charset === undefined ? textLengthMax : bytesMax.utf8)
}

/**
 * A text with no more characters than its reader takes, and one more, which says that it is too long. A column that is made
 * longer is bound anew before a record is made of it.
 */
export function cut(column: Column, quoted: Sql, lengthMax = textLengthMax): Sql {
  return exceeds(column, lengthMax) ? left(quoted, lengthMax + 1) : quoted
}

function exceeds({ kind, length }: Column, lengthMax: number): boolean {
  return kind === 'json' || (kind === 'text' && length > lengthMax)
}

function left(text: Sql, length: number): Sql {
  return sql`left(${text}, ${new Sql(String(length))})`
}

/**
 * Bytes, because MariaDB writes what is not UTF-8 as question marks, and latin1 has one for each character; no UTF-8 where the
 * column was converted meanwhile.
 */
function selectUtf8(column: Column, quoted: Sql): Sql {
  const text = cut(column, quoted, bytesMax.utf8)
  return sql`case charset(${quoted}) when 'latin1' then cast(convert(${text} using latin1) as binary) else x'ff' end`
}

/**
 * The JSON of a value in a document, in bytes, because escapes have several characters; in the place of a text that is not JSON,
 * one that no value has. A JSON column can become one of text meanwhile.
 */
function selectJson({ kind }: Column, quoted: Sql, path: string): Sql {
  const value = sql`cast(cast(json_extract(${quoted}, ${path}) as char) as binary)`
  const start = left(value, bytesMax.json + 1)
  const deep = kind === 'json' ? sql`` : guard(sql`when ${isTooDeep(quoted)} then x'7b' `)
  return sql`case ${deep}when json_valid(${quoted}) then ${start} when ${quoted} is not null then x'7b' end`
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
