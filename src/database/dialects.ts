import type { Statement } from './statement.js'

/** MySQL and MariaDB have different variables for the statement time limit and for read-only transactions. */
export type Dialect = 'mysql' | 'mariadb'

/** The dialect of a server. @param version the value of `version()`. */
export function toDialect(version: unknown): Dialect {
  return /mariadb/i.test(String(version)) ? 'mariadb' : 'mysql'
}

/**
 * Why a server cannot be used, by what it says of itself; undefined for every other one.
 *
 * @param version the value of `version()`.
 */
export function findUnsupported(version: string): string | undefined {
  // Of Vitess 24, without an error: the INSERT of a read-only session is stored. `npm run engines` shows it.
  return /vitess/i.test(version)
    ? "Vitess is not supported, because vtgate does not apply transaction_read_only and max_execution_time, and shows the grants of its tablet's account: nothing proves that Vitrine only reads"
    : undefined
}

/**
 * A strict mode, so that the server changes no value silently. Zero dates and impossible days stay comparable: some
 * rows have them, a cursor must be able to stand on such a row, and no value is ever written.
 */
const sqlMode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES'

/** The largest number of rows, which is not a limit. */
const allRows = '18446744073709551615'

/** A variable of a session: the value that it is set to, in SQL, and how SHOW VARIABLES writes it. */
interface Setting {
  readonly name: string
  readonly value: string
  /** Null where it cannot be compared. */
  readonly shown: string | null
}

/**
 * The variables that change which rows a session sees, what it locks, or which bytes it returns. A session inherits them from
 * the server, from `init_connect` or from a proxy: `autocommit=0` alone makes every answer as old as its connection.
 */
export function listSettings(dialect: Dialect, queryTimeoutMs: number): readonly Setting[] {
  return [
    toSetting('autocommit', '1', 'ON'),
    toSetting('time_zone', "'+00:00'", '+00:00'),
    toSetting('sql_mode', `'${sqlMode}'`, sqlMode),
    ...['client', 'connection', 'results'].map((use) =>
      toSetting(`character_set_${use}`, 'utf8mb4', 'utf8mb4'),
    ),
    toSetting('sql_select_limit', allRows, allRows),
    toSetting('sql_big_selects', '1', 'ON'),
    toSetting('sql_auto_is_null', '0', 'OFF'),
    // Longer than any id: rows are ordered by no more bytes of a text.
    toSetting('max_sort_length', '4096', '4096'),
    toSetting('sql_quote_show_create', '1', 'ON'),
    // For a table that is being altered: the statement time limit does not cover the preparation of a statement.
    toSetting('lock_wait_timeout', String(Math.max(1, Math.floor(queryTimeoutMs / 1000)))),
    ...listDialectSettings[dialect](queryTimeoutMs),
    toSetting('timestamp', 'default', null),
  ]
}

const listDialectSettings: Readonly<Record<Dialect, (queryTimeoutMs: number) => readonly Setting[]>> = {
  mysql: (queryTimeoutMs) => [
    toSetting('transaction_isolation', "'READ-COMMITTED'", 'READ-COMMITTED'),
    toSetting('transaction_read_only', '1', 'ON'),
    // Milliseconds, for SELECT only.
    toSetting('max_execution_time', queryTimeoutMs.toFixed(0)),
  ],
  // MariaDB added the names of MySQL in 11.1; MySQL 8.0 removed the others.
  mariadb: (queryTimeoutMs) => [
    toSetting('tx_isolation', "'READ-COMMITTED'", 'READ-COMMITTED'),
    toSetting('tx_read_only', '1', 'ON'),
    // Seconds, for every statement.
    toSetting('max_statement_time', (queryTimeoutMs / 1000).toFixed(3), (queryTimeoutMs / 1000).toFixed(6)),
    toSetting('system_versioning_asof', 'default', 'DEFAULT'),
  ],
}

function toSetting(name: string, value: string, shown: string | null = value): Setting {
  return { name, value, shown }
}

/** Sets a session up, in one statement. */
export function renderSession(dialect: Dialect, queryTimeoutMs: number): Statement {
  const settings = listSettings(dialect, queryTimeoutMs).map(({ name, value }) => `${name} = ${value}`)
  return { sql: `set session ${settings.join(', session ')}`, values: [] }
}

/**
 * The first variable of a session that is not what `renderSession` sets; undefined where there is none.
 *
 * @param variables the variables as SHOW VARIABLES writes them.
 */
export function findSessionIssue(
  dialect: Dialect,
  queryTimeoutMs: number,
  variables: ReadonlyMap<string, string | undefined>,
): string | undefined {
  for (const { name, value, shown } of listSettings(dialect, queryTimeoutMs)) {
    const found = variables.get(name)
    if (shown !== null && toComparable(found) !== toComparable(shown))
      return `${name} is ${found ?? 'not shown'} after SET SESSION ${name} = ${value}`
  }
  return undefined
}

/** The parts of a list in one order: servers write `sql_mode` in an order of their own. */
function toComparable(value: string | undefined): string | undefined {
  return value?.split(',').sort().join()
}
