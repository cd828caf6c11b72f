import { renderGrants } from '../audit/grants-sql.js'
import { UsageError } from '../errors.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { parseDatabaseUrl } from '../values/addresses.js'

interface GrantsInput {
  readonly user: string
  readonly host: string
  /** Undefined for the one in `DATABASE_URL`; without that too, the statements name none. */
  readonly database: string | undefined
  readonly databaseUrl: string | undefined
  readonly requireTls: boolean
  readonly replicas: boolean
}

/**
 * The statements of `vitrine grants`, from the mapping only: nothing connects to the database.
 *
 * @throws UsageError for a name that statements cannot contain.
 */
export function printGrants(mapping: Mapping, { databaseUrl, ...input }: GrantsInput): string {
  const database = input.database ?? parseDatabaseUrl(databaseUrl ?? '')?.name
  requireName('--user', input.user)
  requireName('--host', input.host)
  if (database !== undefined) requireName('--database', database)
  return renderGrants(mapping, { ...input, database })
}

/** For the servers, an empty user means every user and an empty host every host. */
function requireName(option: string, name: string): void {
  if (name === '') throw new UsageError(`${option} is empty`)
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw new UsageError(`${option} ${JSON.stringify(name)} has a control character`)
}
