import { renderGrants } from '../audit/grants-sql.js'
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

/** The statements of `vitrine grants`; they come from the mapping alone, and no database is asked. */
export function printGrants(mapping: Mapping, { databaseUrl, ...input }: GrantsInput): string {
  const database = input.database ?? parseDatabaseUrl(databaseUrl ?? '')?.name
  return renderGrants(mapping, { ...input, database })
}
