import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { Metrics } from '../http/metrics.js'
import { readVersion } from './load-configuration.js'
import type { SchemaWatch } from './watch-schema.js'

interface Measured {
  readonly metrics: Metrics
  readonly database: Database
  readonly audit: RepeatedAudit
  readonly schema: SchemaWatch
  readonly isReady: () => boolean
}

/** Registers the metrics of the process as a whole, and of its database. */
export function measureService(
  { metrics, database, audit, schema, isReady }: Measured,
  { database: { poolSize, queueLimit, hosts } }: Config,
): void {
  metrics.watch('vitrine_ready', 'Whether requests can be served, as the last checks found it: 1 or 0.', () =>
    Number(isReady()),
  )
  metrics.watchEach('vitrine_build_info', 'Always 1; the label is the version of this release.', {
    label: 'version',
    values: () => ({ [readVersion()]: 1 }),
  })
  metrics.watch(
    'vitrine_audit_findings',
    'Errors that the last audit of the database found.',
    audit.countErrors,
  )
  metrics.watch(
    'vitrine_audit_last_success_timestamp_seconds',
    'When the last audit ended that could be made, in seconds since 1970.',
    audit.lastSuccessSeconds,
  )
  metrics.watchEach(
    'vitrine_paging_index',
    'Whether the lists of a collection are read by an index in their own order: 1 or 0.',
    {
      label: 'collection',
      values: () =>
        Object.fromEntries(schema.collections.map(({ name }) => [name, Number(schema.hasPagingIndex(name))])),
    },
  )
  metrics.watch('vitrine_database_active', 'Statements under way.', () => database.measure().active)
  metrics.watch(
    'vitrine_database_active_max',
    'Statements that may be under way at once.',
    () => poolSize * hosts.length,
  )
  metrics.watch(
    'vitrine_database_waiting',
    'Statements in the queue for a connection.',
    () => database.measure().waiting,
  )
  metrics.watch('vitrine_database_waiting_max', 'Statements that the queue holds at most.', () => queueLimit)
}
