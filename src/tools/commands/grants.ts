import { listBehindViews, listDifference, listHiddenViews, readAccount } from '../../audit/compare-grants.js'
import type { AccountReading } from '../../audit/compare-grants.js'
import { isAdministrator } from '../../audit/evaluate-grants.js'
import { renderGrants } from '../../audit/grants-sql.js'
import type { Grantee } from '../../audit/grants-sql.js'
import { toCause } from '../../database/errors.js'
import { toQuotedPlace } from '../../database/sql.js'
import { readDatabaseUrl } from '../../config.js'
import { Problem, toErrorText, UsageError } from '../../errors.js'
import { fillMapping, listLookupOptions, needsPrimary } from '../../mapping/fill-keys.js'
import type { Mapping } from '../../mapping/mapping-schema.js'
import { loadConfiguration, loadConfiguredMapping, openDatabase } from '../../service/load-configuration.js'
import { parseDatabaseUrl } from '../../values/addresses.js'
import type { Variables } from './run-command.js'

type Account = Omit<Grantee, 'database'>

/**
 * The statements of `vitrine grants`.
 *
 * @param account with the database, undefined for the one in `DATABASE_URL`; without that too, the statements name none.
 * @throws ConfigError
 */
export async function printGrants(
  variables: Variables,
  account: Account & { readonly database?: string | undefined },
): Promise<string> {
  const { mapping, ...advice } = await loadFilledMapping(variables, account.database)
  const database = account.database ?? parseDatabaseUrl(readDatabaseUrl(variables).text)?.name
  return renderGrants(mapping, { ...account, database, ...advice })
}

/**
 * The mapping with the primary keys that it leaves to the database of `DATABASE_URL`. It is as it was where there is no such
 * database, or no answer: `vitrine grants` often runs before its user exists.
 *
 * @param name of another database on the same server.
 * @throws ConfigError
 */
async function loadFilledMapping(
  variables: Variables,
  name: string | undefined,
): Promise<{ mapping: Mapping } & Pick<Grantee, 'keyAdvice'>> {
  const mapping = await loadConfiguredMapping(variables)
  const isOffline = readDatabaseUrl(variables).issue.found === 'nothing'
  if (isOffline || !listLookupOptions(mapping).some(needsPrimary)) return { mapping }
  const { config } = await loadConfiguration(variables)
  const database = await openDatabase({
    ...config,
    database: { ...config.database, name: name ?? config.database.name },
  })
  const unseen =
    'name the key of the lookup in the mapping file: the user of DATABASE_URL sees no primary key of one column'
  try {
    return { mapping: await fillMapping(mapping, database.runCheckQuery), keyAdvice: unseen }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const cause = toErrorText(toCause(error))
    return { mapping, keyAdvice: `correct DATABASE_URL, which gave no answer: ${cause}` }
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
    const mapping = await fillMapping(written, database.runCheckQuery)
    const [reading] = await database.forEachHost((runQuery) => readAccount(runQuery, mapping, input))
    if (reading === undefined) throw new Error('no host of DATABASE_URL answers')
    requireComplete(reading)
    const { account, database: name } = reading.privileges
    if (!reading.exists) return renderGrants(mapping, { ...input, database: name }, listBehindViews(reading))
    const statements = listDifference(mapping, input, reading)
    if (statements.length === 0) return `-- ${account} holds what the mapping needs, and nothing else.\n`
    const head = `-- What ${account} holds differs from what the mapping needs. Run this as an administrator.`
    return `${[head, ...statements].join('\n')}\n`
  } finally {
    await database.close()
  }
}

/** A difference that is not complete would look like the whole. */
function requireComplete(reading: AccountReading): void {
  const { account, unparsedLines } = reading.privileges
  if (isAdministrator(reading.privileges))
    throw new UsageError(`${account} administers the server; Vitrine needs an account of its own`)
  if (unparsedLines > 0) throw new Error(`${unparsedLines} of the grants of ${account} could not be parsed`)
  const hidden = listHiddenViews(reading).map(({ database, name }) => toQuotedPlace(database, name))
  if (hidden.length > 0)
    throw new Error(`the user of DATABASE_URL cannot see the definition of ${hidden.join(', ')}`)
}
