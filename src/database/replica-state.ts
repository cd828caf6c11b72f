import { SessionError } from './connection.js'
import type { Dialect } from './dialects.js'
import { isConnectionLost } from './errors.js'
import { unknownFreshness } from './freshness.js'
import type { Freshness } from './freshness.js'
import type { Row, RunQuery, Statement } from './statement.js'

/**
 * Reads the replication state of a server. The statement can be unknown to the server, or the user can lack the
 * privilege; then the state is `unknownFreshness`.
 *
 * @throws when the server does not answer.
 */
export async function readReplicaState(runQuery: RunQuery, dialect: Dialect): Promise<Freshness> {
  for (const statement of listReplicationStatements(dialect)) {
    try {
      return toFreshness(await runQuery(statement))
    } catch (error) {
      if (error instanceof SessionError || isConnectionLost(error)) throw error
    }
  }
  return unknownFreshness
}

/** The statements that read the replication state, to be tried in order. */
function listReplicationStatements(dialect: Dialect): readonly Statement[] {
  // MariaDB needs ALL, because a replica of several primaries reports only one otherwise. MySQL before 8.0.22 has only
  // the older statement, MySQL from 8.4 on only the newer one.
  const texts =
    dialect === 'mariadb' ? ['show all slaves status'] : ['show replica status', 'show slave status']
  return texts.map((sql) => ({ sql, values: [] }))
}

/**
 * The replication state in the rows of such a statement: one row for each source, none where the server is no replica.
 * No other column is read, because some hold texts of the product's statements.
 */
function toFreshness(rows: readonly Row[]): Freshness {
  const lags = rows.map((row) => readSeconds(row['Seconds_Behind_Source'] ?? row['Seconds_Behind_Master']))
  return { isReplica: rows.length > 0, lagSeconds: Math.max(0, ...lags) }
}

/** NULL means that replication was stopped, failed, or lost its source. */
function readSeconds(cell: unknown): number {
  return cell === null || cell === undefined ? Infinity : Number(cell)
}
