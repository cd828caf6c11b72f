import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Database } from '../database/database.js'
import type { SchemaWatch } from './watch-schema.js'

interface ReadinessInput {
  readonly audit: Pick<RepeatedAudit, 'listNew'>
  readonly schema: Pick<SchemaWatch, 'listIssues'>
  readonly database: Pick<Database, 'isAnswering'>
  /** Receives the reasons after each change of them; none when requests can be answered again. */
  readonly onChange: (reasons: readonly UnreadyReason[]) => void
}

/** The kinds of reasons against traffic, a label of the metrics; `shutdown` is known before all others. */
export const unreadyKinds = ['database', 'schema', 'audit', 'shutdown'] as const

/** Why requests cannot be answered. */
export interface UnreadyReason {
  readonly kind: (typeof unreadyKinds)[number]
  readonly text: string
}

/** Whether this process should receive traffic, as the last checks found. */
export interface Readiness {
  /** The reasons against traffic; empty if there is none. */
  readonly listReasons: () => readonly UnreadyReason[]
  readonly stop: () => void
}

/** How often changes are looked for, in milliseconds; each answer of `/readyz` looks for them too. */
const reviewMs = 200

/** Reads what the health checks, the comparisons of the schema and the audits know; it asks nothing itself. */
export function createReadiness({ audit, schema, database, onChange }: ReadinessInput): Readiness {
  let known = '[]'
  const listReasons = (): readonly UnreadyReason[] => {
    const reasons = findReasons({ audit, schema, database })
    const text = JSON.stringify(reasons)
    if (text !== known) {
      known = text
      onChange(reasons)
    }
    return reasons
  }
  const timer = setInterval(listReasons, reviewMs)
  timer.unref()
  return {
    listReasons,
    stop: () => {
      clearInterval(timer)
    },
  }
}

function findReasons({
  audit,
  schema,
  database,
}: Omit<ReadinessInput, 'onChange'>): readonly UnreadyReason[] {
  const added = audit.listNew().length
  return [
    ...(database.isAnswering()
      ? []
      : [{ kind: 'database', text: 'no host of the database answers' } as const]),
    ...schema.listIssues().map((text) => ({ kind: 'schema', text }) as const),
    ...(added === 0
      ? []
      : [{ kind: 'audit', text: `the audit has ${added} new findings; the log lists them` } as const]),
  ]
}
