import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { auditDatabase, requireStartAllowed } from '../audit/audit.js'
import { requireStatements } from '../audit/rejected-statement.js'
import { repeatAudit } from '../audit/repeat-audit.js'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Clock } from '../values/instant.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { createKeyCache } from '../keys/key-cache.js'
import type { KeyCache } from '../keys/key-cache.js'
import { createKeyLookup } from '../keys/key-lookup.js'
import type { KeyRow } from '../keys/key.js'
import { Binding } from '../mapping/binding.js'
import type { SchemaEvent } from '../mapping/bind.js'
import { fillMapping } from '../mapping/mapped-columns.js'
import { openDatabase } from '../mapping/load-configuration.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { describeCollections } from '../mapping/resolve-mapping.js'
import { buildApp } from './app.js'
import type { HttpLimits } from './connections.js'
import { createMetrics } from './metrics.js'
import type { Metrics } from './metrics.js'
import { buildOpsApp, listReasons, registerMetrics, watchReasons } from './ops.js'
import type { Closing, UnreadyReason } from './ops.js'
import { createFailedAuthentications } from './rate-limits.js'

/** What a service is made of. */
export interface ServiceInput {
  readonly config: Config
  /** As the file says it. */
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
export async function buildService(input: ServiceInput): Promise<Service> {
  const metrics = createMetrics(describeCollections(input.mapping).map(({ name }) => name))
  const database = openDatabase(input.config, metrics.observeStatement)
  try {
    const { audit, binding } = await requireStatements(database, () => startChecks(input, database))
    await database.watch((cause) => {
      if (cause !== undefined) input.log.warn({ err: cause }, 'the database does not answer')
      else input.log.info('the database answers again')
      // The grants can be others than the last audit found.
      if (cause === undefined) void audit.repeat()
    })
    return await assemble(input, { metrics, database, audit, binding, closing: { isAnnounced: false } })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Audits the database, binds the mapping to its schema, and repeats both. */
async function startChecks(
  { config, mapping: given, log, clock }: ServiceInput,
  database: Database,
): Promise<{ readonly audit: RepeatedAudit; readonly binding: Binding }> {
  const mapping = await fillMapping(given, database.runCheckQuery)
  const audited = await auditDatabase(mapping, database)
  requireStartAllowed(audited, config.audit)
  for (const finding of audited.findings)
    if (finding.severity === 'error') log.error({ finding }, 'audit: AUDIT=warn lets this pass')
    else log.warn({ finding }, 'audit: a warning')
  const audit = repeatAudit({
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
  const onEvent = (event: SchemaEvent): void => {
    logSchemaEvent(log, event)
    // The last audit evaluated the earlier schema.
    void audit.repeat()
  }
  const everyMs = config.schemaCheckMs
  return {
    audit,
    binding: await Binding.start({ mapping, runQuery: database.runCheckQuery, everyMs, onEvent }),
  }
}

const schemaLines: Readonly<
  Record<SchemaEvent['is'], readonly [level: 'info' | 'warn' | 'error', text: string]>
> = {
  broken: [
    'error',
    'the schema does not fit the mapping any more: requests get 503 until the schema or the mapping file is corrected, or vitrine grants is run again',
  ],
  recovered: ['info', 'the schema fits the mapping again'],
  'bound anew': ['info', 'the schema changed; new statements are compiled'],
  'without paging index': [
    'warn',
    'an index was dropped: each page now sorts the whole workspace; vitrine check prints the index to add',
  ],
}

function logSchemaEvent(log: Logger, { is, ...event }: SchemaEvent): void {
  const [level, text] = schemaLines[is]
  log[level](event, text)
}

interface ServiceParts {
  readonly metrics: Metrics
  readonly database: Database
  readonly audit: RepeatedAudit
  readonly binding: Binding
  readonly closing: Closing
}

async function assemble(input: ServiceInput, parts: ServiceParts): Promise<Service> {
  const { config, log, ageClock: clock } = input
  const { metrics, database, audit, binding, closing } = parts
  const list = (): readonly UnreadyReason[] => listReasons(parts)
  const stopWatching = watchReasons(list, (reasons) => {
    if (reasons.length === 0) log.info('requests can be answered again: /readyz returns 200')
    else log.warn({ reasons }, 'requests cannot all be answered: /readyz returns 503')
  })
  const keyCache = buildKeyCache(input, parts)
  const failedAuthentications = createFailedAuthentications({
    perMinute: config.failedAuthenticationsPerMinute,
    clock,
    onLimit: (address) => {
      metrics.countAddressLimit()
      log.warn({ address }, 'an address sends too many keys that are not accepted')
    },
  })
  const help = 'Addresses whose failed authentications are counted.'
  metrics.watch('vitrine_refused_addresses', help, failedAuthentications.countAddresses)
  registerMetrics(metrics, input, { ...parts, keyCache, list })
  const app = await buildApp({ ...input, ...parts, keyCache, failedAuthentications })
  const ops = buildOpsApp(metrics, list)
  const announceClosing = (): void => {
    closing.isAnnounced = true
  }
  const close = async (): Promise<void> => {
    announceClosing()
    stopWatching()
    audit.stop()
    binding.stop()
    await app.close()
    await database.close()
    await ops.close()
  }
  let closed: Promise<void> | undefined
  return {
    app,
    ops,
    repeatAudit: audit.repeat,
    announceClosing,
    close: () => (closed ??= close()),
  }
}

function buildKeyCache(
  { config, mapping, log, ageClock: clock }: ServiceInput,
  { database, binding }: ServiceParts,
): KeyCache<KeyRow> {
  const lookup = createKeyLookup({
    requireTable: () => binding.requireKeys(),
    apiKeys: mapping.apiKeys,
    runQuery: database.runQuery,
    onInvalidRow: (keyId, reason) => {
      log.warn({ keyId, reason }, 'a stored key cannot be accepted')
    },
  })
  return createKeyCache({ ...config.keyCache, clock, lookup })
}
