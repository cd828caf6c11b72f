import { createKey } from './built.js'
import type { Mapping, Scope } from './built.js'
import { createRenderer, quoteName, withConnection } from './load.js'
import { requireOptions } from './options.js'
import type { ColumnValue } from './text-source.js'
import { toCode, toMessage } from './error-text.js'

/** An API key that a test asks for. */
export interface KeyInput {
  /** The id of the workspace, as the API shows it; may be left out where the mapping gives every key the same one. */
  readonly workspace?: string | undefined
  readonly scopes: readonly Scope[] | readonly string[]
  /** Further columns of the key table: those that must have a value, or a time (a Date is that instant). */
  readonly columns?: Readonly<Record<string, ColumnValue>> | undefined
}

/** Stores a new key in the key table of a mapping. @returns the key itself, and the statement that stored it */
export async function mintKey(
  adminUrl: string,
  mapping: Mapping,
  input: KeyInput,
): Promise<{ readonly key: string; readonly insert: string }> {
  requireOptions('mintKey', input)
  const { workspace, scopes, columns: own = {} } = input
  const { key, columns } = await createKey(mapping, { workspace, scopes: scopes as readonly Scope[] }).catch(
    (error: unknown) => fail(toMessage(error).replace(/^key needs --(\w+)$/, '$1 is missing')),
  )
  const { table } = mapping.apiKeys
  return withConnection(adminUrl, async (connection) => {
    const render = await createRenderer(connection, table, mapping.timezone)
    const given = Object.entries(own).map(([name, value]) => [name, render(name, value)] as const)
    const all = [...columns, ...given]
    const names = all.map(([name]) => quoteName(name)).join(', ')
    const values = all.map(([, value]) => value).join(', ')
    const insert = `INSERT INTO ${quoteName(table)} (${names}) VALUES (${values})`
    await connection.query(insert).catch((error: unknown) => {
      const message = toMessage(error)
      const [, needed] = (toCode(error) === 'ER_NO_DEFAULT_FOR_FIELD' && /'([^']+)'/.exec(message)) || []
      fail(needed === undefined ? message : `${table}.${needed} needs a value; give it in \`columns\``)
    })
    return { key, insert }
  })
}

function fail(problem: string): never {
  throw new Error(`mintKey: ${problem}`)
}
