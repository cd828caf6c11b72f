import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import type { Logger } from 'pino'
import { parseConfig } from '../config.js'
import type { Config } from '../config.js'
import type { Database } from '../db/pool.js'
import { buildApp } from '../http/app.js'
import { createAuthenticate } from '../http/authenticate.js'
import type { Authenticate } from '../http/authenticate.js'
import { createMetrics } from '../http/metrics.js'
import type { Metrics } from '../http/metrics.js'
import { buildOpsApp } from '../http/ops-app.js'
import { createKeyCache } from '../keys/key-cache.js'
import { createKeyLookup } from '../keys/look-up-key.js'
import type { BoundMapping } from '../mapping/bound.js'
import { toOffsetMinutes } from '../mapping/bind-mapping.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { bindToDatabase, createCollections, loadMapping, openDatabase } from './load-service.js'
import { readVersion } from './version.js'

/**
 * Serves until a signal ends it.
 *
 * @throws ConfigError, AuditError, or Problem when the database does not answer; nothing was listening then.
 */
export async function serve(variables: Readonly<Record<string, string | undefined>>): Promise<void> {
  const config = parseConfig(variables)
  const mapping = await loadMapping(config.mappingFile)
  const log = pino({ level: config.logLevel, base: null })
  const database = await openDatabase(config)
  try {
    const bound = await bindToDatabase(mapping, database.runQuery)
    await listen({ config, mapping, bound, database, log })
  } catch (error) {
    await database.close()
    throw error
  }
}

interface ServiceParts {
  readonly config: Config
  readonly mapping: Mapping
  readonly bound: BoundMapping
  readonly database: Database
  readonly log: Logger
}

async function listen(parts: ServiceParts): Promise<void> {
  const { config, bound, database, log } = parts
  const metrics = createMetrics()
  watchDatabase(metrics, database)
  const app = await buildApp({
    collections: createCollections(bound),
    authenticate: buildAuthenticate(parts, metrics),
    runQuery: database.runQuery,
    metrics,
    log,
    publicUrl: config.publicUrl,
    rateLimitPerMinute: config.rateLimitPerMinute,
    syncOverlapSeconds: config.syncOverlapSeconds,
    trustProxy: config.trustProxy,
    version: readVersion(),
  })
  const ops = buildOpsApp({ metrics, findUnready: () => findUnready(database) })
  closeWithGrace({ delay: config.shutdownGraceMs, logger: log }, async ({ err, signal }) => {
    if (err === undefined) log.info({ signal }, 'closing')
    else log.fatal({ err }, 'closing after an error')
    await Promise.all([app.close(), ops.close()])
    await database.close()
  })
  await app.listen(config.listen)
  if (config.ops.port !== 0) await ops.listen(config.ops)
  log.info(
    { listening: app.listeningOrigin, ops: config.ops.port === 0 ? undefined : ops.listeningOrigin },
    'ready',
  )
}

function buildAuthenticate(
  { config, mapping, bound, database, log }: ServiceParts,
  metrics: Metrics,
): Authenticate {
  const { apiKeys } = mapping
  const keyCache = createKeyCache({
    ...config.keyCache,
    clock: () => performance.now(),
    lookup: createKeyLookup({
      columns: bound.apiKeys,
      form: apiKeys.hash,
      readers: {
        workspace: bound.apiKeys.workspace.identifier,
        scopes: apiKeys.scopes,
        expiryOffsetMinutes: bound.apiKeys.expiresAt?.offsetMinutes ?? toOffsetMinutes(mapping.timezone),
      },
      runQuery: database.runQuery,
      onFault: (keyId, reason) => {
        log.warn({ keyId, reason }, 'a stored key cannot be accepted')
      },
    }),
  })
  metrics.watch('vitrine_key_cache_known', 'Keys in the cache.', () => keyCache.measure().known)
  metrics.watch(
    'vitrine_key_cache_unknown',
    'Hashes in the cache that belong to no key.',
    () => keyCache.measure().unknown,
  )
  return createAuthenticate({ form: apiKeys.hash, prefix: apiKeys.prefix, keyCache, clock: Date.now })
}

function watchDatabase(metrics: Metrics, database: Database): void {
  metrics.watch('vitrine_database_active', 'Statements under way.', () => database.measure().active)
  metrics.watch(
    'vitrine_database_waiting',
    'Statements waiting for a connection.',
    () => database.measure().waiting,
  )
}

async function findUnready(database: Database): Promise<readonly string[]> {
  try {
    await database.runQuery({ sql: 'select 1 as `one`', values: [] })
    return []
  } catch {
    return ['the database does not answer']
  }
}
