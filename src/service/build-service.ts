import { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { auditDatabase, requireStartAllowed } from '../audit/audit.js'
import type { AuditResult } from '../audit/audit.js'
import { requireStatements } from '../audit/rejected-statement.js'
import { repeatAudit } from '../audit/repeat-audit.js'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { createAccount } from '../database/account.js'
import type { Database } from '../database/database.js'
import type { RunQuery, RunStatement } from '../database/statement.js'
import { buildApp } from '../http/app.js'
import type { AppInput } from '../http/app.js'
import { createClosing } from '../http/closing.js'
import type { Closing } from '../http/closing.js'
import type { HttpLimits } from '../http/limits.js'
import { createMetrics } from '../http/metrics.js'
import type { Metrics } from '../http/metrics.js'
import { buildOpsApp } from '../http/ops-app.js'
import type { Tracing } from '../http/tracing.js'
import { fillKeys } from '../mapping/fill-keys.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { describeResources } from '../mapping/resolve-mapping.js'
import { buildAuthenticate } from './build-authenticate.js'
import { openDatabase, readVersion } from './load-configuration.js'
import { logFinding, logHostChange, logReadiness, logSchemaEvent } from './log-events.js'
import { createReadiness } from './readiness.js'
import type { Readiness } from './readiness.js'
import { registerDatabaseMetrics, registerServiceMetrics } from './service-metrics.js'
import { watchSchema } from './watch-schema.js'
import type { SchemaWatch } from './watch-schema.js'

interface ServiceInput {
  readonly config: Config
  readonly mapping: Mapping
  readonly log: Logger
  /** Milliseconds since 1970; keys are validated by it. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back; cached rows age by it. */
  readonly ageClock: Clock
  /** Log lines that could not be written, since the start. */
  readonly countDroppedLines?: () => number
  /** Instead of `httpLimits`, for tests. */
  readonly limits?: HttpLimits | undefined
}

/** Both apps, ready to listen, and the database behind them. */
export interface Service {
  readonly app: FastifyInstance
  readonly ops: FastifyInstance
  /** Repeats the audit of the database now; the service also repeats it every ten minutes. */
  readonly repeatAudit: () => Promise<void>
  /** `/readyz` answers 503, and each answer closes its connection; the listeners stay open. */
  readonly announceClosing: () => void
  /** Finishes the requests in progress, then closes the connections to the database, and the ops listener last. */
  readonly close: () => Promise<void>
}

/**
 * Assembles the service on the live database. Nothing listens yet.
 *
 * @throws AuditError, or Problem when the database does not answer.
 */
export async function buildService(given: ServiceInput): Promise<Service> {
  const { config, log } = given
  const metrics = createMetrics(describeResources(given.mapping).map(({ name }) => name))
  metrics.watchCount(
    'vitrine_log_lines_dropped_total',
    'Log lines that could not be written.',
    given.countDroppedLines ?? (() => 0),
  )
  // After each of these, the grants can be others than the last audit found.
  const events = new EventEmitter<{ grantsChanged: [] }>()
  const account = createAccount(config.database, () => {
    log.info({ user: account.current().user }, 'the database is read with another account or password')
    events.emit('grantsChanged')
  })
  const database = await openDatabase(config, {
    heartbeat: given.mapping.heartbeat,
    onStatement: metrics.observeStatement,
    account,
  })
  try {
    await database.watchHosts((host, change) => {
      logHostChange(log, host, change)
      if (change.is === 'back') events.emit('grantsChanged')
    })
    const { input, audited } = await requireStatements(database, async () => {
      const mapping = await fillKeys(given.mapping, database.runCheckQuery)
      return { input: { ...given, mapping }, audited: await auditDatabase(mapping, database) }
    })
    requireStartAllowed(audited, config.audit)
    for (const finding of audited.findings) logFinding(log, finding)
    const audit = startRepeatedAudit(input, database, audited)
    events.on('grantsChanged', () => void audit.repeat())
    const schema = startSchemaWatch(input, database, audited, audit)
    // So that the first empty answer has types to be compared with.
    await requireStatements(database, schema.check)
    return await assemble(input, { database, metrics, audit, schema })
  } catch (error) {
    await database.close()
    throw error
  }
}

function startRepeatedAudit(
  { mapping, log, clock }: ServiceInput,
  database: Database,
  audited: AuditResult,
): RepeatedAudit {
  return repeatAudit({
    known: audited.findings,
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

function startSchemaWatch(
  { mapping, config, log }: ServiceInput,
  database: Database,
  audited: AuditResult,
  audit: RepeatedAudit,
): SchemaWatch {
  return watchSchema({
    mapping,
    schema: audited.schema,
    runQuery: database.runCheckQuery,
    everyMs: config.schemaCheckMs,
    onEvent: (event) => {
      logSchemaEvent(log, event)
      // The last audit evaluated the earlier schema.
      void audit.repeat()
    },
  })
}

interface ServiceParts {
  readonly database: Database
  readonly metrics: Metrics
  readonly audit: RepeatedAudit
  readonly schema: SchemaWatch
}

async function assemble(input: ServiceInput, parts: ServiceParts): Promise<Service> {
  const { config, log } = input
  const { database, metrics, audit, schema } = parts
  metrics.watch('vitrine_epoch', 'The epoch of the mapping file.', () => input.mapping.epoch ?? 0)
  const closing = createClosing()
  const readiness = createReadiness({
    ...parts,
    onChange: (reasons) => {
      logReadiness(log, reasons)
    },
  })
  registerServiceMetrics({
    metrics,
    audit,
    schema,
    listUnready: () =>
      closing.isAnnounced() ? ['shutdown'] : readiness.listReasons().map(({ kind }) => kind),
  })
  registerDatabaseMetrics(metrics, database, config.database)
  const tracing = config.tracing ? await startTracing(input) : undefined
  const prepare = (runQuery: RunStatement): RunStatement =>
    schema.checkAfterErrors(tracing?.traceStatements(runQuery) ?? runQuery)
  const app = await buildApp({
    resources: schema.collections,
    access: buildAccess(input, parts, prepare(database.runFreshQuery)),
    database: {
      runQuery: prepare(database.runQuery),
      findDataTime: database.findDataTime,
      findOldestOpen: database.findOldestOpen,
    },
    server: { trustProxy: config.trustProxy, closing, limits: input.limits },
    telemetry: { log, metrics, tracing },
    settings: {
      publicUrl: config.publicUrl,
      syncOverlapSeconds: config.syncOverlapSeconds,
      version: readVersion(),
      compression: config.compression,
      corsOrigins: config.corsOrigins,
      mcp: config.mcp,
    },
  })
  const ops = buildOpsApp({ metrics, closing, listReasons: readiness.listReasons })
  return toService({ app, ops, closing, tracing, readiness }, parts)
}

/** @param runQuery a fresh query, so that replica lag does not prolong the life of a revoked key beyond the cache. */
function buildAccess(
  input: ServiceInput,
  { schema, metrics }: ServiceParts,
  runQuery: RunQuery,
): AppInput['access'] {
  const { config, ageClock } = input
  return {
    authenticate: buildAuthenticate({ ...input, schema, metrics, runQuery }),
    rateLimit: { perMinute: config.rateLimitPerMinute, keysMax: config.keyCache.max, clock: ageClock },
  }
}

/** Tracing is loaded only if it is on. */
async function startTracing({ config, log }: ServiceInput): Promise<Tracing> {
  const { createTracing } = await import('../http/tracing.js')
  const tracing = createTracing(readVersion(), config.database.name)
  if (!tracing.hasSdk())
    log.warn('TRACING=on, but no OpenTelemetry SDK was started before this: no span is kept')
  return tracing
}

interface Apps {
  readonly app: FastifyInstance
  readonly ops: FastifyInstance
  readonly closing: Closing
  readonly tracing: Tracing | undefined
  readonly readiness: Readiness
}

function toService(
  { app, ops, closing, tracing, readiness }: Apps,
  { audit, schema, database }: ServiceParts,
): Service {
  const close = async (): Promise<void> => {
    closing.announce()
    readiness.stop()
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
