import knex from 'knex'
import type { Knex } from 'knex'
import type { Statement } from './statement.js'

/*
 * The ordinary statements, of the catalog and of `init`, are built with knex. Those of a collection are built with
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
