import { renderGrants } from '../audit/grants-sql.js'
import { UsageError } from '../errors.js'
import type { Mapping } from '../mapping/mapping-schema.js'
import { parseDatabaseUrl } from '../values/addresses.js'

interface GrantsInput {
  readonly user: string
  readonly host: string
  /** Without it, the one that `DATABASE_URL` names; without that either, the statements name none. */
  readonly database: string | undefined
  readonly databaseUrl: string | undefined
  readonly requireTls: boolean
  readonly replicas: boolean
}

/**
 * The statements of `vitrine grants`; they come from the mapping alone, and no database is asked.
 *
 * @throws UsageError for a name that no statement can hold.
 */
export function printGrants(mapping: Mapping, { databaseUrl, ...input }: GrantsInput): string {
  const database = input.database ?? parseDatabaseUrl(databaseUrl ?? '')?.name
  requireName('--user', input.user)
  requireName('--host', input.host)
  if (database !== undefined) requireName('--database', database)
  return renderGrants(mapping, { ...input, database })
}

/** The servers take an empty user for every user and an empty host for every host. */
function requireName(option: string, name: string): void {
  if (name === '') throw new UsageError(`${option} is empty`)
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw new UsageError(`${option} ${JSON.stringify(name)} has a control character`)
}
