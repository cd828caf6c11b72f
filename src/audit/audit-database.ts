import { judge, readHostFacts } from './audit.js'
import type { HostFacts } from './audit.js'
import { listErrors, toFindingText } from './finding.js'
import type { Finding } from './finding.js'
import { toSchemaFindings } from './judge-columns.js'
import { renderColumnsProbe } from './privileges-sql.js'
import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { isAccessDenied, isSchemaError } from '../database/driver-errors.js'
import { readSchema } from '../database/read-schema.js'
import type { Schema } from '../database/read-schema.js'
import { AuditError, Problem, SchemaError } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { resolveMapping } from '../mapping/bind-mapping.js'
import type { ResolvedMapping } from '../mapping/bound.js'
import { listMappedColumns, listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'

/** The database as the audit found it. */
export interface Audited {
  /** Errors first. */
  readonly findings: readonly Finding[]
  /** Undefined where the mapping and the schema disagree, so that nothing can be served. */
  readonly bound: ResolvedMapping | undefined
  readonly schema: Schema
  readonly hosts: readonly HostFacts[]
}

/** Audits every host that answers, and resolves the mapping. @throws Problem when none answers. */
export async function auditDatabase(mapping: Mapping, database: Database): Promise<Audited> {
  const schema = await readSchema(database.runCheckQuery, listMappedTables(mapping))
  const { bound, faults } = tryToBind(mapping, schema)
  const { hosts, failure } = await readHosts(mapping, database)
  const findings = [
    ...(bound === undefined ? [] : await probeTables(mapping, database)),
    ...(failure === undefined ? [] : [failure]),
    ...judge({ mapping, schema, faults, hosts }),
    // Without a host's facts, what fixes them is not known; they stop the start all the same.
    ...(hosts.length === 0 ? toSchemaFindings(faults, mapping, { schema, privileges: undefined }) : []),
  ]
  return { findings, bound, schema, hosts }
}

/**
 * The mapping of an audit that lets the service start.
 *
 * @throws AuditError with every error, unless `AUDIT=warn` and the mapping can be served.
 */
export function requireAudited({ findings, bound }: Audited, audit: Config['audit']): ResolvedMapping {
  const errors = listErrors(findings)
  if (bound === undefined || (errors.length > 0 && audit === 'enforce'))
    throw new AuditError(errors.map(toFindingText))
  return bound
}

function tryToBind(
  mapping: Mapping,
  schema: Schema,
): { bound: ResolvedMapping | undefined; faults: readonly ConfigIssue[] } {
  try {
    return { bound: resolveMapping(mapping, schema), faults: [] }
  } catch (error) {
    if (error instanceof SchemaError) return { bound: undefined, faults: error.issues }
    throw error
  }
}

/**
 * Reads no row of each mapped table, by its mapped columns: a view whose definer is gone, or whose reader may not read
 * the table behind it, has its columns, and cannot be read all the same.
 */
async function probeTables(mapping: Mapping, database: Database): Promise<readonly Finding[]> {
  const mapped = listMappedColumns(mapping)
  const findings: Finding[] = []
  // One after the other, since the pool and the queue may be as small as one.
  for (const table of listMappedTables(mapping)) {
    const columns = mapped.filter((one) => one.table === table).map(({ column }) => column)
    try {
      await database.runCheckQuery(renderColumnsProbe(table, [...new Set(columns)]))
    } catch (error) {
      const cause = error instanceof Problem ? error.cause : error
      if (!isAccessDenied(cause) && !isSchemaError(cause) && error instanceof Problem) throw error
      findings.push(toUnreadableFinding(table, cause))
    }
  }
  return findings
}

function toUnreadableFinding(table: string, cause: unknown): Finding {
  return {
    severity: 'error',
    object: table,
    privilege: 'SELECT',
    problem: `cannot be read: ${cause instanceof Error ? cause.message : 'the server refuses it'}`,
    fix: 'grant what vitrine grants prints; a view must have SQL SECURITY DEFINER, and its DEFINER must exist and may read its tables',
  }
}

/** A server that cannot tell its grants proves nothing, which is a finding and no fault of ours. */
async function readHosts(
  mapping: Mapping,
  database: Database,
): Promise<{ hosts: readonly HostFacts[]; failure: Finding | undefined }> {
  try {
    return { hosts: await database.visitHosts((ask) => readHostFacts(mapping, ask)), failure: undefined }
  } catch (error) {
    if (error instanceof Problem) throw error
    return {
      hosts: [],
      failure: {
        severity: 'error',
        object: 'the server',
        privilege: 'SHOW GRANTS',
        problem: `does not tell what the user may do: ${error instanceof Error ? error.message : String(error)}`,
        fix: 'prove the grants by other means, then start with AUDIT=warn',
      },
    }
  }
}
