import type { Row, RunQuery } from '../database/statement.js'

/** Runs a statement of the audit, none of which has values. */
export function ask(runQuery: RunQuery, sql: string): Promise<readonly Row[]> {
  return runQuery({ sql, values: [] })
}
