import { isConnectionLost } from './driver-errors.js'
import { listReplicationStatements, toReplication, untold } from './replica-lag-sql.js'
import type { Replication } from './replica-lag-sql.js'
import { SessionError } from './session.js'
import { toDialect } from './session-sql.js'
import type { RunQuery } from './statement.js'

/**
 * Asks a server how far it is behind the one that it copies. Whatever it says against the question, it has answered:
 * it may not know the statement, or the user may lack the privilege.
 *
 * @param version what `version()` answers.
 * @throws when it does not answer.
 */
export async function readReplication(ask: RunQuery, version: unknown): Promise<Replication> {
  for (const statement of listReplicationStatements(toDialect(version))) {
    try {
      return toReplication(await ask(statement))
    } catch (error) {
      if (error instanceof SessionError || isConnectionLost(error)) throw error
    }
  }
  return untold
}
