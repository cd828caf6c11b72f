import type { Logger } from 'pino'
import { auditDatabase, evaluateAudit, readAudited, requireStartAllowed } from '../audit/audit.js'
import type { AuditResult } from '../audit/audit.js'
import { requireStatements } from '../audit/rejected-statement.js'
import { repeatAudit } from '../audit/repeat-audit.js'
import type { RepeatedAudit } from '../audit/repeat-audit.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import type { RunQuery, RunStatement } from '../database/statement.js'
import type { Served } from '../api/app.js'
import type { FailedAuthentications } from '../api/rate-limits.js'
import { fillMapping } from '../mapping/fill-keys.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { buildAuthenticate } from './build-authenticate.js'
import { logFinding, logSchemaEvent, logServer } from './log-events.js'
import { readSchemaState } from './schema-state.js'
import type { SchemaReading } from './schema-state.js'
import { watchSchema } from './watch-schema.js'
import type { SchemaWatch } from './watch-schema.js'

/** A mapping file that the database fits, and everything that depends on it. */
export interface BoundMapping extends Served {
  /** As the file says it. */
  readonly mapping: Mapping
  readonly audit: RepeatedAudit
  readonly schema: SchemaWatch
  readonly measureKeys: ReturnType<typeof buildAuthenticate>['measureKeys']
  /** Runs the statements of requests. */
  readonly runQuery: RunStatement
  /** Ends the repeated checks. */
  readonly stop: () => void
}

/** What a mapping is bound with. */
export interface BindInput {
  readonly config: Config
  readonly log: Logger
  /** Milliseconds since 1970; keys are validated by it. */
  readonly clock: Clock
  /** Milliseconds of a clock that never steps back; cached rows age by it. */
  readonly ageClock: Clock
  readonly database: Database
  readonly failedAuthentications: FailedAuthentications
}

/** A mapping whose audit permits to serve it. */
export interface AuditedMapping {
  /** As the file says it. */
  readonly given: Mapping
  /** With the keys of its lookups. */
  readonly mapping: Mapping
  readonly audited: AuditResult
  readonly reading: SchemaReading
}

/**
 * Reads everything that a start needs of a database, the account beside the tables, and audits it.
 *
 * @throws AuditError, or Problem when the database does not answer.
 */
export async function auditMapping(
  given: Mapping,
  database: Database,
  { config, log }: Pick<BindInput, 'config' | 'log'>,
): Promise<AuditedMapping> {
  const [account, { mapping, reading }] = await requireStatements(database, () =>
    Promise.all([readAudited(given, database), readMapping(given, database.runCheckQuery)]),
  )
  const audited = evaluateAudit(mapping, reading, account)
  requireStartAllowed(audited, config.audit)
  for (const finding of audited.findings) logFinding(log, finding)
  if (audited.account !== undefined) logServer(log, audited.account)
  return { given, mapping, audited, reading }
}

async function readMapping(
  given: Mapping,
  runQuery: RunQuery,
): Promise<Pick<AuditedMapping, 'mapping' | 'reading'>> {
  const mapping = await fillMapping(given, runQuery)
  return { mapping, reading: await readSchemaState(mapping, runQuery) }
}

/** Makes what serves an audited mapping. */
export function bindMapping(
  input: BindInput,
  { given, mapping, audited, reading }: AuditedMapping,
): BoundMapping {
  const { config, log, database } = input
  const audit = startRepeatedAudit(input, mapping, audited.findings)
  const schema = watchSchema({
    mapping,
    reading,
    runQuery: database.runCheckQuery,
    everyMs: config.schemaCheckMs,
    onEvent: (event) => {
      logSchemaEvent(log, event)
      // The last audit evaluated the earlier schema.
      void audit.repeat()
    },
  })
  const runQuery = schema.checkAfterErrors(database.runQuery)
  return {
    mapping: given,
    audit,
    schema,
    collections: schema.collections,
    ...buildAuthenticate({ ...input, mapping, schema, runQuery }),
    runQuery,
    stop: () => {
      audit.stop()
      schema.stop()
    },
  }
}

function startRepeatedAudit(
  { log, clock, database }: BindInput,
  mapping: Mapping,
  known: Parameters<typeof repeatAudit>[0]['known'],
): RepeatedAudit {
  return repeatAudit({
    known,
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
