import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { answerBytesMax } from '../database/database.js'
import { expiresSoon } from '../keys/key.js'
import { httpLimits, limitConnections } from './connections.js'
import type { Metrics } from './metrics.js'
import type { Observation, Observe } from './observation.js'
import type { Parts } from './parts.js'

const unreadyKinds = ['database', 'schema', 'audit', 'shutdown'] as const

/** Why requests cannot be answered. The kind is a label of the metrics. */
export interface UnreadyReason {
  readonly kind: (typeof unreadyKinds)[number]
  readonly text: string
}

/** The reasons against traffic, as the last checks found; empty if there is none. Nothing is asked here. */
export function listReasons({ database, binding, audit, closing }: Parts): readonly UnreadyReason[] {
  if (closing.isAnnounced) return [{ kind: 'shutdown', text: 'the service is about to end' }]
  const added = audit.listNew().length
  return [
    ...(database.isAnswering() ? [] : [{ kind: 'database', text: 'the database does not answer' } as const]),
    ...binding.listIssues().map((text) => ({ kind: 'schema', text }) as const),
    ...(added === 0
      ? []
      : [{ kind: 'audit', text: `the audit has ${added} new findings; the log lists them` } as const]),
  ]
}

const readinessEvents = new Set<Observation['kind']>([
  'closing',
  'database reachable',
  'database unreachable',
  'finding fixed',
  'finding new',
  'schema broken',
  'schema recovered',
])

/** Reports each change of the reasons, after the events that can change them. */
export function watchReasons(list: () => readonly UnreadyReason[], observe: Observe): Observe {
  let known = '[]'
  return ({ kind }) => {
    if (!readinessEvents.has(kind)) return
    const reasons = list().map(({ text }) => text)
    const text = JSON.stringify(reasons)
    if (text === known) return
    known = text
    observe(reasons.length === 0 ? { kind: 'ready' } : { kind: 'unready', reasons })
  }
}

/** `/livez`, `/readyz` and `/metrics`, on a port of their own that callers do not reach. */
export function buildOpsApp(metrics: Metrics, list: () => readonly UnreadyReason[]): FastifyInstance {
  const app = Fastify({ logger: false })
  limitConnections(app, httpLimits)
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', (_request, reply) => {
    const reasons = list().map(({ text }) => text)
    const isReady = reasons.length === 0
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unready', reasons })
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.render()))
  return app
}

/** Registers what is read at each scrape. */
export function registerMetrics(parts: Parts, list: () => readonly UnreadyReason[]): void {
  const { binding, countDroppedLines = () => 0 } = parts
  const { watch, watchEach, watchCount } = parts.metrics
  for (const [name, help, read] of listGauges(parts, list)) watch(name, help, read)
  watchCount('vitrine_log_lines_dropped_total', 'Log lines that could not be written.', countDroppedLines)
  watchEach('vitrine_unready_reasons', 'Why requests cannot be served: 1 or 0.', 'reason', () => {
    const found = list().map(({ kind }) => kind)
    return unreadyKinds.map((kind) => [kind, Number(found.includes(kind))])
  })
  const issuesHelp = 'What does not fit between the mapping and the schema; above 0, requests get 503.'
  watchEach('vitrine_schema_issues', issuesHelp, 'section', () =>
    binding.sections.map(({ about, issues }) => [about.name, issues.length]),
  )
  const indexHelp = 'Whether an index serves the lists of a collection in their order: 1 or 0.'
  watchEach('vitrine_paging_index', indexHelp, 'collection', () =>
    binding.collections.map(({ about, pagingIndex }) => [about.name, Number(pagingIndex !== undefined)]),
  )
}

type Gauge = readonly [name: string, help: string, read: () => number]

function listGauges(parts: Parts, list: () => readonly UnreadyReason[]): readonly Gauge[] {
  const { config, mapping, clock, audit, binding, database, keyCache } = parts
  const { poolSize, queueLimit } = config.database
  return [
    ['vitrine_ready', 'Whether requests can be served: 1 or 0.', () => Number(list().length === 0)],
    ['vitrine_audit_findings', 'Errors that the last audit of the database found.', audit.countErrors],
    ['vitrine_audit_new_findings', 'Errors that the first audit did not find.', () => audit.listNew().length],
    ['vitrine_audit_last_success_timestamp_seconds', 'The end of the last audit.', audit.lastSuccessSeconds],
    ['vitrine_epoch', 'The epoch of the mapping file.', () => mapping.epoch ?? 0],
    [
      'vitrine_heartbeat_age_seconds',
      'Age of the mapped heartbeat in the last page that was read; infinite if it cannot be used.',
      () => binding.clock.ageSeconds,
    ],
    [
      'vitrine_refused_addresses',
      'Addresses whose failed authentications are counted.',
      parts.failedAuthentications.countAddresses,
    ],
    ['vitrine_key_cache_known', 'Keys in the key cache.', () => keyCache.measure().known],
    ['vitrine_key_cache_unknown', 'Unknown hashes in the key cache.', () => keyCache.measure().unknown],
    [
      'vitrine_keys_expiring',
      'Keys that were used and expire within 14 days.',
      () => [...keyCache.listKnown()].filter((row) => expiresSoon(row, clock())).length,
    ],
    ['vitrine_database_up', 'Whether the database answers: 1 or 0.', () => Number(database.isAnswering())],
    ['vitrine_database_active', 'Statements in progress.', () => database.measure().active],
    ['vitrine_database_active_max', 'The limit of vitrine_database_active.', () => poolSize],
    ['vitrine_database_waiting', 'Statements in the queue.', () => database.measure().waiting],
    ['vitrine_database_waiting_max', 'The limit of vitrine_database_waiting.', () => queueLimit],
    ['vitrine_database_answer_bytes', 'Bytes of answers that were not sent.', () => database.measure().bytes],
    ['vitrine_database_answer_bytes_max', 'Their limit.', () => answerBytesMax],
  ]
}
