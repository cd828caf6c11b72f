import { setTimeout as delay } from 'node:timers/promises'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Database } from '../database/database.js'
import type { RunQuery } from '../database/statement.js'
import { Problem } from '../errors.js'
import { renderKeyProbe } from '../keys/key-sql.js'
import type { SchemaWatch } from './watch-schema.js'

interface ReadinessInput {
  readonly audit: Pick<RepeatedAudit, 'listNew'>
  readonly schema: Pick<SchemaWatch, 'check' | 'listIssues' | 'requireKeys'>
  readonly database: Pick<Database, 'measure'>
  /** Runs a statement in the same way as the lookup of a key. */
  readonly runQuery: RunQuery
}

/** Whether this process should receive traffic. */
export interface Readiness {
  /** The reasons against traffic, found within a second; empty if there is none. */
  readonly findUnready: () => Promise<readonly string[]>
  /** Whether the last checks found no reason. */
  readonly isReady: () => boolean
}

/** `/readyz` answers within a second. */
const limitMs = 900

/** Reads the key table as requests do, and compares the mapped tables with the live schema. */
export function createReadiness({ audit, schema, database, runQuery }: ReadinessInput): Readiness {
  const listKnownReasons = (): readonly string[] => {
    const added = audit.listNew().length
    return [
      ...schema.listIssues(),
      ...(added === 0 ? [] : [`the audit has ${added} new findings; the log lists them`]),
    ]
  }
  const findDatabaseReasons = async (): Promise<readonly string[]> => {
    // A key table that does not fit the mapping is a known reason.
    if (schema.listIssues().some((issue) => issue.startsWith('apiKeys'))) return []
    try {
      await runQuery(renderKeyProbe(schema.requireKeys()))
      return []
    } catch (error) {
      const isOverloaded = error instanceof Problem && error.code === 'overloaded'
      return [isOverloaded ? 'too many requests are queued' : 'the database does not answer']
    }
  }
  return {
    findUnready: async () => {
      // A locked table delays the comparison, but is no reason against traffic.
      await within(
        limitMs / 2,
        schema.check().catch(() => undefined),
        undefined,
      )
      const late = [`the database did not answer within ${limitMs / 2} ms`]
      return [...(await within(limitMs / 2, findDatabaseReasons(), late)), ...listKnownReasons()]
    },
    isReady: () =>
      listKnownReasons().length === 0 && database.measure().hosts.some(({ healthy }) => healthy !== false),
  }
}

/** The result of a task, or another value if the task takes longer. */
async function within<Result>(ms: number, task: Promise<Result>, otherwise: Result): Promise<Result> {
  const limit = new AbortController()
  const timeout = delay(ms, otherwise, { signal: limit.signal }).catch(() => otherwise)
  const result = await Promise.race([task, timeout])
  limit.abort()
  return result
}
