import knex from 'knex'
import type { Knex } from 'knex'
import type { Column } from './column.js'
import { toQuotedName } from './quote.js'
import type { Template } from './template.js'

/** Builds text only: it has no connection, so a builder that is awaited by mistake cannot run. */
export const builder = knex({ client: 'mysql2' })

/**
 * A name as an identifier, whatever characters it holds. knex's own quoting is passed by, because it reads
 * `a.b` as two names and `a as b` as an alias: a mapping could name a column that the walls do not see.
 */
export function quoteName(name: string): Knex.Raw {
  return raw(toQuotedName(name).replaceAll('?', '\\?'))
}

/** A column of an aliased table. */
export function quoteColumn(alias: string, column: Column): Knex.Raw {
  return raw('?.?', quoteName(alias), quoteName(column.name))
}

/** SQL text with quoted names or bound values in place of each `?`. */
export function raw(sql: string, ...parts: readonly (Knex.Raw | string)[]): Knex.Raw {
  return parts.length === 0 ? builder.raw(sql) : builder.raw(sql, parts)
}

/**
 * A placeholder to compare a column with. A bare one takes the column's own type on both servers, so that an
 * index serves and a BIGINT is not compared as a floating-point number; MySQL's `cast(? as unsigned)` would
 * first bend what is beyond 2^63 to a signed number.
 */
export function placeholder(column: Column, slot: string): Knex.Raw {
  // A text would be taken for the bits of its characters.
  if (column.kind === 'bit') return raw('cast(? as unsigned)', slot)
  if (!isForeignCharacterSet(column)) return raw('?', slot)
  // A value with characters that the column cannot hold is an error in a bare comparison, on both servers.
  return raw(
    `convert(cast(? as char) using ${column.characterSet ?? ''}) collate ${column.collation ?? ''}`,
    slot,
  )
}

/**
 * `column = value` for the very same value only, byte for byte. The plain comparison lets an index serve; the second
 * one, on the bytes, decides. It is there whatever the column's collation is known to be, because an ALTER TABLE may
 * change that while the statement is in use.
 */
export function equalsExactly(column: Column, quoted: Knex.Raw, slot: string): Knex.Raw {
  const value = column.zerofill ? raw("trim(leading '0' from ?)", slot) : raw('?', slot)
  return raw(
    '? = ? and ? = cast(? as binary)',
    quoted,
    placeholder(column, slot),
    toBytes(column, quoted),
    value,
  )
}

/** Two columns that hold the very same value, byte for byte. */
export function columnsEqualExactly(
  [one, quotedOne]: readonly [Column, Knex.Raw],
  [other, quotedOther]: readonly [Column, Knex.Raw],
): Knex.Raw {
  return raw('? = ? and ? = ?', quotedOne, quotedOther, toBytes(one, quotedOne), toBytes(other, quotedOther))
}

/** The bytes of a column's value as UTF-8 text; a UUID's are its own. */
function toBytes({ kind, zerofill }: Column, quoted: Knex.Raw): Knex.Raw {
  if (kind === 'binary') return raw('cast(? as binary)', quoted)
  const text = raw('convert(? using utf8mb4)', quoted)
  // MariaDB converts such an integer with its leading zeros, MySQL without them.
  return raw('cast(? as binary)', zerofill ? raw("trim(leading '0' from ?)", text) : text)
}

/** Text that arrives as utf8mb4 fits utf8mb4; text for an ASCII column is checked before it is bound. */
function isForeignCharacterSet({ kind, characterSet }: Column): boolean {
  return kind === 'text' && characterSet !== null && !['utf8mb4', 'ascii'].includes(characterSet)
}

/** A finished query as a template; whatever was bound in it are the names of its slots. */
export function toTemplate(query: Knex.QueryBuilder): Template {
  const { sql, bindings } = query.toSQL().toNative() as {
    sql: string
    bindings: readonly (string | number)[]
  }
  // What `quoteName` escaped, so that knex would not take it for a placeholder.
  return {
    sql: sql.replaceAll('\\?', '?'),
    slots: bindings.map((binding) => (binding === limitSlot ? 'limit' : String(binding))),
  }
}

/** Stands for the slot `limit`, because knex takes only numbers for a limit. */
export const limitSlot = 1
