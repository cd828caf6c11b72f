import { close, open } from 'node:fs'
import { devNull } from 'node:os'
import type { Logger } from 'pino'
import { readCommit } from '../commit.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { Metrics } from '../api/metrics.js'
import type { BoundMapping } from './bind-mapping.js'
import { readVersion } from './load-configuration.js'
import { unreadyKinds } from './readiness.js'
import type { UnreadyReason } from './readiness.js'

interface ServiceInput {
  readonly metrics: Metrics
  /** The mapping in force. */
  readonly current: () => BoundMapping
  readonly listUnready: () => readonly UnreadyReason['kind'][]
}

/** Registers the metrics of the service as a whole. */
export function registerServiceMetrics({ metrics, current, listUnready }: ServiceInput): void {
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
  metrics.inform(
    'vitrine_build_info',
    'Always 1; the labels are the version of this release and its commit.',
    {
      version: readVersion(),
      commit: readCommit(),
    },
  )
  metrics.watch('vitrine_audit_findings', 'Errors that the last audit of the database found.', () =>
    current().audit.countErrors(),
  )
  metrics.watch(
    'vitrine_audit_new_findings',
    'Errors that the last audit found and the audit of the start did not.',
    () => current().audit.listNew().length,
  )
  metrics.watch(
    'vitrine_audit_last_success_timestamp_seconds',
    'When the last complete audit ended, in seconds since 1970.',
    () => current().audit.lastSuccessSeconds(),
  )
  metrics.watchEach({
    name: 'vitrine_schema_issues',
    help: 'What does not fit between the mapping and the live schema; above 0, requests that need the section get 503.',
    label: 'section',
    read: () => current().schema.countIssues(),
  })
  metrics.watchEach({
    name: 'vitrine_paging_index',
    help: 'Whether an index serves the lists of a collection in their order: 1 or 0.',
    label: 'collection',
    read: () => {
      const { collections, schema } = current()
      return collections.map(({ name }) => [name, Number(schema.hasPagingIndex(name))])
    },
  })
}

/** Registers the metrics of the key cache. */
export function registerKeyMetrics({ metrics, current }: Pick<ServiceInput, 'metrics' | 'current'>): void {
  metrics.watch('vitrine_key_cache_known', 'Keys in the key cache.', () => current().measureKeys().known)
  metrics.watch(
    'vitrine_key_cache_unknown',
    'Hashes in the key cache that are not in the key table.',
    () => current().measureKeys().unknown,
  )
  metrics.watch(
    'vitrine_keys_expiring',
    'Keys that were used and expire within 14 days.',
    () => current().measureKeys().expiring,
  )
}

type HostMeasures = ReturnType<Database['measure']>['hosts'][number]

function createHostWatch({ watchEach }: Metrics, measure: Database['measure']) {
  return (name: string, help: string, find: (host: HostMeasures) => number | undefined): void => {
    const read = (): (readonly [string, number | undefined])[] =>
      measure().hosts.map((host) => [host.name, find(host)])
    watchEach({ name, help, label: 'host', read })
  }
}

function watchOldestOpen(watchHosts: ReturnType<typeof createHostWatch>): void {
  watchHosts(
    'vitrine_database_host_oldest_open_known',
    'Whether the heartbeat of a host says which open transaction is the oldest: 1 or 0; missing if the mapping file does not name it.',
    ({ isOldestOpenKnown }) => (isOldestOpenKnown === undefined ? undefined : Number(isOldestOpenKnown)),
  )
}

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
  metrics.watch(
    'vitrine_database_result_bytes',
    'Bytes of results that are being read or whose answers were not sent.',
    () => measure().resultBytes,
  )
  metrics.watch(
    'vitrine_database_result_bytes_max',
    'The limit of vitrine_database_result_bytes.',
    () => measure().resultBytesMax,
  )
  const watchHosts = createHostWatch(metrics, measure)
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
  watchOldestOpen(watchHosts)
  metrics.watch(
    'vitrine_database_host_lag_max_seconds',
    'The limit of vitrine_database_host_lag_seconds.',
    () => lagMaxSeconds,
  )
  watchHosts('vitrine_database_host_active', 'Statements in progress at a host.', ({ active }) => active)
}

/** How often a file descriptor is opened, in milliseconds. */
const probeMs = 1000

/**
 * Finds out whether a file descriptor is free. Nothing else does: without one, Node closes new connections without an event, and
 * the ops port does not answer.
 *
 * @returns what ends it.
 */
export function watchFileDescriptors(log: Logger, metrics: Pick<Metrics, 'watchCount'>): () => void {
  let exhausted = 0
  let isExhausted = false
  metrics.watchCount(
    'vitrine_file_descriptors_exhausted_total',
    'Checks, once a second, that found no free file descriptor.',
    () => exhausted,
  )
  const timer = setInterval(() => {
    open(devNull, 'r', (error, descriptor) => {
      if (error === null) close(descriptor)
      const wasExhausted = isExhausted
      isExhausted = error?.code === 'EMFILE' || error?.code === 'ENFILE'
      if (isExhausted) exhausted += 1
      if (isExhausted && !wasExhausted)
        log.error(
          { err: error },
          'no file descriptor is free: new connections are closed without an answer; raise the limit of open files (ulimit -n, LimitNOFILE)',
        )
      if (!isExhausted && wasExhausted) log.info('file descriptors are free again')
    })
  }, probeMs)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}
