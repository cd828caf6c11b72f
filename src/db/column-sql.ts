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
 * `column = value` for the very same value only, byte for byte. The plain comparison lets an index serve;
 * where the collation is looser than that, a second one on the bytes decides.
 */
export function equalsExactly(column: Column, quoted: Knex.Raw, slot: string): Knex.Raw {
  const equal = raw('? = ?', quoted, placeholder(column, slot))
  if (column.exact) return equal
  return raw('? and cast(convert(? using utf8mb4) as binary) = cast(? as binary)', equal, quoted, slot)
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
