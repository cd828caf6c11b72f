import type { Column } from './column.js'
import type { BoundValue, ResultColumn, Statement } from './statement.js'

/** A value that each request gives, under this name. */
export class Hole {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** What a `?` stands for. */
export type Value = BoundValue | Hole

/** SQL text, and what each `?` in it stands for. */
export class Sql {
  readonly text: string
  readonly values: readonly Value[]

  constructor(text: string, values: readonly Value[] = []) {
    this.text = text
    this.values = values
  }
}

/** SQL with other SQL and with values in it: a value becomes a `?`. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | Value)[]): Sql {
  let text = strings[0] ?? ''
  const values: Value[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? null
    if (part instanceof Sql) {
      text += part.text
      for (const value of part.values) values.push(value)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[at + 1] ?? ''
  }
  return new Sql(text, values)
}

/** Fragments with a separator between them. */
export function join(parts: readonly Sql[], separator: string): Sql {
  let text = ''
  const values: Value[] = []
  for (const part of parts) {
    text += text === '' ? part.text : separator + part.text
    for (const value of part.values) values.push(value)
  }
  return new Sql(text, values)
}

/** Conditions that all hold; 1 where there is none. */
export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`1` : join(conditions, ' and ')
}

/** A name as one identifier, whatever characters it has. */
export function quote(name: string): Sql {
  return new Sql(toQuotedName(name))
}

/** A column of a named table. */
export function quoteColumn(table: string, { name }: Column): Sql {
  return new Sql(`${toQuotedName(table)}.${toQuotedName(name)}`)
}

/** The clock of the server as text, like every time, because the server writes it faster than the driver does. */
export const clock = sql`cast(utc_timestamp(6) as char)`

/**
 * A value for a comparison with a column. A bare one takes the type of the column on both servers, so that an index serves
 * and a BIGINT is not compared as a floating-point number.
 */
export function toOperand({ kind, characterSet, collation }: Column, value: Sql | Value): Sql {
  // A bare text would be compared as the bits of its characters.
  if (kind === 'bit') return sql`cast(${value} as unsigned)`
  // A value with characters that the column cannot hold is an error in a bare comparison, on both servers.
  return kind === 'text' && characterSet !== null && !['utf8mb4', 'ascii'].includes(characterSet)
    ? convert(sql`cast(${value} as char)`, { characterSet, collation })
    : sql`${value}`
}

/** A text in the character set and collation of a column. */
export function convert(
  text: Sql,
  { characterSet, collation }: Pick<Column, 'characterSet' | 'collation'>,
): Sql {
  return sql`convert(${text} using ${new Sql(characterSet ?? '')}) collate ${new Sql(collation ?? '')}`
}

/**
 * `column = value` for the same value only, byte for byte. The plain comparison lets an index serve; the second one, on the
 * bytes, decides. Both are there whatever the collation is, because an ALTER TABLE can change it meanwhile.
 */
export function equals(column: Column, quoted: Sql, value: Sql | Value): Sql {
  const bytes = trimsZeros(column) ? sql`trim(leading '0' from ${value})` : sql`${value}`
  return sql`${quoted} = ${toOperand(column, value)} and ${toBytes(column, quoted)} = cast(${bytes} as binary)`
}

/** The bytes of a value as UTF-8 text; a BINARY value unchanged. */
export function toBytes(column: Column, quoted: Sql): Sql {
  if (column.kind === 'binary') return sql`cast(${quoted} as binary)`
  const text = sql`convert(${column.showsZeros === true ? padZeros(column, quoted) : quoted} using utf8mb4)`
  return sql`cast(${trimsZeros(column) ? sql`trim(leading '0' from ${text})` : text} as binary)`
}

/**
 * The text of a ZEROFILL integer. It has lost its zeros in a merged page, and on MySQL beside `column = value`, which puts the
 * value in the place of the column. A value can have more digits than the type says.
 */
export function padZeros({ type }: Column, quoted: Sql): Sql {
  const digits = new Sql(/\((\d+)\)/.exec(type)?.[1] ?? '0')
  return sql`lpad(${quoted}, greatest(${digits}, length(${quoted})), '0')`
}

/** Whether the leading zeros of a column mean nothing. The server converts such an integer with them. */
function trimsZeros({ zerofill, showsZeros = false }: Column): boolean {
  return zerofill && !showsZeros
}

/** Where a part of a text begins and ends that only one of its two forms has; no name can have this character. */
const mark = '\0'
/** What a part begins with that only the second form has. */
const guardSign = '+'

/** An index hint behind the name of a table; none for a view. */
export function hint(name = ''): Sql {
  return new Sql(name === '' ? '' : `${mark} force index (${toQuotedName(name)})${mark}`)
}

/** A part without values that keeps a row from failing the statement, and costs too much where no row does. */
export function guard({ text }: Sql): Sql {
  return new Sql(`${mark}${guardSign}${text}${mark}`)
}

/** A statement that is built once, and its second form where it has one. */
export interface Prepared {
  readonly sql: Sql
  readonly secondForm: string | undefined
  /** See `Statement`. */
  readonly columns: readonly ResultColumn[] | undefined
}

/** A statement in two forms: with its index hints, and with its guards. */
export function prepare({ text, values }: Sql, columns?: readonly ResultColumn[]): Prepared {
  const parts = text.split(mark)
  const toForm = (isSecond: boolean): string =>
    parts
      .map((part, at) => {
        if (at % 2 === 0) return part
        const isGuard = part.startsWith(guardSign)
        return isGuard === isSecond ? part.slice(isGuard ? 1 : 0) : ''
      })
      .join('')
  const secondForm = parts.length === 1 ? undefined : toForm(true)
  return { sql: new Sql(toForm(false), values), secondForm, columns }
}

/** The statement of one request. @throws Error where a hole has no value: the text and the values are of different requests */
export function bind(
  { sql: { text, values }, secondForm, columns }: Prepared,
  ofHoles: HoleValues,
): Statement {
  return {
    sql: text,
    values: values.map((value) => (value instanceof Hole ? requireValue(ofHoles, value) : value)),
    secondForm,
    columns,
  }
}

function requireValue(values: HoleValues, { name }: Hole): BoundValue {
  const value = values.get(name)
  if (value === undefined) throw new Error(`No value for the hole ${name}`)
  return value
}

/** The values of a request by the names of their holes. */
export type HoleValues = ReadonlyMap<string, BoundValue>

/** A statement that is sent as it is. */
export function toStatement(text: Sql, values: HoleValues = new Map()): Statement {
  return bind(prepare(text), values)
}

/** A name as an identifier of MySQL and MariaDB, whatever characters it holds. */
export function toQuotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}

/** A table, view or routine within its database. */
export function toQuotedPlace(database: string, name: string): string {
  return `${toQuotedName(database)}.${toQuotedName(name)}`
}

/**
 * A text as a literal that means the same under every `sql_mode` and character set of the session that runs it.
 * Printable ASCII stands in quotes. In hexadecimal stand a backslash, which escapes unless NO_BACKSLASH_ESCAPES is
 * set; control characters, which could break the line; and other characters, which the session may decode differently.
 */
export function quoteText(text: string): string {
  if (/^[\x20-\x5b\x5d-\x7e]*$/.test(text)) return `'${text.replaceAll("'", "''")}'`
  return `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`
}
