import { auditDatabase, requireStartAllowed } from '../audit/audit.js'
import { requireStatements } from '../audit/rejected-statement.js'
import { repeatAudit } from '../audit/repeat-audit.js'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Database } from '../database/database.js'
import { createKeyCache } from '../keys/key-cache.js'
import { createKeyLookup } from '../keys/key-lookup.js'
import { Binding } from '../mapping/binding.js'
import { fillMapping } from '../mapping/mapped-columns.js'
import { openDatabase } from '../mapping/load-configuration.js'
import { describeCollections } from '../mapping/resolve-mapping.js'
import { buildApp } from './app.js'
import { createEventLog } from './log-events.js'
import { createMetrics } from './metrics.js'
import type { Observation, Observe } from './observation.js'
import { buildOpsApp, listReasons, registerMetrics, watchReasons } from './ops.js'
import type { UnreadyReason } from './ops.js'
import type { Parts, ServiceInput } from './parts.js'
import { createFailedAuthentications } from './rate-limits.js'

/** Both apps, ready to listen, and the database behind them. */
export type Service = Awaited<ReturnType<typeof buildService>>

/**
 * Assembles the service on the live database. Nothing listens yet.
 *
 * @throws AuditError, or Problem when the database does not answer.
 */
export async function buildService(input: ServiceInput) {
  const metrics = createMetrics(describeCollections(input.mapping).map(({ name }) => name))
  const listeners = [createEventLog(input.log), metrics.observe]
  const observe: Observe = (event) => {
    for (const listener of listeners) listener(event)
  }
  const database = openDatabase(input.config, observe)
  try {
    const checks = await requireStatements(database, () => startChecks(input, database, observe))
    listeners.push(createAuditTrigger(checks.audit))
    await database.watch()
    const parts = buildParts({ ...input, ...checks, observe, metrics, database })
    const list = (): readonly UnreadyReason[] => listReasons(parts)
    listeners.push(watchReasons(list, observe))
    return await assemble(parts, list)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Audits the database, binds the mapping to its schema, and repeats both. */
async function startChecks(
  { config, mapping: given, clock }: ServiceInput,
  database: Database,
  observe: Observe,
): Promise<Pick<Parts, 'audit' | 'binding'>> {
  const mapping = await fillMapping(given, database.runCheckQuery)
  const audited = await auditDatabase(mapping, database)
  requireStartAllowed(audited, config.audit)
  const audit = repeatAudit({
    known: audited.findings,
    clock,
    audit: async () => (await auditDatabase(mapping, database)).findings,
    observe,
  })
  const everyMs = config.schemaCheckMs
  const binding = await Binding.start({ mapping, runQuery: database.runCheckQuery, everyMs, observe })
  return { audit, binding }
}

/** After these, the last audit can have seen other grants, or evaluated an earlier schema. */
const auditEvents = new Set<Observation['kind']>([
  'database reachable',
  'schema broken',
  'schema recovered',
  'schema bound anew',
])

function createAuditTrigger({ repeat }: RepeatedAudit): Observe {
  return ({ kind }) => {
    if (auditEvents.has(kind)) void repeat()
  }
}

type Checked = Omit<Parts, 'closing' | 'keyCache' | 'failedAuthentications'>

function buildParts(checked: Checked): Parts {
  const { config, mapping, observe, database, binding, ageClock: clock } = checked
  const { failedAuthenticationsPerMinute: perMinute } = config
  const lookup = createKeyLookup({
    section: binding.keys,
    apiKeys: mapping.apiKeys,
    runQuery: database.runQuery,
    observe,
  })
  return {
    ...checked,
    closing: { isAnnounced: false },
    keyCache: createKeyCache({ ...config.keyCache, clock, lookup }),
    failedAuthentications: createFailedAuthentications({ perMinute, clock, observe }),
  }
}

async function assemble(parts: Parts, list: () => readonly UnreadyReason[]) {
  const { observe, metrics, database, audit, binding, closing } = parts
  registerMetrics(parts, list)
  const app = await buildApp(parts)
  const ops = buildOpsApp(metrics, list)
  /** `/readyz` answers 503, and each answer closes its connection; the listeners stay open. */
  const announceClosing = (): void => {
    closing.isAnnounced = true
    observe({ kind: 'closing' })
  }
  /** Finishes the requests in progress, then closes the connections to the database, and the ops listener last. */
  const close = async (): Promise<void> => {
    announceClosing()
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
    /** Repeats the audit of the database now; the service also repeats it every ten minutes. */
    repeatAudit: audit.repeat,
    announceClosing,
    close: () => (closed ??= close()),
  }
}
