import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { Metrics } from '../http/metrics.js'
import { readVersion } from './load-configuration.js'
import { unreadyKinds } from './readiness.js'
import type { UnreadyReason } from './readiness.js'
import type { SchemaWatch } from './watch-schema.js'

interface ServiceInput {
  readonly metrics: Metrics
  readonly audit: Pick<RepeatedAudit, 'countErrors' | 'listNew' | 'lastSuccessSeconds'>
  readonly schema: Pick<SchemaWatch, 'collections' | 'hasPagingIndex' | 'countIssues'>
  readonly listUnready: () => readonly UnreadyReason['kind'][]
}

/** Registers the metrics of the service as a whole. */
export function registerServiceMetrics({ metrics, audit, schema, listUnready }: ServiceInput): void {
  metrics.watch('vitrine_ready', 'Whether requests can be served, as the last checks found: 1 or 0.', () =>
    Number(listUnready().length === 0),
  )
  metrics.watchEach({
    name: 'vitrine_unready_reasons',
    help: 'Why requests cannot be served, as the last checks found: 1 or 0.',
    label: 'reason',
    read: () => {
      const found = listUnready()
      return unreadyKinds.map((kind) => [kind, Number(found.includes(kind))])
    },
  })
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
    'vitrine_audit_new_findings',
    'Errors that the last audit found and the audit of the start did not.',
    () => audit.listNew().length,
  )
  metrics.watch(
    'vitrine_audit_last_success_timestamp_seconds',
    'When the last complete audit ended, in seconds since 1970.',
    audit.lastSuccessSeconds,
  )
  metrics.watchEach({
    name: 'vitrine_schema_issues',
    help: 'What does not fit between the mapping and the live schema; above 0, requests that need the section get 503.',
    label: 'section',
    read: schema.countIssues,
  })
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
  { poolSize, queueLimit, hosts, lagMaxSeconds }: Config['database'],
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
  watchHosts(
    'vitrine_database_host_up',
    'Whether a host answers its health check and is part of its cluster: 1 or 0.',
    ({ healthy }) => (healthy === undefined ? undefined : Number(healthy)),
  )
  watchHosts(
    'vitrine_database_host_lag_seconds',
    'Lag of a host, by replication or by the heartbeat; missing if neither can be read.',
    ({ lagSeconds }) => lagSeconds,
  )
  watchHosts(
    'vitrine_database_host_freshness_known',
    'Whether a host proves how fresh its data are: 1 or 0; missing for a single host that hides its state.',
    ({ isFreshnessKnown }) => (isFreshnessKnown === undefined ? undefined : Number(isFreshnessKnown)),
  )
  watchHosts(
    'vitrine_database_host_oldest_open_known',
    'Whether the heartbeat of a host says which open transaction is the oldest: 1 or 0; missing if the mapping file does not name it.',
    ({ isOldestOpenKnown }) => (isOldestOpenKnown === undefined ? undefined : Number(isOldestOpenKnown)),
  )
  metrics.watch(
    'vitrine_database_host_lag_max_seconds',
    'The limit of vitrine_database_host_lag_seconds.',
    () => lagMaxSeconds,
  )
  watchHosts('vitrine_database_host_active', 'Statements in progress at a host.', ({ active }) => active)
}
