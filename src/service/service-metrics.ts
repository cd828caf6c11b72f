import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { Metrics } from '../http/metrics.js'
import { readVersion } from './load-configuration.js'
import type { SchemaWatch } from './watch-schema.js'

interface ServiceInput {
  readonly metrics: Metrics
  readonly audit: Pick<RepeatedAudit, 'countErrors' | 'lastSuccessSeconds'>
  readonly schema: Pick<SchemaWatch, 'collections' | 'hasPagingIndex'>
  readonly isReady: () => boolean
}

/** Registers the metrics of the service as a whole. */
export function registerServiceMetrics({ metrics, audit, schema, isReady }: ServiceInput): void {
  metrics.watch('vitrine_ready', 'Whether requests can be served, as the last checks found: 1 or 0.', () =>
    Number(isReady()),
  )
  metrics.watchEach({
    name: 'vitrine_build_info',
    help: 'Always 1; the label is the version of this release.',
    label: 'version',
    read: () => [[readVersion(), 1]],
  })
  metrics.watch(
    'vitrine_audit_findings',
    'Errors that the last audit of the database found.',
    audit.countErrors,
  )
  metrics.watch(
    'vitrine_audit_last_success_timestamp_seconds',
    'When the last complete audit ended, in seconds since 1970.',
    audit.lastSuccessSeconds,
  )
  metrics.watchEach({
    name: 'vitrine_paging_index',
    help: 'Whether an index serves the lists of a collection in their order: 1 or 0.',
    label: 'collection',
    read: () => schema.collections.map(({ name }) => [name, Number(schema.hasPagingIndex(name))]),
  })
}

type HostMeasures = ReturnType<Database['measure']>['hosts'][number]

/** Registers the metrics of the sessions, the queue and the hosts of the database. */
export function registerDatabaseMetrics(
  metrics: Metrics,
  { measure }: Pick<Database, 'measure'>,
  { poolSize, queueLimit, hosts }: Config['database'],
): void {
  metrics.watch('vitrine_database_active', 'Statements in progress.', () => measure().active)
  metrics.watch(
    'vitrine_database_active_max',
    'The limit of vitrine_database_active.',
    () => poolSize * hosts.length,
  )
  metrics.watch('vitrine_database_waiting', 'Statements in the queue.', () => measure().waiting)
  metrics.watch('vitrine_database_waiting_max', 'The limit of vitrine_database_waiting.', () => queueLimit)
  const watchHosts = (name: string, help: string, find: (host: HostMeasures) => number | undefined): void => {
    const read = (): (readonly [string, number | undefined])[] =>
      measure().hosts.map((host) => [host.name, find(host)])
    metrics.watchEach({ name, help, label: 'host', read })
  }
  watchHosts('vitrine_database_host_up', 'Whether a host answers its health check: 1 or 0.', ({ healthy }) =>
    healthy === undefined ? undefined : Number(healthy),
  )
  watchHosts(
    'vitrine_database_host_lag_seconds',
    'Replica lag of a host; missing if the database user may not read it.',
    ({ lagSeconds }) => lagSeconds,
  )
  watchHosts('vitrine_database_host_active', 'Statements in progress at a host.', ({ active }) => active)
}
