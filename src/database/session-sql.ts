import type { Statement } from './statement.js'

/** MySQL and MariaDB differ in how a statement's time is limited, and in its unit. */
export type Dialect = 'mysql' | 'mariadb'

/** Which of the two a server is. @param version what `version()` answers. */
export function toDialect(version: unknown): Dialect {
  return /mariadb/i.test(String(version)) ? 'mariadb' : 'mysql'
}

/**
 * A strict mode, so that nothing is bent in silence. Zero dates and impossible days stay comparable: rows that
 * hold them are there, a cursor must be able to stand on one, and no value is ever written.
 */
const sqlMode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES'

/**
 * What every session begins with: UTC, a strict mode, a limit on each statement's time and transactions that
 * only read.
 *
 * @param queryTimeoutMs MySQL takes milliseconds for SELECT alone, MariaDB seconds for any statement.
 */
export function renderSession(dialect: Dialect, queryTimeoutMs: number): Statement {
  const limit =
    dialect === 'mariadb'
      ? `max_statement_time = ${(queryTimeoutMs / 1000).toFixed(3)}`
      : `max_execution_time = ${queryTimeoutMs.toFixed(0)}`
  // For a table that is being altered: no time limit on statements counts while one is prepared.
  const lockSeconds = Math.max(1, Math.floor(queryTimeoutMs / 1000))
  return {
    sql: `set session time_zone = '+00:00', sql_mode = '${sqlMode}', ${limit}, ${readOnlyVariable(dialect)} = 1, lock_wait_timeout = ${lockSeconds}, sql_quote_show_create = 1`,
    values: [],
  }
}

/** Reads back what `renderSession` asked for; the limit in milliseconds under both dialects. */
export function renderSessionCheck(dialect: Dialect): Statement {
  const limit =
    dialect === 'mariadb' ? 'round(@@session.max_statement_time * 1000)' : '@@session.max_execution_time'
  return {
    sql:
      `select @@session.time_zone as timeZone, @@session.sql_mode as sqlMode, ${limit} as queryTimeoutMs, ` +
      `@@session.${readOnlyVariable(dialect)} as readOnly, @@session.character_set_client as characterSet, @@session.sql_quote_show_create as quoted`,
    values: [],
  }
}

/** What is not as `renderSession` asked; undefined when all is. */
export function findSessionFault(
  row: Readonly<Record<string, unknown>>,
  queryTimeoutMs: number,
): string | undefined {
  const mode = String(row['sqlMode']).split(',')
  if (row['timeZone'] !== '+00:00') return 'time_zone is not +00:00'
  if (!sqlMode.split(',').every((part) => mode.includes(part))) return 'sql_mode is not strict'
  if (Number(row['queryTimeoutMs']) !== queryTimeoutMs) return 'the statement time limit is not set'
  if (Number(row['readOnly']) !== 1) return 'transactions are not read-only'
  if (Number(row['quoted']) !== 1) return 'SHOW CREATE would not quote names'
  if (row['characterSet'] !== 'utf8mb4') return 'character_set_client is not utf8mb4'
  return undefined
}

/** MariaDB took MySQL's newer name in 11.1 and keeps the older; MySQL dropped the older in 8.0. */
function readOnlyVariable(dialect: Dialect): string {
  return dialect === 'mariadb' ? 'tx_read_only' : 'transaction_read_only'
}
