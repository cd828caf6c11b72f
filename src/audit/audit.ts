import type { Config } from '../config.js'
import type { Database } from '../database/database.js'
import { isAccessDenied, isSchemaError, toCause } from '../database/errors.js'
import { readSchema } from '../database/schema.js'
import type { Schema } from '../database/schema.js'
import { toQuotedName } from '../database/sql.js'
import type { RunQuery } from '../database/statement.js'
import { AuditError, toErrorText } from '../errors.js'
import { Problem } from '../problems.js'
import { listErrors, sortFindings, toFindingText } from '../finding.js'
import type { Finding } from '../finding.js'
import { listMappedColumns, listMappedTables } from '../mapping/mapped-columns.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { resolveMapping } from '../mapping/resolve-mapping.js'
import type { ResolvedMapping } from '../mapping/resolve-mapping.js'
import { readAccount } from './account.js'
import type { Account } from './account.js'
import { readDefinitions } from './definitions.js'
import { evaluateAccount } from './evaluate-account.js'
import { evaluateDefinitions } from './evaluate-definitions.js'
import { evaluateChangeTimes, evaluateSchema } from './evaluate-schema.js'
import { evaluateVisible } from './evaluate-visible.js'
import { toRejectedFinding } from './rejected-statement.js'
import { ask } from './visible.js'

/** The result of an audit. */
export interface AuditResult {
  /** Without duplicates, errors first. */
  readonly findings: readonly Finding[]
  /** With issues where the mapping does not fit the schema, so that it cannot be served. */
  readonly resolved: ResolvedMapping
  readonly schema: Schema
  /** Undefined where the server rejected a statement of the audit. */
  readonly account: Account | undefined
}

/**
 * Audits the database, and resolves the mapping.
 *
 * @throws Problem when it does not answer.
 * Source: `docs/contract.md`, "Safeguards".
 */
export async function auditDatabase(mapping: Mapping, database: Database): Promise<AuditResult> {
  const { runCheckQuery } = database
  const schema = await readSchema(runCheckQuery, listMappedTables(mapping))
  const unreadable = await findUnreadable(mapping, runCheckQuery)
  const { account, found } = await auditAccount(mapping, database, schema)
  const resolved = resolveMapping(mapping, schema)
  const ofSchema = evaluateSchema(resolved.issues, mapping, schema, unreadable)
  const all = [...ofSchema, ...found, ...evaluateChangeTimes(mapping)]
  // With several roles the same is found several times.
  const findings = sortFindings(all, (one) => JSON.stringify(one))
  return { findings, resolved, schema, account }
}

/**
 * Evaluates what the account can do and see, on a session of its own, because the audit changes the roles of the session. A
 * server that rejects a statement of the audit gives a finding: without its rows nothing is proved.
 *
 * @throws Problem when the database does not answer.
 */
async function auditAccount(
  mapping: Mapping,
  database: Database,
  schema: Schema,
): Promise<{ readonly account: Account | undefined; readonly found: readonly Finding[] }> {
  try {
    return await database.runTask(async (runQuery) => {
      const { account, visible } = await readAccount(runQuery)
      const objects = await readDefinitions(runQuery, account, listMappedTables(mapping))
      // `evaluateSchema` reports a mapped table of which nothing can be read.
      const known = objects.filter((one) => one.text !== undefined || !one.mapped || schema.has(one.name))
      const fromLines = evaluateAccount(mapping, account)
      const fromServer = visible.flatMap((one) =>
        evaluateVisible(mapping, account, one, listErrors(fromLines).length > 0),
      )
      const columns = visible.flatMap((one) => one.columns)
      const ofDefinitions = evaluateDefinitions(mapping, { account, columns, objects: known })
      return { account, found: [...fromLines, ...fromServer, ...ofDefinitions] }
    })
  } catch (error) {
    const failure = await toRejectedFinding(error, database)
    if (failure === undefined) throw error
    return { account: undefined, found: [failure] }
  }
}

/**
 * Allows a start after an audit without errors, or under `AUDIT=warn` if the mapping can be served.
 *
 * @throws AuditError with every error.
 */
export function requireStartAllowed({ findings, resolved }: AuditResult, audit: Config['audit']): void {
  const errors = listErrors(findings)
  if (resolved.issues.length > 0 || (errors.length > 0 && audit === 'enforce'))
    throw new AuditError(errors.map(toFindingText))
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
      if (error instanceof Problem && !isAccessDenied(error) && !isSchemaError(error)) throw error
      reasons.set(table, toErrorText(toCause(error)))
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
  const names = columns.map(toQuotedName).join(', ')
  await ask(runQuery, `select ${names} from ${toQuotedName(table)} where 1 = 0`)
}
