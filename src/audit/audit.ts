import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { isAccessDenied, isMissingIndex, isSchemaError } from '../database/errors.js'
import { readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import { toQuotedName } from '../database/sql.js'
import type { RunQuery } from '../database/statement.js'
import { AuditError, Problem, SchemaError, unwrapProblem } from '../errors.js'
import type { ConfigIssue } from '../errors.js'
import { listErrors, toFindingText } from '../finding.js'
import type { Finding } from '../finding.js'
import { listMappedColumns, listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { resolveMapping } from '../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../mapping/resolve-mapping.js'
import { ask, readAccount } from './account.js'
import type { Account } from './account.js'
import { readDefinitions } from './definitions.js'
import type { DefinedObject } from './definitions.js'
import { evaluateAccount } from './evaluate-account.js'
import { evaluateDefinitions } from './evaluate-definitions.js'
import { evaluateChangeTimes, evaluateSchema } from './evaluate-schema.js'
import type { MappedTables } from './evaluate-schema.js'
import { evaluateVisible } from './evaluate-visible.js'
import { toRejectedFinding } from './rejected-statement.js'
import { readVisible, unique } from './visible.js'
import type { Visible } from './visible.js'

/** The result of an audit. */
export interface AuditResult {
  /** Without duplicates, errors first. */
  readonly findings: readonly Finding[]
  /** Undefined where the mapping does not fit the schema, so that it cannot be served. */
  readonly resolved: ResolvedMapping | undefined
  readonly schema: Schema
  /** Undefined where the server rejected a statement of the audit. */
  readonly account: Account | undefined
}

/** What the account can do and see, and the definitions of the tables and views that the mapping reads. */
interface AccountReading {
  readonly account: Account
  readonly visible: Visible
  readonly objects: readonly DefinedObject[]
}

/**
 * Audits the database, and resolves the mapping.
 *
 * @throws Problem when it does not answer.
 * Source: `docs/contract.md`, "Safeguards".
 */
export async function auditDatabase(mapping: Mapping, database: Database): Promise<AuditResult> {
  const { runCheckQuery } = database
  const readMappedTables = async (): Promise<MappedTables> => ({
    schema: await readSchema(runCheckQuery, listMappedTables(mapping)),
    unreadable: await findUnreadable(mapping, runCheckQuery),
  })
  const [tables, reading] = await Promise.all([readMappedTables(), readAudited(mapping, database)])
  const { resolved, issues } = tryToResolve(mapping, tables.schema)
  const account = 'account' in reading ? reading.account : undefined
  const findings = unique([
    ...('account' in reading ? [] : [reading]),
    ...evaluateSchema(issues, mapping, tables, account),
    ...('account' in reading ? evaluateReading(mapping, tables.schema, reading) : []),
    ...evaluateChangeTimes(mapping),
  ])
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  return { findings: [...listErrors(findings), ...warnings], resolved, schema: tables.schema, account }
}

function evaluateReading(
  mapping: Mapping,
  schema: Schema,
  { account, visible, objects }: AccountReading,
): readonly Finding[] {
  const fromLines = evaluateAccount(mapping, account)
  // `evaluateSchema` reports a mapped table of which nothing can be read.
  const known = objects.filter(({ name, mapped, text }) => text !== undefined || !mapped || schema.has(name))
  return [
    ...fromLines,
    ...evaluateVisible(mapping, account, visible, fromLines),
    ...evaluateDefinitions(mapping, { account, visible, objects: known }),
  ]
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

/**
 * Reads what the account can do and see, on a session of its own, because the audit changes the roles of the session. A
 * server that rejects a statement of the audit gives a finding: without its rows nothing is proved.
 *
 * @throws Problem when the database does not answer.
 */
async function readAudited(mapping: Mapping, database: Database): Promise<AccountReading | Finding> {
  try {
    return await database.runTask(async (runQuery) => {
      await requireIndexHint(runQuery)
      const account = await readAccount(runQuery)
      const visible = await readVisible(runQuery, account)
      return {
        account,
        visible,
        objects: await readDefinitions(runQuery, account, listMappedTables(mapping)),
      }
    })
  } catch (error) {
    const failure = await toRejectedFinding(error, database)
    if (failure === undefined) throw error
    return failure
  }
}

/** A server that has FORCE INDEX, which lists need, rejects only the index. */
async function requireIndexHint(runQuery: RunQuery): Promise<void> {
  const sql = 'select 1 as `one` from information_schema.tables force index (`vitrine-none`) where 1 = 0'
  try {
    await ask(runQuery, sql)
  } catch (error) {
    if (!isMissingIndex(error)) throw error
  }
}

/**
 * Selects the mapped columns of each table under a condition that no row meets.
 *
 * @returns why some tables cannot be read. @throws Problem when the database does not answer.
 */
async function findUnreadable(mapping: Mapping, runQuery: RunQuery): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>()
  const columns = listMappedColumns(mapping)
  // One after the other, so that a check opens no more sessions than it needs.
  for (const table of listMappedTables(mapping)) {
    const names = new Set(columns.flatMap((one) => (one.table === table ? [one.column] : [])))
    try {
      await probeColumns(runQuery, table, [...names])
    } catch (error) {
      const cause = unwrapProblem(error)
      if (!isAccessDenied(cause) && !isSchemaError(cause) && error instanceof Problem) throw error
      reasons.set(table, cause instanceof Error ? cause.message : 'the server denies it')
    }
  }
  return reasons
}

/** Selects columns of a table, and no row. It requires SELECT on each and, for a view, what the view requires. */
export async function probeColumns(
  runQuery: RunQuery,
  table: string,
  columns: readonly string[],
): Promise<void> {
  await ask(
    runQuery,
    `select ${columns.map(toQuotedName).join(', ')} from ${toQuotedName(table)} where 1 = 0`,
  )
}
