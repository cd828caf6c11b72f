import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { auditDatabase, requirePassedAudit } from '../audit/audit.js'
import type { Finding } from '../audit/finding.js'
import { auditEveryMs, repeatAudit } from '../audit/repeat-audit.js'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { RunQuery } from '../database/statement.js'
import { buildApp } from '../http/app.js'
import { createClosing } from '../http/connections.js'
import type { Closing } from '../http/connections.js'
import type { HttpLimits } from '../http/limits.js'
import { createMetrics } from '../http/metrics.js'
import type { Metrics } from '../http/metrics.js'
import type { Tracing } from '../http/tracing.js'
import { buildOpsApp } from '../http/ops-app.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { buildAuthenticate } from './build-authenticate.js'
import { logHostChange, measureHosts } from './log-events.js'
import { openDatabase } from './load-configuration.js'
import { createReadiness } from './readiness.js'
import { logSchemaEvent } from './log-events.js'
import { measureService } from './service-metrics.js'
import { readVersion } from './load-configuration.js'
import { watchSchema } from './watch-schema.js'
import type { SchemaWatch } from './watch-schema.js'

interface ServiceInput {
  readonly config: Config
  readonly mapping: Mapping
  readonly log: Logger
  /** Milliseconds since 1970, which keys are judged by. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back, which cached rows age by. */
  readonly ageClock: Clock
  /** Log lines that could not be written, since the start. */
  readonly countDroppedLines?: () => number
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
  metrics.watchCount(
    'vitrine_log_lines_dropped_total',
    'Log lines that could not be written.',
    input.countDroppedLines ?? (() => 0),
  )
  const database = await openDatabase(input.config, metrics.observeStatement)
  try {
    let auditAgain = (): Promise<void> => Promise.resolve()
    await database.watchHosts((host, change) => {
      logHostChange(input.log, host, change)
      // What is back may never have been audited.
      if (change.is === 'back') void auditAgain()
    })
    const audited = await auditDatabase(input.mapping, database)
    requirePassedAudit(audited, input.config.audit)
    for (const finding of audited.findings) logFinding(input.log, finding)
    const audit = startAudit(input, database, audited.findings)
    auditAgain = audit.repeat
    const schema = watchSchema({
      mapping: input.mapping,
      schema: audited.schema,
      runQuery: database.runCheckQuery,
      everyMs: input.config.schemaCheckMs,
      onEvent: (event) => {
        logSchemaEvent(input.log, event)
        // What the audit proved was of the schema before.
        void auditAgain()
      },
    })
    return await assemble(input, { database, metrics, audit, schema })
  } catch (error) {
    await database.close()
    throw error
  }
}

interface ServiceParts {
  readonly database: Database
  readonly metrics: Metrics
  readonly audit: RepeatedAudit
  readonly schema: SchemaWatch
}

async function assemble(input: ServiceInput, parts: ServiceParts): Promise<Service> {
  const { config, log } = input
  const { database, metrics, schema } = parts
  const closing = createClosing()
  const readiness = createReadiness({ ...parts, runQuery: database.runFreshQuery })
  measureService({ ...parts, isReady: () => !closing.isAnnounced() && readiness.isReady() }, config)
  measureHosts(metrics, database)
  const tracing = config.tracing ? await startTracing(input) : undefined
  const trace = tracing?.traceStatements ?? ((runQuery: RunQuery) => runQuery)
  const runQuery = schema.checkAfterErrors(trace(database.runQuery))
  // A key that was revoked stops as soon as any host knows of it.
  const runFreshQuery = schema.checkAfterErrors(trace(database.runFreshQuery))
  const app = await buildApp({
    collections: schema.collections,
    authenticate: buildAuthenticate({
      ...input,
      requireKeys: schema.requireKeys,
      runQuery: runFreshQuery,
      metrics,
    }),
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
  const ops = buildOpsApp({ metrics, closing, findUnready: readiness.findUnready })
  return toService({ app, ops, closing, tracing }, parts)
}

interface Apps {
  readonly app: FastifyInstance
  readonly ops: FastifyInstance
  readonly closing: Closing
  readonly tracing: Tracing | undefined
}

function toService({ app, ops, closing, tracing }: Apps, { audit, schema, database }: ServiceParts): Service {
  const close = async (): Promise<void> => {
    closing.announce()
    audit.stop()
    schema.stop()
    await app.close()
    await database.close()
    await tracing?.flush()
    await ops.close()
  }
  let closed: Promise<void> | undefined
  return {
    app,
    ops,
    repeatAudit: audit.repeat,
    announceClosing: closing.announce,
    close: () => (closed ??= close()),
  }
}

/** Loaded only where it is wanted. */
async function startTracing({ config, log }: ServiceInput): Promise<Tracing> {
  const { createTracing } = await import('../http/tracing.js')
  const tracing = createTracing(readVersion(), config.database.name)
  if (!tracing.isTaken())
    log.warn('TRACING=on, but no OpenTelemetry SDK was started before this: no span is kept')
  return tracing
}

function startAudit(
  { mapping, log, clock }: ServiceInput,
  database: Database,
  known: readonly Finding[],
): RepeatedAudit {
  return repeatAudit({
    known,
    everyMs: auditEveryMs,
    clock,
    audit: async () => (await auditDatabase(mapping, database)).findings,
    onNew: (finding) => {
      log.error({ finding }, 'audit: a new finding')
    },
    onFixed: (finding) => {
      log.info({ finding }, 'audit: a finding is fixed')
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
