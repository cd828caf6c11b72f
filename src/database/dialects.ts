import type { Statement } from './statement.js'

/** MySQL and MariaDB have different variables for the statement time limit and for read-only transactions. */
export type Dialect = 'mysql' | 'mariadb'

/** The dialect of a server. @param version the value of `version()`. */
export function toDialect(version: unknown): Dialect {
  return /mariadb/i.test(String(version)) ? 'mariadb' : 'mysql'
}

/** The newest releases of the contract. Those after MySQL 9.7 are 26.7, 26.10 and so on. */
const newestKnown: Readonly<Record<Dialect, number>> = { mysql: 26, mariadb: 12 }

/** Whether a server is of a release that this one does not know. It is read as the newest known one of its dialect. */
export function isNewerThanKnown(version: string): boolean {
  // MariaDB puts this before its own number for old clients and replicas.
  const major = Number.parseInt(version.replace(/^5\.5\.5-/, ''), 10)
  return major > newestKnown[toDialect(version)]
}

/** What differs between the dialects. */
interface SessionVariables {
  /** Sets the statement time limit. */
  readonly renderTimeLimit: (queryTimeoutMs: number) => string
  /** The variable of the statement time limit, and how many milliseconds its unit has. */
  readonly timeLimit: readonly [name: string, unitMs: number]
  /** The variable that makes transactions read-only. */
  readonly readOnly: string
}

const variables: Readonly<Record<Dialect, SessionVariables>> = {
  // Milliseconds, for SELECT only.
  mysql: {
    renderTimeLimit: (queryTimeoutMs) => `max_execution_time = ${queryTimeoutMs.toFixed(0)}`,
    timeLimit: ['max_execution_time', 1],
    readOnly: 'transaction_read_only',
  },
  // Seconds, for every statement. MariaDB added the name `transaction_read_only` in 11.1; MySQL 8.0 removed the other.
  mariadb: {
    renderTimeLimit: (queryTimeoutMs) => `max_statement_time = ${(queryTimeoutMs / 1000).toFixed(3)}`,
    timeLimit: ['max_statement_time', 1000],
    readOnly: 'tx_read_only',
  },
}

/**
 * A strict mode, so that the server changes no value silently. Zero dates and impossible days stay comparable: some
 * rows have them, a cursor must be able to stand on such a row, and no value is ever written.
 */
const sqlMode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,ALLOW_INVALID_DATES'

/**
 * Sets up a session: UTC, a strict mode, the statement time limit and read-only transactions. On a Galera node each
 * read waits until the node has applied what the cluster had committed before, which takes less than a tenth of a
 * millisecond on an idle local cluster; without it, another node can return an older record than the last one did.
 */
export function renderSession(
  { dialect, cluster }: { readonly dialect: Dialect; readonly cluster: string },
  queryTimeoutMs: number,
): Statement {
  const { renderTimeLimit, readOnly } = variables[dialect]
  // For a table that is being altered: the statement time limit does not cover the preparation of a statement.
  const lockSeconds = Math.max(1, Math.floor(queryTimeoutMs / 1000))
  return {
    sql:
      `set session time_zone = '+00:00', sql_mode = '${sqlMode}', ${renderTimeLimit(queryTimeoutMs)}, ` +
      `${readOnly} = 1, lock_wait_timeout = ${lockSeconds}, sql_quote_show_create = 1` +
      (cluster === 'galera' ? ', wsrep_sync_wait = 1' : ''),
    values: [],
  }
}

/** The variables of a session that `renderSession` sets, on either server, and that of its character set. */
export const sessionVariables: readonly string[] = [
  'time_zone',
  'sql_mode',
  'sql_quote_show_create',
  'character_set_client',
  ...Object.values(variables).flatMap(({ timeLimit: [name], readOnly }) => [name, readOnly]),
]

/** How a session is set up. */
export interface SessionState {
  readonly timeZone: string
  readonly sqlMode: string
  readonly queryTimeoutMs: number
  readonly readOnly: boolean
  readonly quoted: boolean
  readonly characterSet: string
}

/** The state of a session. @param read reads a variable as SHOW VARIABLES writes it; empty where there is none. */
export function toSessionState(dialect: Dialect, read: (name: string) => string): SessionState {
  const { timeLimit, readOnly } = variables[dialect]
  const [limit, unitMs] = timeLimit
  return {
    timeZone: read('time_zone'),
    sqlMode: read('sql_mode'),
    queryTimeoutMs: Math.round(Number(read(limit)) * unitMs),
    readOnly: read(readOnly) === 'ON',
    quoted: read('sql_quote_show_create') === 'ON',
    characterSet: read('character_set_client'),
  }
}

/** The first difference from what `renderSession` sets; undefined where there is none. */
export function findSessionIssue(state: SessionState, queryTimeoutMs: number): string | undefined {
  const mode = state.sqlMode.split(',')
  if (state.timeZone !== '+00:00') return 'time_zone is not +00:00'
  if (!sqlMode.split(',').every((part) => mode.includes(part))) return 'sql_mode is not strict'
  if (state.queryTimeoutMs !== queryTimeoutMs) return 'the statement time limit is not set'
  if (!state.readOnly) return 'transactions are not read-only'
  if (!state.quoted) return 'SHOW CREATE would not quote names'
  if (state.characterSet !== 'utf8mb4') return 'character_set_client is not utf8mb4'
  return undefined
}
