import { close, open } from 'node:fs'
import { devNull } from 'node:os'
import type { Logger } from 'pino'
import { readCommit } from '../commit.js'
import type { Config } from '../config.js'
import { answerBytesMax } from '../database/database.js'
import type { Database } from '../database/database.js'
import type { Metrics } from '../api/metrics.js'
import type { BoundMapping } from './bind-mapping.js'
import { readVersion } from './load-configuration.js'
import { unreadyKinds } from './readiness.js'
import type { UnreadyReason } from './readiness.js'

interface ServiceInput {
  readonly metrics: Metrics
  readonly bound: BoundMapping
  readonly listUnready: () => readonly UnreadyReason['kind'][]
}

/** Registers the metrics of the service as a whole. */
export function registerServiceMetrics({ metrics, bound, listUnready }: ServiceInput): void {
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
    bound.audit.countErrors(),
  )
  metrics.watch(
    'vitrine_audit_new_findings',
    'Errors that the last audit found and the audit of the start did not.',
    () => bound.audit.listNew().length,
  )
  metrics.watch(
    'vitrine_audit_last_success_timestamp_seconds',
    'When the last complete audit ended, in seconds since 1970.',
    () => bound.audit.lastSuccessSeconds(),
  )
  metrics.watchEach({
    name: 'vitrine_schema_issues',
    help: 'What does not fit between the mapping and the live schema; above 0, requests that need the section get 503.',
    label: 'section',
    read: () => bound.schema.countIssues(),
  })
  metrics.watchEach({
    name: 'vitrine_paging_index',
    help: 'Whether an index serves the lists of a collection in their order: 1 or 0.',
    label: 'collection',
    read: () => {
      const { collections, schema } = bound
      return collections.map(({ name }) => [name, Number(schema.hasPagingIndex(name))])
    },
  })
}

/** Registers the metrics of the key cache. */
export function registerKeyMetrics({ metrics, bound }: Pick<ServiceInput, 'metrics' | 'bound'>): void {
  metrics.watch('vitrine_key_cache_known', 'Keys in the key cache.', () => bound.measureKeys().known)
  metrics.watch(
    'vitrine_key_cache_unknown',
    'Hashes in the key cache that are not in the key table.',
    () => bound.measureKeys().unknown,
  )
  metrics.watch(
    'vitrine_keys_expiring',
    'Keys that were used and expire within 14 days.',
    () => bound.measureKeys().expiring,
  )
}

/** Registers the metrics of the sessions and the queue of the database. */
export function registerDatabaseMetrics(
  { watch }: Metrics,
  { measure, isAnswering }: Pick<Database, 'measure' | 'isAnswering'>,
  { poolSize, queueLimit }: Config['database'],
): void {
  watch('vitrine_database_up', 'Whether the database answers its health check: 1 or 0.', () =>
    Number(isAnswering()),
  )
  watch('vitrine_database_active', 'Statements in progress.', () => measure().active)
  watch('vitrine_database_active_max', 'The limit of vitrine_database_active.', () => poolSize)
  watch('vitrine_database_waiting', 'Statements in the queue.', () => measure().waiting)
  watch('vitrine_database_waiting_max', 'The limit of vitrine_database_waiting.', () => queueLimit)
  watch('vitrine_database_answer_bytes', 'Bytes of answers that were not sent.', () => measure().bytes)
  watch(
    'vitrine_database_answer_bytes_max',
    'The limit of vitrine_database_answer_bytes.',
    () => answerBytesMax,
  )
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
