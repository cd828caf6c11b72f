import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { isAccessDenied, isMissingIndex, isSchemaError } from '../database/errors.js'
import { readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import type { RunQuery } from '../database/statement.js'
import { AuditError, Problem, SchemaError, unwrapProblem } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { resolveMapping } from '../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../mapping/resolve-mapping.js'
import { listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { toTableKey } from './mapped-tables.js'
import { indexHintStatement, renderTableProbe } from './audit-sql.js'
import { readDefinitions } from './definitions.js'
import type { DefinedObject } from './definitions.js'
import { evaluateChangeTimes, toSchemaFindings } from './evaluate-columns.js'
import { evaluateDefinitions } from './evaluate-definitions.js'
import { evaluateGrants } from './evaluate-grants.js'
import { createError } from '../tools/report/report.js'
import { listErrors, toFindingText } from './finding.js'
import type { Finding } from './finding.js'
import { listMisspelled, withoutMisspelled } from './misspelled.js'
import type { Misspelled } from './misspelled.js'
import { readPrivileges } from './privileges.js'
import type { Privileges } from './privileges.js'
import { evaluateReach } from './evaluate-reach.js'
import { readSchemaPrivileges, readVisible } from './reach.js'
import type { Reach } from './reach.js'
import { toRejectedFinding } from './rejected-statement.js'

/** The result of an audit. */
export interface AuditResult {
  /** Without duplicates, errors first. */
  readonly findings: readonly Finding[]
  /** Undefined where the mapping does not fit the schema, so that it cannot be served. */
  readonly resolved: ResolvedMapping | undefined
  readonly schema: Schema
  readonly hosts: readonly HostReading[]
}

/** What the audit read at one host. */
export interface HostReading {
  readonly privileges: Privileges
  readonly reach: Reach
  /** The mapping's tables and views, and what the views read. */
  readonly objects: readonly DefinedObject[]
}

/** The mapped tables as they were read at the freshest host. */
export interface MappedTables {
  readonly schema: Schema
  /** Why tables cannot be read, although the schema shows their columns. */
  readonly unreadable: ReadonlyMap<string, string>
}

/**
 * Audits every host that answers, and resolves the mapping. A host that does not answer is skipped.
 *
 * @throws Problem when no host answers.
 * Source: `docs/contract.md`, "Safeguards".
 */
export async function auditDatabase(mapping: Mapping, database: Database): Promise<AuditResult> {
  const [tables, hosts] = await Promise.all([
    readMappedTables(mapping, database),
    readHosts(mapping, database),
  ])
  return evaluateAudit(mapping, tables, hosts)
}

async function readMappedTables(mapping: Mapping, { runCheckQuery }: Database): Promise<MappedTables> {
  const schema = await readSchema(runCheckQuery, listMappedTables(mapping))
  return { schema, unreadable: await findUnreadable(mapping, runCheckQuery) }
}

/** The findings of what was read, and the resolved mapping. */
export function evaluateAudit(
  mapping: Mapping,
  { schema, unreadable }: MappedTables,
  { hosts, failure }: HostReadings,
): AuditResult {
  const { resolved, issues } = tryToResolve(mapping, schema)
  const findings = [
    ...(resolved === undefined ? [] : [...unreadable].map(toUnreadableFinding)),
    ...(failure === undefined ? [] : [failure]),
    // Where no host gives its privileges, `undefined` stands for them: the fixes are less exact then.
    ...(hosts.length === 0 ? [undefined] : hosts).flatMap((host) => {
      const misspelled = listMisspelled(issues, mapping, schema, listTables(host))
      const advisers = { privileges: host?.privileges, misspelled }
      return [
        ...toSchemaFindings(issues, mapping, { schema, ...advisers }),
        ...(host === undefined ? [] : evaluateHost(mapping, schema, { ...host, misspelled })),
      ]
    }),
    ...evaluateChangeTimes(mapping),
  ]
  const unique = [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()]
  const warnings = unique.filter(({ severity }) => severity === 'warning')
  return { findings: [...listErrors(unique), ...warnings], resolved, schema, hosts }
}

/**
 * Allows a start after an audit without errors, or under `AUDIT=warn` if the mapping can be served.
 *
 * @throws AuditError with every error.
 */
export function requireStartAllowed({ findings, resolved }: AuditResult, audit: Config['audit']): void {
  const errors = listErrors(findings)
  if (resolved === undefined || (errors.length > 0 && audit === 'enforce'))
    throw new AuditError(errors.map(toFindingText))
}

function tryToResolve(
  mapping: Mapping,
  schema: Schema,
): { resolved: ResolvedMapping | undefined; issues: readonly ConfigIssue[] } {
  try {
    return { resolved: resolveMapping(mapping, schema), issues: [] }
  } catch (error) {
    if (error instanceof SchemaError) return { resolved: undefined, issues: error.issues }
    throw error
  }
}

/** What the audit read at the hosts that answer. */
export interface HostReadings {
  readonly hosts: readonly HostReading[]
  readonly failure: Finding | undefined
}

/**
 * Reads what the account can do and see at each host, over two sessions side by side. A server that rejects a statement of
 * the audit gives a finding: without its rows nothing is proved.
 *
 * @throws Problem when no host answers.
 */
export async function readHosts(mapping: Mapping, database: Database): Promise<HostReadings> {
  try {
    const [readings, schemas] = await Promise.all([
      database.forEachHost(async (run, host) => ({ host, ...(await readHost(mapping, run)) })),
      database.forEachHost(async (run, host) => {
        const privileges = await readPrivileges(run)
        return [host, await readSchemaPrivileges(run, privileges)] as const
      }),
    ])
    const schemasOf = new Map(schemas)
    const hosts = readings.flatMap(({ host, reach, ...reading }): readonly HostReading[] => {
      const known = schemasOf.get(host)
      return known === undefined ? [] : [{ ...reading, reach: { ...reach, schemas: known } }]
    })
    return { hosts, failure: undefined }
  } catch (error) {
    const failure = await toRejectedFinding(error, database)
    if (failure === undefined) throw error
    return { hosts: [], failure }
  }
}

/** @param runQuery runs statements on a session of its own, because the task changes the roles of the session. */
async function readHost(mapping: Mapping, runQuery: RunQuery) {
  await requireIndexHint(runQuery)
  const privileges = await readPrivileges(runQuery)
  const reach = await readVisible(runQuery, privileges)
  const { database, casedTables } = privileges
  const computed = new Set(
    reach.columns
      .filter(({ expression }) => expression.includes('`'))
      .map(({ table }) => toTableKey(table, casedTables)),
  )
  const tables = listMappedTables(mapping)
  const objects = await readDefinitions(runQuery, { database, casedTables, tables, computed })
  return { privileges, reach, objects }
}

async function requireIndexHint(runQuery: RunQuery): Promise<void> {
  try {
    await runQuery(indexHintStatement)
  } catch (error) {
    if (!isMissingIndex(error)) throw error
  }
}

/** The tables and views of the database that the account can see. */
function listTables(host: HostReading | undefined): readonly string[] {
  const objects = host?.reach.objects ?? []
  return objects.flatMap(({ database, name, type }) =>
    type === 'table' && database === host?.privileges.database ? [name] : [],
  )
}

function evaluateHost(
  mapping: Mapping,
  schema: Schema,
  host: HostReading & { readonly misspelled: readonly Misspelled[] },
): readonly Finding[] {
  const grants = evaluateGrants(mapping, withoutMisspelled(host.privileges, host.misspelled))
  // `toSchemaFindings` reports a mapped table of which nothing can be read.
  const objects = host.objects.filter(
    ({ name, mapped, definition }) => definition.kind !== 'hidden' || !mapped || schema.has(name),
  )
  return [
    ...grants,
    ...evaluateReach(mapping, host, grants),
    ...evaluateDefinitions(mapping, { ...host, objects }),
  ]
}

/**
 * Selects the mapped columns of each table under a condition that no row meets. The columns of a view are visible even
 * where the view cannot be read, because its DEFINER does not exist or its reader may not read the table behind it.
 *
 * @returns why some tables cannot be read. @throws Problem when the database does not answer.
 */
export async function findUnreadable(
  mapping: Mapping,
  runQuery: RunQuery,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>()
  // One after the other, so that a check opens no more sessions than it needs.
  for (const table of listMappedTables(mapping)) {
    try {
      await runQuery(renderTableProbe(mapping, table))
    } catch (error) {
      const cause = unwrapProblem(error)
      if (!isAccessDenied(cause) && !isSchemaError(cause) && error instanceof Problem) throw error
      reasons.set(table, cause instanceof Error ? cause.message : 'the server denies it')
    }
  }
  return reasons
}

function toUnreadableFinding([table, reason]: readonly [string, string]): Finding {
  const fix =
    'grant what vitrine grants prints; a view must have SQL SECURITY DEFINER, and its DEFINER must exist and be able to read its tables'
  return { ...createError(table, `cannot be read: ${reason}`, fix), privilege: 'SELECT' }
}
