import type { Dialect } from './session-sql.js'
import type { Row, Statement } from './statement.js'

/** How far a server is behind the one that it copies. */
export interface Replication {
  /** Whether it copies another server at all; a primary, a node of Galera and a reader of Aurora do not. */
  readonly isReplica: boolean
  /** Infinity where it has stopped; undefined where the server does not tell. */
  readonly lagSeconds: number | undefined
}

/** What is believed of a server that does not tell. */
export const untold: Replication = { isReplica: false, lagSeconds: undefined }

/** The statements that ask a server for its replication, the first that it understands being the one. */
export function listReplicationStatements(dialect: Dialect): readonly Statement[] {
  // MariaDB's own, since a replica of several primaries tells of one alone otherwise; MySQL before 8.0.22 knows
  // the old word, from 8.4 on the new one.
  const texts =
    dialect === 'mariadb' ? ['show all slaves status'] : ['show replica status', 'show slave status']
  return texts.map((sql) => ({ sql, values: [] }))
}

/**
 * The replication that the answer tells: no row is no replica, a row for each server that is copied. Nothing else
 * of a row is looked at, since some of its columns hold texts of the product's statements.
 */
export function toReplication(rows: readonly Row[]): Replication {
  const lags = rows.map((row) => readSeconds(row['Seconds_Behind_Source'] ?? row['Seconds_Behind_Master']))
  return { isReplica: rows.length > 0, lagSeconds: Math.max(0, ...lags) }
}

/** NULL is told of a replica that was stopped, failed, or lost the server that it copies. */
function readSeconds(cell: unknown): number {
  return cell === null || cell === undefined ? Infinity : Number(cell)
}
