import knex from 'knex'
import type { Knex } from 'knex'
import { toQuotedName } from './sql.js'
import type { Statement } from './statement.js'

/*
 * The ordinary statements, of the catalogue and of `init`, are built with knex. Those of a collection are built with
 * `sql.ts`: knex compiles a long statement for 5 ms, and reads some names as more than one.
 */

/** Builds text only: it has no connection, so a builder that is awaited by mistake cannot run. */
export const builder = knex({ client: 'mysql2' })

/** A finished query as a statement, with its values as literals: one message, and no more than the names of tables. */
export function toStatement(query: Knex.QueryBuilder): Statement {
  return { sql: query.toQuery(), values: [] }
}

/** SQL text with a fragment in place of each `?`; a query is written in parentheses. */
export function raw(sql: string, ...parts: readonly (Knex.Raw | Knex.QueryBuilder)[]): Knex.Raw {
  return parts.length === 0 ? builder.raw(sql) : builder.raw(sql, parts as readonly Knex.Raw[])
}

/**
 * A name as one identifier, whatever characters it has. Not knex's own quoting, which reads `a.b` as two names and
 * `a as b` as an alias.
 */
export function quoteName(name: string): Knex.Raw {
  return raw(toQuotedName(name).replaceAll('?', '\\?'))
}
