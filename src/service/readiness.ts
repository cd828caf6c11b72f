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
  /** As a lookup of a key runs. */
  readonly runQuery: RunQuery
}

/** Whether traffic should come to this process. */
export interface Readiness {
  /** The reasons for which none should, found within a second; empty when all is well. */
  readonly findUnready: () => Promise<readonly string[]>
  /** Whether there are none, as far as the last checks know. */
  readonly isReady: () => boolean
}

/** `/readyz` answers within a second. */
const limitMs = 900

/** Reads the key table by the way of requests, and compares the mapped tables with the live schema. */
export function createReadiness({ audit, schema, database, runQuery }: ReadinessInput): Readiness {
  const listKnown = (): readonly string[] => {
    const added = audit.listNew().length
    return [
      ...schema.listIssues(),
      ...(added === 0 ? [] : [`the audit has ${added} new findings; the log lists them`]),
    ]
  }
  const findDatabaseIssue = async (): Promise<readonly string[]> => {
    // A key table that does not fit the mapping is among the known issues.
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
      // A table that is locked holds the comparison up, and is no reason to send traffic elsewhere.
      await within(
        limitMs / 2,
        schema.check().catch(() => undefined),
        undefined,
      )
      const late = [`the database did not answer within ${limitMs / 2} ms`]
      return [...(await within(limitMs / 2, findDatabaseIssue(), late)), ...listKnown()]
    },
    isReady: () =>
      listKnown().length === 0 && database.measure().hosts.some(({ healthy }) => healthy !== false),
  }
}

/** The result of a task, or another value when it takes longer. */
async function within<Result>(ms: number, task: Promise<Result>, otherwise: Result): Promise<Result> {
  const limit = new AbortController()
  const timeout = delay(ms, otherwise, { signal: limit.signal }).catch(() => otherwise)
  const result = await Promise.race([task, timeout])
  limit.abort()
  return result
}
