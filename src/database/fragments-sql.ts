import knex from 'knex'
import type { Knex } from 'knex'
import type { Column } from './column.js'
import { toQuotedName } from './quote.js'
import type { BoundValue, Statement } from './statement.js'

/** What a `?` of a template is bound to: the value of a slot, given with each request, or always the same value. */
type Binding = { readonly slot: string } | { readonly value: string }

/** A statement that is built once and bound for each request. */
export interface Template {
  readonly sql: string
  /** One for each `?`, in order. */
  readonly bindings: readonly Binding[]
  /** The same text without its index hint. */
  readonly withoutIndexHint?: string | undefined
}

/** Builds text only: it has no connection, so a builder that is awaited by mistake cannot run. */
export const builder = knex({ client: 'mysql2' })

/** The clock of the server as text, like every time, because the server writes it faster than the driver does. */
export const clockText = builder.raw('cast(utc_timestamp(6) as char)')

/** A placeholder for a value that is given with each request, under this name. */
export function slot(name: string): Knex.Raw {
  const binding: Binding = { slot: name }
  // The types of knex allow no other objects; it passes them on unchanged.
  return builder.raw('?', [binding as unknown as string])
}

/** A placeholder for a value that is the same for every request. */
export function constant(value: string): Knex.Raw {
  return builder.raw('?', [value])
}

/** A finished query as a template. */
export function toTemplate(query: Knex.QueryBuilder | Knex.Raw): Template {
  const { sql, bindings } = query.toSQL().toNative() as {
    sql: string
    bindings: readonly (Binding | string | number)[]
  }
  return {
    // `quoteName` escaped them, so that knex would not replace them.
    sql: sql.replaceAll('\\?', '?'),
    // knex's own methods bind plain values.
    bindings: bindings.map((one) => (typeof one === 'object' ? one : { value: String(one) })),
  }
}

/** A query in parentheses, once for each slot that replaces one of its own. It is compiled once, which takes long. */
export function repeatQuery(
  query: Knex.QueryBuilder,
  own: string,
  slots: readonly string[],
): readonly Knex.Raw[] {
  const { sql, bindings } = query.toSQL() as { sql: string; bindings: readonly (Binding | string | number)[] }
  return slots.map((name) => {
    const renamed = bindings.map((one) =>
      typeof one === 'object' && 'slot' in one && one.slot === own ? { slot: name } : one,
    )
    return builder.raw(`(${sql})`, renamed as readonly string[])
  })
}

/**
 * The statement of a template and the values of a request.
 *
 * @throws Error when a slot has no value: the template and the values come from different plans.
 */
export function bindTemplate(
  { sql, bindings, withoutIndexHint }: Template,
  values: ReadonlyMap<string, BoundValue> = new Map(),
): Statement {
  return {
    sql,
    values: bindings.map((binding) => {
      if ('value' in binding) return binding.value
      const value = values.get(binding.slot)
      if (value === undefined) throw new Error(`No value for the slot ${binding.slot}`)
      return value
    }),
    withoutIndexHint,
  }
}

/** SQL text with a fragment in place of each `?`; a query is written in parentheses. */
export function raw(sql: string, ...parts: readonly (Knex.Raw | Knex.QueryBuilder)[]): Knex.Raw {
  return parts.length === 0 ? builder.raw(sql) : builder.raw(sql, parts as readonly Knex.Raw[])
}

/**
 * A name as one identifier, whatever characters it has. Not knex's own quoting, which reads `a.b` as two names and
 * `a as b` as an alias: a mapping could name a column that the safeguards do not see. Because knex's `whereIn` and
 * `whereNull` accept a name only and no fragment, those conditions are fragments too.
 */
export function quoteName(name: string): Knex.Raw {
  return raw(toQuotedName(name).replaceAll('?', '\\?'))
}

/** A column of an aliased table. */
export function quoteColumn(alias: string, column: Column): Knex.Raw {
  return raw('?.?', quoteName(alias), quoteName(column.name))
}

/**
 * A placeholder for a comparison with a column. A bare one takes the type of the column on both servers, so that an
 * index serves and a BIGINT is not compared as a floating-point number. MySQL's `cast(? as unsigned)` would change
 * values above 2^63.
 */
export function placeholder(column: Column, value: Knex.Raw): Knex.Raw {
  // A bare text would be compared as the bits of its characters.
  if (column.kind === 'bit') return raw('cast(? as unsigned)', value)
  if (!needsConversion(column)) return value
  // A value with characters that the column cannot hold is an error in a bare comparison, on both servers.
  return raw(
    `convert(cast(? as char) using ${column.characterSet ?? ''}) collate ${column.collation ?? ''}`,
    value,
  )
}

/**
 * `column = value` for the same value only, byte for byte. The plain comparison lets an index serve; the second one, on
 * the bytes, decides. Both are there whatever the collation of the column is, because an ALTER TABLE can change it
 * while the statement is in use.
 */
export function equalsExactly(column: Column, quoted: Knex.Raw, value: Knex.Raw): Knex.Raw {
  return raw(
    '? = ? and ? = cast(? as binary)',
    quoted,
    placeholder(column, value),
    toBytes(column, quoted),
    column.zerofill ? raw("trim(leading '0' from ?)", value) : value,
  )
}

/** Fragments with a separator between them; at least one. Without one, knex would read two placeholders as a name. */
export function join(parts: readonly (Knex.Raw | Knex.QueryBuilder)[], separator: string): Knex.Raw {
  return raw(parts.map(() => '?').join(separator), ...parts)
}

/** Two columns with the same bytes as UTF-8 text, which may be of different collations. No index serves. */
export function bytesEqual(
  [one, quotedOne]: readonly [Column, Knex.Raw],
  [other, quotedOther]: readonly [Column, Knex.Raw],
): Knex.Raw {
  return raw('? = ?', toBytes(one, quotedOne), toBytes(other, quotedOther))
}

/** The bytes of a value as UTF-8 text; a BINARY value unchanged. */
function toBytes({ kind, zerofill }: Column, quoted: Knex.Raw): Knex.Raw {
  if (kind === 'binary') return raw('cast(? as binary)', quoted)
  const text = raw('convert(? using utf8mb4)', quoted)
  // MariaDB converts such an integer with its leading zeros, MySQL without them.
  return raw('cast(? as binary)', zerofill ? raw("trim(leading '0' from ?)", text) : text)
}

/** Values arrive as utf8mb4; those for an ASCII column are checked before they are bound. */
function needsConversion({ kind, characterSet }: Column): boolean {
  return kind === 'text' && characterSet !== null && !['utf8mb4', 'ascii'].includes(characterSet)
}
