import { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { createAccount } from '../database/account.js'
import type { Database } from '../database/database.js'
import { buildApp } from '../api/app.js'
import { createClosing } from '../api/connections.js'
import type { Closing } from '../api/connections.js'
import type { HttpLimits } from '../api/limits.js'
import { createMetrics } from '../api/metrics.js'
import type { Metrics } from '../api/metrics.js'
import { buildOpsApp } from '../api/ops-app.js'
import type { Tracing } from '../api/tracing.js'
import { describeCollections } from '../mapping/resolve-mapping.js'
import { auditMapping, bindMapping } from './bind-mapping.js'
import type { BindInput, BoundMapping } from './bind-mapping.js'
import { buildFailedAuthentications } from './build-authenticate.js'
import { openDatabase, readVersion } from './load-configuration.js'
import {
  registerDatabaseMetrics,
  registerKeyMetrics,
  registerServiceMetrics,
  watchFileDescriptors,
} from './service-metrics.js'
import { createHostLog, logReadiness } from './log-events.js'
import { createReadiness } from './readiness.js'
import type { Readiness } from './readiness.js'
import { createReload } from './reload.js'
import type { Configuration, ReloadResult } from './reload.js'

interface ServiceInput extends Configuration, Pick<BindInput, 'log' | 'clock' | 'ageClock'> {
  /** Reads the configuration again, for a reload. @throws ConfigError */
  readonly load: () => Promise<Configuration>
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
  /** Reads the mapping file and the file of the address again; what cannot be used leaves the old ones in force. */
  readonly reload: () => Promise<ReloadResult>
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
export async function buildService(input: ServiceInput): Promise<Service> {
  const { config, log } = input
  const metrics = startMetrics(input)
  // After each of these, the grants can be others than the last audit found.
  const events = new EventEmitter<{ grantsChanged: [] }>()
  const account = createAccount(config.database, () => {
    log.info({ user: account.current().user }, 'the database is read with another account or password')
    events.emit('grantsChanged')
  })
  const database = await openDatabase(config, {
    heartbeat: input.mapping.heartbeat,
    onStatement: metrics.observeStatement,
    account,
  })
  try {
    const hostLog = createHostLog(log)
    const watched = database.watchHosts((host, change) => {
      hostLog.note(host, change)
      if (change.is === 'back') events.emit('grantsChanged')
    })
    // The tables are read at the freshest of several hosts.
    if (config.database.hosts.length > 1) await watched
    const tracing = config.tracing ? await startTracing(input) : undefined
    const failedAuthentications = buildFailedAuthentications({ ...input, metrics })
    const traceStatements = tracing?.traceStatements ?? ((runQuery) => runQuery)
    const binding = { ...input, database, failedAuthentications, traceStatements }
    let bound = bindMapping(binding, await auditMapping(input.mapping, database, input))
    await watched
    hostLog.release()
    events.on('grantsChanged', () => void bound.audit.repeat())
    const reload = createReload({
      ...input,
      metrics,
      account,
      current: () => bound.mapping,
      exchange: async (next) => {
        const latest = await rebind(binding, next)
        bound.stop()
        if (account.current().user !== next.config.database.user) database.renewSessions()
        account.use(next.config.database)
        bound = latest
      },
    })
    return await assemble(input, { database, metrics, tracing, reload, current: () => bound })
  } catch (error) {
    await database.close()
    throw error
  }
}

function startMetrics({ mapping, countDroppedLines = () => 0 }: ServiceInput): Metrics {
  const metrics = createMetrics(describeCollections(mapping).map(({ name }) => name))
  metrics.watchCount(
    'vitrine_log_lines_dropped_total',
    'Log lines that could not be written.',
    countDroppedLines,
  )
  return metrics
}

/** Binds another configuration in a database of its own, because its account can have other privileges. */
async function rebind(binding: BindInput, { config, mapping }: Configuration): Promise<BoundMapping> {
  const trial = await openDatabase(config, { heartbeat: mapping.heartbeat })
  try {
    return bindMapping(binding, await auditMapping(mapping, trial, binding))
  } finally {
    await trial.close()
  }
}

interface ServiceParts {
  readonly database: Database
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly reload: Service['reload']
  /** The mapping in force. */
  readonly current: () => BoundMapping
}

async function assemble(input: ServiceInput, parts: ServiceParts): Promise<Service> {
  const { config, log, ageClock } = input
  const { database, metrics, tracing, reload, current } = parts
  const closing = createClosing()
  const readiness = createReadiness({
    audit: { listNew: () => current().audit.listNew() },
    schema: { listIssues: () => current().schema.listIssues() },
    database,
    onChange: (reasons) => {
      logReadiness(log, reasons)
    },
  })
  registerServiceMetrics({
    metrics,
    current,
    listUnready: () =>
      closing.isAnnounced() ? ['shutdown'] : readiness.listReasons().map(({ kind }) => kind),
  })
  registerKeyMetrics({ metrics, current })
  metrics.watch('vitrine_epoch', 'The epoch of the mapping file.', () => current().mapping.epoch ?? 0)
  registerDatabaseMetrics(metrics, database, config.database)
  const app = await buildApp({
    served: current,
    rateLimit: { perMinute: config.rateLimitPerMinute, keysMax: config.keyCache.max, clock: ageClock },
    database: {
      runQuery: (statement, context) => current().runQuery(statement, context),
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
  const ops = buildOpsApp({ metrics, closing, listReasons: readiness.listReasons, reload })
  const stopWatching = watchFileDescriptors(log, metrics)
  return toService({ app, ops, closing, readiness, stopWatching }, parts)
}

/** Tracing is loaded only if it is on. */
async function startTracing({ config, log }: ServiceInput): Promise<Tracing> {
  const { createTracing } = await import('../api/tracing.js')
  const tracing = createTracing(readVersion(), config.database.name)
  if (!tracing.hasSdk())
    log.warn('TRACING=on, but no OpenTelemetry SDK was started before this: no span is kept')
  return tracing
}

interface Apps {
  readonly app: FastifyInstance
  readonly ops: FastifyInstance
  readonly closing: Closing
  readonly readiness: Readiness
  readonly stopWatching: () => void
}

function toService(
  { app, ops, closing, readiness, stopWatching }: Apps,
  { current, database, reload, tracing }: ServiceParts,
): Service {
  const close = async (): Promise<void> => {
    closing.announce()
    readiness.stop()
    stopWatching()
    current().stop()
    await app.close()
    await database.close()
    await tracing?.flush()
    await ops.close()
  }
  let closed: Promise<void> | undefined
  return {
    app,
    ops,
    repeatAudit: () => current().audit.repeat(),
    reload,
    announceClosing: closing.announce,
    close: () => (closed ??= close()),
  }
}
