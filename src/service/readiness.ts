import { setTimeout as delay } from 'node:timers/promises'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Clock } from '../clock.js'
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
  /** Any clock that never steps back, in milliseconds. */
  readonly ageClock: Clock
}

/** The kinds of reasons against traffic, a label of the metrics; `shutdown` is known before all others. */
export const unreadyKinds = ['database', 'overloaded', 'schema', 'audit', 'shutdown'] as const

/** A kind of reasons against traffic. */
export type UnreadyKind = (typeof unreadyKinds)[number]

/** Whether this process should receive traffic. */
export interface Readiness {
  /** The reasons against traffic, found within a second; empty if there is none. */
  readonly findUnready: () => Promise<readonly string[]>
  /** The kinds of reasons that the last checks found, `/readyz` among them; empty if there is none. */
  readonly listUnready: () => readonly UnreadyKind[]
}

interface DatabaseReason {
  readonly kind: 'database' | 'overloaded'
  readonly text: string
}

/** `/readyz` answers within a second. */
const limitMs = 900
/** How long the result of a `/readyz` counts: a load balancer repeats it sooner, or has stopped to ask. */
const resultAgeMaxMs = 15_000

/** Reads the key table as requests do, and compares the mapped tables with the live schema. */
export function createReadiness({ audit, schema, database, runQuery, ageClock }: ReadinessInput): Readiness {
  const listKnownReasons = (): readonly string[] => {
    const added = audit.listNew().length
    return [
      ...schema.listIssues(),
      ...(added === 0 ? [] : [`the audit has ${added} new findings; the log lists them`]),
    ]
  }
  let last: { readonly reason: DatabaseReason | undefined; readonly at: number } | undefined
  const findDatabaseReason = async (): Promise<DatabaseReason | undefined> => {
    // A key table that does not fit the mapping is a known reason.
    if (schema.listIssues().some((issue) => issue.startsWith('apiKeys'))) return undefined
    try {
      await runQuery(renderKeyProbe(schema.requireKeys()))
      return undefined
    } catch (error) {
      return error instanceof Problem && error.code === 'overloaded'
        ? { kind: 'overloaded', text: 'too many requests are queued' }
        : { kind: 'database', text: 'the database does not answer' }
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
      const late: DatabaseReason = {
        kind: 'database',
        text: `the database did not answer within ${limitMs / 2} ms`,
      }
      const reason = await within<DatabaseReason | undefined>(limitMs / 2, findDatabaseReason(), late)
      last = { reason, at: ageClock() }
      return [...(reason === undefined ? [] : [reason.text]), ...listKnownReasons()]
    },
    listUnready: () => {
      const found =
        last !== undefined && ageClock() - last.at < resultAgeMaxMs ? last.reason?.kind : undefined
      const isDown = database.measure().hosts.every(({ healthy }) => healthy === false)
      const holds: Readonly<Record<UnreadyKind, boolean>> = {
        database: isDown || found === 'database',
        overloaded: found === 'overloaded',
        schema: schema.listIssues().length > 0,
        audit: audit.listNew().length > 0,
        shutdown: false,
      }
      return unreadyKinds.filter((kind) => holds[kind])
    },
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
