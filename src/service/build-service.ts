import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.js'
import { buildApp } from '../api/app.js'
import { createClosing } from '../api/connections.js'
import type { Closing, HttpLimits } from '../api/connections.js'
import { createMetrics } from '../api/metrics.js'
import type { Metrics } from '../api/metrics.js'
import { buildOpsApp } from '../api/ops-app.js'
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
import { logAnswering, logReadiness } from './log-events.js'
import { createReadiness } from './readiness.js'
import type { Readiness } from './readiness.js'
import type { Mapping } from '../mapping/mapping-schema.js'

interface ServiceInput extends Pick<BindInput, 'config' | 'log' | 'clock' | 'ageClock'> {
  readonly mapping: Mapping
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
export async function buildService(input: ServiceInput): Promise<Service> {
  const { config, log, mapping } = input
  const metrics = startMetrics(input)
  const database = await openDatabase(config, metrics.observeStatement)
  try {
    const failedAuthentications = buildFailedAuthentications({ ...input, metrics })
    const audited = await auditMapping(mapping, database, input)
    const bound = bindMapping({ ...input, database, failedAuthentications }, audited)
    await database.watch((cause) => {
      logAnswering(log, cause)
      // The grants can be others than the last audit found.
      if (cause === undefined) void bound.audit.repeat()
    })
    return await assemble(input, { database, metrics, bound })
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

interface ServiceParts {
  readonly database: Database
  readonly metrics: Metrics
  readonly bound: BoundMapping
}

async function assemble(input: ServiceInput, parts: ServiceParts): Promise<Service> {
  const { config, log, ageClock } = input
  const { database, metrics, bound } = parts
  const closing = createClosing()
  const readiness = createReadiness({
    audit: bound.audit,
    schema: bound.schema,
    database,
    onChange: (reasons) => {
      logReadiness(log, reasons)
    },
  })
  registerServiceMetrics({
    metrics,
    bound,
    listUnready: () =>
      closing.isAnnounced() ? ['shutdown'] : readiness.listReasons().map(({ kind }) => kind),
  })
  registerKeyMetrics({ metrics, bound })
  metrics.watch('vitrine_epoch', 'The epoch of the mapping file.', () => bound.mapping.epoch ?? 0)
  registerDatabaseMetrics(metrics, database, config.database)
  const app = await buildApp({
    served: bound,
    rateLimit: { perMinute: config.rateLimitPerMinute, keysMax: config.keyCache.max, clock: ageClock },
    database: {
      runQuery: bound.runQuery,
      queueLimit: config.database.queueLimit,
      holdBytes: database.holdBytes,
    },
    server: { trustProxy: config.trustProxy, closing, limits: input.limits },
    telemetry: { log, metrics },
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
  const stopWatching = watchFileDescriptors(log, metrics)
  return toService({ app, ops, closing, readiness, stopWatching }, parts)
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
  { bound, database }: ServiceParts,
): Service {
  const close = async (): Promise<void> => {
    closing.announce()
    readiness.stop()
    stopWatching()
    bound.stop()
    await app.close()
    await database.close()
    await ops.close()
  }
  let closed: Promise<void> | undefined
  return {
    app,
    ops,
    repeatAudit: bound.audit.repeat,
    announceClosing: closing.announce,
    close: () => (closed ??= close()),
  }
}
