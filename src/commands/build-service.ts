import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Finding } from '../audit/finding.js'
import { auditEveryMs, watchAudit } from '../audit/watch-audit.js'
import type { AuditWatch } from '../audit/watch-audit.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Database } from '../db/database.js'
import { Problem } from '../errors.js'
import { buildApp } from '../http/app.js'
import { createClosing } from '../http/closing.js'
import type { HttpLimits } from '../http/limits.js'
import { createMetrics } from '../http/metrics.js'
import type { Metrics } from '../http/metrics.js'
import type { Tracing } from '../http/tracing.js'
import { buildOpsApp } from '../http/ops-app.js'
import { renderKeyProbe } from '../keys/key-sql.js'
import type { BoundMapping } from '../mapping/bound.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { auditDatabase, requireAudited } from './audit-database.js'
import { buildAuthenticate } from './build-authenticate.js'
import { logHostChange, measureHosts } from './host-reports.js'
import { createCollections, openDatabase } from './load-service.js'
import { readVersion } from './version.js'

interface ServiceInput {
  readonly config: Config
  readonly mapping: Mapping
  readonly log: Logger
  /** Milliseconds since 1970, which keys are judged by. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back, which cached rows age by. */
  readonly ageClock: Clock
  /** See `AppDeps`. */
  readonly limits?: HttpLimits | undefined
}

/** Both apps, ready to listen, and the database behind them. */
export interface Service {
  readonly app: FastifyInstance
  readonly ops: FastifyInstance
  /** Audits the database once more, as happens every ten minutes. */
  readonly repeatAudit: () => Promise<void>
  /** Turns `/readyz` red, and asks every caller to use another connection; nothing closes yet. */
  readonly announceClosing: () => void
  /** Lets requests in flight finish, then closes the database's connections, and the ops listener last. */
  readonly close: () => Promise<void>
}

/**
 * Puts the service together against the live database; nothing listens yet.
 *
 * @throws AuditError, or Problem when the database does not answer.
 */
export async function buildService(input: ServiceInput): Promise<Service> {
  const metrics = createMetrics(['registrations', 'invoices'])
  const database = await openDatabase(input.config, metrics.observeStatement)
  try {
    let repeatAudit = (): Promise<void> => Promise.resolve()
    await database.watchHosts((host, change) => {
      logHostChange(input.log, host, change)
      // What is back may never have been audited.
      if (change.is === 'back') void repeatAudit()
    })
    const audited = await auditDatabase(input.mapping, database)
    const bound = requireAudited(audited, input.config.audit)
    for (const finding of audited.findings) logFinding(input.log, finding)
    const watch = startWatch(input, database, audited.findings)
    repeatAudit = watch.repeat
    return await assemble(input, { bound, database, metrics, watch })
  } catch (error) {
    await database.close()
    throw error
  }
}

interface ServiceParts {
  readonly bound: BoundMapping
  readonly database: Database
  readonly metrics: Metrics
  readonly watch: AuditWatch
}

async function assemble(input: ServiceInput, parts: ServiceParts): Promise<Service> {
  const { config, log } = input
  const { bound, database, metrics, watch } = parts
  const closing = createClosing()
  watchDatabase(metrics, config, database)
  measureHosts(metrics, database)
  metrics.watch(
    'vitrine_audit_findings',
    'Errors that the last audit of the database found.',
    watch.countErrors,
  )
  const tracing = config.tracing ? await startTracing(input) : undefined
  const runQuery = tracing?.traceStatements(database.runQuery) ?? database.runQuery
  // A key that was revoked stops as soon as any host knows of it.
  const runFreshQuery = tracing?.traceStatements(database.runFreshQuery) ?? database.runFreshQuery
  const app = await buildApp({
    collections: createCollections(bound),
    authenticate: buildAuthenticate({ ...input, bound, runQuery: runFreshQuery, metrics }),
    runQuery,
    findDataTime: database.findDataTime,
    queueLimit: config.database.queueLimit,
    metrics,
    closing,
    tracing,
    log,
    publicUrl: config.publicUrl,
    rateLimit: { perMinute: config.rateLimitPerMinute, keysMax: config.keyCache.max },
    syncOverlapSeconds: config.syncOverlapSeconds,
    trustProxy: config.trustProxy,
    version: readVersion(),
    limits: input.limits,
  })
  const ops = buildOpsApp({ metrics, closing, findUnready: () => findUnready(parts) })
  const close = async (): Promise<void> => {
    closing.announce()
    watch.stop()
    await app.close()
    await database.close()
    await tracing?.flush()
    await ops.close()
  }
  let closed: Promise<void> | undefined
  return {
    app,
    ops,
    repeatAudit: watch.repeat,
    announceClosing: closing.announce,
    close: () => (closed ??= close()),
  }
}

function watchDatabase(
  metrics: Metrics,
  { database: { poolSize, queueLimit, hosts } }: Config,
  database: Database,
): void {
  metrics.watch('vitrine_database_active', 'Statements under way.', () => database.measure().active)
  metrics.watch(
    'vitrine_database_active_max',
    'Statements that may be under way at once.',
    () => poolSize * hosts.length,
  )
  metrics.watch(
    'vitrine_database_waiting',
    'Statements waiting for a connection.',
    () => database.measure().waiting,
  )
  metrics.watch('vitrine_database_waiting_max', 'Statements that may wait.', () => queueLimit)
}

/** Loaded only where it is wanted. */
async function startTracing({ config, log }: ServiceInput): Promise<Tracing> {
  const { createTracing } = await import('../http/tracing.js')
  const tracing = createTracing(readVersion(), config.database.name)
  if (!tracing.isTaken())
    log.warn('TRACING=on, but no OpenTelemetry SDK was started before this: no span is kept')
  return tracing
}

function startWatch(
  { mapping, log }: ServiceInput,
  database: Database,
  known: readonly Finding[],
): AuditWatch {
  return watchAudit({
    known,
    everyMs: auditEveryMs,
    audit: async () => (await auditDatabase(mapping, database)).findings,
    onNew: (finding) => {
      log.error({ finding }, 'audit: a new finding')
    },
    onMended: (finding) => {
      log.info({ finding }, 'audit: a finding is mended')
    },
    onFailure: (err) => {
      log.warn({ err }, 'audit: could not be repeated')
    },
  })
}

function logFinding(log: Logger, finding: Finding): void {
  if (finding.severity === 'error') log.error({ finding }, 'audit: AUDIT=warn lets this pass')
  else log.warn({ finding }, 'audit: a warning')
}

async function findUnready({ bound, database, watch }: ServiceParts): Promise<readonly string[]> {
  const added = watch.listNew().length
  const reasons = added === 0 ? [] : [`the audit has ${added} new findings; the log tells them`]
  try {
    await database.runQuery(renderKeyProbe(bound.apiKeys))
    return reasons
  } catch (error) {
    const overloaded = error instanceof Problem && error.code === 'overloaded'
    return [...reasons, overloaded ? 'too many requests are waiting' : 'the database does not answer']
  }
}
