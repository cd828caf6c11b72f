import { createKey } from './built.js'
import type { Mapping, Scope } from './built.js'
import { quoteName, renderValue, withConnection } from './load.js'
import type { ColumnValue } from './text-source.js'

/** An API key that a test asks for. */
export interface KeyInput {
  /** The id of the workspace, as the API shows it; may be left out where the mapping gives every key the same one. */
  readonly workspace?: string | undefined
  readonly scopes: readonly Scope[]
  /** Further columns of the key table: those that must have a value, or a time (a Date is written in UTC). */
  readonly columns?: Readonly<Record<string, ColumnValue>> | undefined
}

/** Stores a new key in the key table of a mapping, and returns the key itself. */
export async function mintKey(adminUrl: string, mapping: Mapping, input: KeyInput): Promise<string> {
  const { workspace, scopes, columns: own = {} } = input
  const { key, columns } = await createKey(mapping, { workspace, scopes })
  const all = [...columns, ...Object.entries(own).map(([name, value]) => [name, renderValue(value)] as const)]
  const names = all.map(([name]) => quoteName(name)).join(', ')
  const values = all.map(([, value]) => value).join(', ')
  const insert = `INSERT INTO ${quoteName(mapping.apiKeys.table)} (${names}) VALUES (${values})`
  await withConnection(adminUrl, (connection) => connection.query(insert))
  return key
}
