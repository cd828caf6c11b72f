import { probeColumns } from '../../audit/audit.js'
import {
  listBehindViews,
  listDifference,
  readComparison,
  readMappedObjects,
} from '../../audit/compare-grants.js'
import type { Comparison } from '../../audit/compare-grants.js'
import { isOfServer, isTable } from '../../audit/definitions.js'
import { isAdministrator } from '../../audit/evaluate-account.js'
import { describeForeignTable } from '../../audit/evaluate-schema.js'
import { renderGrants } from '../../audit/grants-sql.js'
import type { Grantee } from '../../audit/grants-sql.js'
import { renderHint } from '../../client/text.js'
import { readDatabaseUrl } from '../../config.js'
import type { Database } from '../../database/database.js'
import {
  isAccessDenied,
  isMissingColumn,
  isMissingTable,
  isViewInvalid,
  toCause,
} from '../../database/errors.js'
import { readSchema, readTables } from '../../database/schema.js'
import { toQuotedPlace } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { ConfigError, toErrorText, UsageError } from '../../errors.js'
import { Problem } from '../../problems.js'
import type { ConfigIssue } from '../../errors.js'
import { fillMapping, listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { loadConfiguration, loadConfiguredMapping } from '../../mapping/load-configuration.js'
import { toFailureText } from './command.js'
import type { Variables } from './command.js'
import { withDatabase } from './with-database.js'

type Account = Omit<Grantee, 'database'>

/**
 * The statements of `vitrine grants`. The database of `DATABASE_URL` completes and checks the mapping; without one, or without
 * an answer, the mapping is as it was, because `vitrine grants` often runs before its user exists.
 *
 * @throws ConfigError, also for a column that does not exist
 */
export async function printGrants(variables: Variables, account: Account): Promise<string> {
  const mapping = await loadConfiguredMapping(variables)
  if (readDatabaseUrl(variables).issue.found === 'nothing')
    return renderGrants(mapping, { ...account, database: undefined })
  const { config } = await loadConfiguration(variables)
  const read = async (database: Database) => ({
    ...(await fillExisting(mapping, database)),
    objects: await database.runTask((runQuery) => readMappedObjects(runQuery, mapping)),
  })
  const filled = await withDatabase(config, read).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    return { mapping, unread: toFailureText(error), objects: [] }
  })
  const head = filled.unread && `-- Not every name was compared with the database. ${filled.unread}\n`
  const { objects } = filled
  const behindViews =
    objects.length === 0 || listHidden(objects).length > 0 ? undefined : listBehindViews(objects)
  return `${head}${renderGrants(filled.mapping, { ...account, database: config.database.name }, behindViews)}`
}

/**
 * The statements of `vitrine grants --compare`: what differs between the grants of the account and the mapping, or all of
 * them where there is no such account.
 *
 * @param variables of the environment; the user of `DATABASE_URL` must be able to see the grants of the account.
 * @throws ConfigError, UsageError for an account that administers the server,
 * or Error where what the server shows is not complete.
 */
export async function compareGrants(variables: Variables, input: Account): Promise<string> {
  const { config, mapping: written } = await loadConfiguration(variables)
  const { mapping, reading } = await withDatabase(config, async (database) => {
    const { mapping: filled } = await fillExisting(written, database)
    return {
      mapping: filled,
      reading: await database.runTask((runQuery) => readComparison(runQuery, filled, input)),
    }
  })
  requireComplete(reading)
  const { account, database: name, exists } = reading.account
  if (!exists) return renderGrants(mapping, { ...input, database: name }, listBehindViews(reading.objects))
  const statements = listDifference(mapping, reading)
  if (statements.length === 0) return `-- ${account} holds what the mapping needs, and nothing else.\n`
  const head = `-- What ${account} holds differs from what the mapping needs. Run this as an administrator, if only Vitrine uses it.`
  return `${[head, ...statements].join('\n')}\n`
}

/** A difference that is not complete would look like the whole. */
function requireComplete({ account, objects }: Comparison): void {
  if (isAdministrator(account))
    throw new UsageError(`${account.account} administers the server; Vitrine needs an account of its own`)
  if (account.unread > 0)
    throw new Error(`${account.unread} of the grants of ${account.account} could not be read`)
  const hidden = listHidden(objects)
  if (hidden.length > 0)
    throw new Error(`the user of DATABASE_URL cannot see the definition of ${hidden.join(', ')}`)
}

/** The views whose definition the user of DATABASE_URL cannot see. */
function listHidden(objects: Comparison['objects']): readonly string[] {
  return objects
    .filter((object) => object.text === undefined && !isTable(object) && !isOfServer(object))
    .map(({ database, name }) => toQuotedPlace(database, name))
}

/**
 * The mapping with its keys, and a sentence about the columns that the user may not read, which may be misspelled.
 *
 * @throws ConfigError where it names what does not exist: no GRANT could name it either
 */
async function fillExisting(written: Mapping, { runCheckQuery }: Database) {
  const mapping = await fillMapping(written, runCheckQuery)
  const issues: ConfigIssue[] = []
  const denied: string[] = []
  for (const { table, column, path, isAssumed } of listMappedColumns(mapping)) {
    if (isAssumed) continue
    const error = await probeColumns(runCheckQuery, table, [column]).catch((failure: unknown) => failure)
    if (error === undefined) continue
    const isOfKeys = table === written.apiKeys.table
    const missing = await describeMissing(runCheckQuery, { table, column, isOfKeys }, error)
    // A table that is missing or cannot be read is so for each of its columns.
    if (missing === undefined) denied.push(`${table}.${column}`)
    else if (!issues.some(({ found }) => found === missing.found)) issues.push({ path, ...missing })
  }
  if (issues.length > 0) throw new ConfigError(issues)
  const names = denied.length > 5 ? `${denied.length} of them` : denied.join(', ')
  return { mapping, unread: names && `The user of DATABASE_URL may not read ${names}.` }
}

/**
 * Undefined for a denial, which shows nothing: without a privilege on the whole table, the server denies any name.
 *
 * @throws the error, where it is about neither
 */
async function describeMissing(
  runQuery: RunQuery,
  { table, column, isOfKeys }: { table: string; column: string; isOfKeys: boolean },
  error: unknown,
): Promise<Pick<ConfigIssue, 'found' | 'allowed'> | undefined> {
  if (isViewInvalid(error))
    return {
      found: `the view ${table}, which cannot be read: ${toErrorText(toCause(error))}`,
      allowed: 'a view whose DEFINER exists and can read its tables',
    }
  if (isMissingTable(error)) {
    const [problem, fix] = describeForeignTable(table)
    if (table.includes('.')) return { found: `${table}, ${problem}`, allowed: fix }
    const tables = (await readTables(runQuery)).map(({ name }) => name)
    const make = isOfKeys ? '; make it with what `vitrine key --table` prints' : ''
    const allowed = `a table or view${renderHint(table, tables)}${make}`
    return { found: `the table ${table}, which does not exist`, allowed }
  }
  if (isAccessDenied(error)) return undefined
  if (!isMissingColumn(error)) throw error
  const columns = (await readSchema(runQuery, [table])).get(table)?.columns.values() ?? []
  const names = [...columns].map(({ name }) => name)
  const hint = renderHint(column, names)
  return { found: `${table}.${column}, which does not exist`, allowed: `a column of ${table}${hint}` }
}
