import type { Database } from '../database/database.js'
import { findRejected, toCause } from '../database/errors.js'
import { readServer } from '../database/server.js'
import { AuditError, toErrorText } from '../errors.js'
import { createError, toFindingText } from '../finding.js'
import type { Finding } from '../finding.js'

/** The finding for a statement that the server rejects, as an engine does that lacks a part of MySQL. */
export async function toRejectedFinding(error: unknown, database: Database): Promise<Finding | undefined> {
  const sql = findRejected(error)
  if (sql === undefined) return undefined
  const server = await readServer(database.runCheckQuery).catch(() => undefined)
  const object = `the server (${server?.version ?? 'an unknown version'})`
  const problem = `the audit proves nothing, because the server rejects one of its statements: ${toErrorText(toCause(error))}: ${sql}`
  const fix =
    'see the engine in docs/deploy.md, "Clusters and proxies"; to start without the proof, verify the grants by other means and set AUDIT=warn'
  return createError(object, problem, fix, 'all privileges')
}

/**
 * Runs a task whose statements a start needs.
 *
 * @throws AuditError where the server rejects one of them; any other error unchanged.
 */
export async function requireStatements<Result>(
  database: Database,
  task: () => Promise<Result>,
): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    const finding = await toRejectedFinding(error, database)
    throw finding === undefined ? error : new AuditError([toFindingText(finding)])
  }
}
