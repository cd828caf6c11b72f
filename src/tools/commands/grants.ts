import { probeColumns } from '../../audit/audit.js'
import { listBehindViews, listDifference, readComparison } from '../../audit/compare-grants.js'
import type { Comparison } from '../../audit/compare-grants.js'
import { isTable } from '../../audit/definitions.js'
import { isAdministrator } from '../../audit/evaluate-account.js'
import { describeForeignTable } from '../../audit/evaluate-schema.js'
import { renderGrants } from '../../audit/grants-sql.js'
import type { Grantee } from '../../audit/grants-sql.js'
import { readDatabaseUrl } from '../../config.js'
import type { Database } from '../../database/database.js'
import { isMissingColumn, isMissingTable, isViewInvalid, toCause } from '../../database/errors.js'
import { readSchema, readTables } from '../../database/schema.js'
import { toQuotedPlace } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { ConfigError, Problem, toErrorText, UsageError } from '../../errors.js'
import type { ConfigIssue } from '../../errors.js'
import { fillMapping, listMappedColumns } from '../../mapping/mapped-columns.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { loadConfiguration, loadConfiguredMapping, openDatabase } from '../../mapping/load-configuration.js'
import { parseDatabaseUrl } from '../../values/addresses.js'
import { renderHint } from './command.js'
import type { Variables } from './command.js'

type Account = Omit<Grantee, 'database'>

/**
 * The statements of `vitrine grants`.
 *
 * @param account with the database, undefined for the one in `DATABASE_URL`; without that too, the statements name none.
 * @throws ConfigError, also for a column that does not exist, where the user of `DATABASE_URL` can see that
 */
export async function printGrants(
  variables: Variables,
  account: Account & { readonly database?: string | undefined },
): Promise<string> {
  const mapping = await loadFilledMapping(variables, account.database)
  const database = account.database ?? parseDatabaseUrl(readDatabaseUrl(variables).text)?.name
  return renderGrants(mapping, { ...account, database })
}

/**
 * The mapping as the database of `DATABASE_URL` completes and checks it. It is as it was where there is no such database, or
 * no answer: `vitrine grants` often runs before its user exists.
 *
 * @param name of another database on the same server.
 * @throws ConfigError
 */
async function loadFilledMapping(variables: Variables, name: string | undefined): Promise<Mapping> {
  const mapping = await loadConfiguredMapping(variables)
  if (readDatabaseUrl(variables).issue.found === 'nothing') return mapping
  const { config } = await loadConfiguration(variables)
  const database = await openDatabase({
    ...config,
    database: { ...config.database, name: name ?? config.database.name },
  })
  try {
    return await fillExisting(mapping, database)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return mapping
  } finally {
    await database.close()
  }
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
  const database = await openDatabase(config)
  try {
    const mapping = await fillExisting(written, database)
    const reading = await database.runTask((runQuery) => readComparison(runQuery, mapping, input))
    requireComplete(reading)
    const { account, database: name, exists } = reading.account
    if (!exists) return renderGrants(mapping, { ...input, database: name }, listBehindViews(reading))
    const statements = listDifference(mapping, reading)
    if (statements.length === 0) return `-- ${account} holds what the mapping needs, and nothing else.\n`
    const head = `-- What ${account} holds differs from what the mapping needs. Run this as an administrator.`
    return `${[head, ...statements].join('\n')}\n`
  } finally {
    await database.close()
  }
}

/** A difference that is not complete would look like the whole. */
function requireComplete({ account, objects }: Comparison): void {
  if (isAdministrator(account))
    throw new UsageError(`${account.account} administers the server; Vitrine needs an account of its own`)
  if (account.unread > 0)
    throw new Error(`${account.unread} of the grants of ${account.account} could not be read`)
  const hidden = objects
    .filter((object) => object.text === undefined && !isTable(object))
    .map(({ database, name }) => toQuotedPlace(database, name))
  if (hidden.length > 0)
    throw new Error(`the user of DATABASE_URL cannot see the definition of ${hidden.join(', ')}`)
}

/** The mapping with its keys. @throws ConfigError where it names what does not exist: no GRANT could name it either */
async function fillExisting(written: Mapping, { runCheckQuery }: Database): Promise<Mapping> {
  const mapping = await fillMapping(written, runCheckQuery)
  const issues: ConfigIssue[] = []
  for (const { table, column, path, isAssumed } of listMappedColumns(mapping)) {
    if (isAssumed === true) continue
    try {
      await probeColumns(runCheckQuery, table, [column])
    } catch (error) {
      const issue = await toMissing(runCheckQuery, { table, column }, toCause(error))
      if (issue !== undefined) issues.push({ path, ...issue })
    }
  }
  if (issues.length > 0) throw new ConfigError(issues)
  return mapping
}

/** Undefined for an error that shows nothing: without a privilege on the whole table, the server denies any name. */
async function toMissing(
  runQuery: RunQuery,
  { table, column }: { readonly table: string; readonly column: string },
  error: unknown,
): Promise<Pick<ConfigIssue, 'found' | 'allowed'> | undefined> {
  if (isViewInvalid(error))
    return {
      found: `the view ${table}, which cannot be read: ${toErrorText(error)}`,
      allowed: 'a view whose DEFINER exists and can read its tables',
    }
  const hint = (typed: string, all: Iterable<{ readonly name: string }>): string =>
    renderHint(
      typed,
      [...all].map(({ name }) => name),
    )
  if (isMissingTable(error)) {
    const [problem, fix] = describeForeignTable(table)
    if (table.includes('.')) return { found: `${table}, ${problem}`, allowed: fix }
    const allowed = `a table or view${hint(table, await readTables(runQuery))}`
    return { found: `the table ${table}, which does not exist`, allowed }
  }
  if (!isMissingColumn(error)) return undefined
  const columns = (await readSchema(runQuery, [table])).get(table)?.columns.values() ?? []
  const allowed = `a column of ${table}${hint(column, columns)}`
  return { found: `${table}.${column}, which does not exist`, allowed }
}
