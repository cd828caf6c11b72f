import type { Mapping, Scope } from './mapping.js'
import { inRepository } from './product.js'

/*
 * The parts of Vitrine that these tools share with its commands, as they are built: QA's databases get the grants of
 * `vitrine grants` and the keys of `vitrine key`. They are loaded when they are used, because these sources compile
 * without those of Vitrine.
 */

/** What one part hands to another. */
type Opaque = object
type Variables = Readonly<Record<string, string>>

interface Parts {
  readonly 'mapping/load-configuration': {
    readonly loadMapping: (file: string) => Promise<Mapping>
    readonly openDatabase: (config: Opaque) => Promise<{ runCheckQuery: unknown; close: () => Promise<void> }>
  }
  readonly config: { readonly parseConfig: (variables: Variables) => Opaque }
  readonly 'database/schema': {
    readonly readSchema: (runQuery: unknown, tables: readonly string[]) => Promise<Opaque>
  }
  readonly 'mapping/mapped-columns': { readonly listMappedTables: (mapping: Mapping) => readonly string[] }
  readonly 'mapping/resolve-mapping': {
    readonly resolveMapping: (mapping: Mapping, schema: Opaque) => unknown
  }
  readonly 'tools/commands/grants': {
    readonly compareGrants: (
      variables: Variables,
      account: { readonly user: string; readonly host: string; readonly requireTls: boolean },
    ) => Promise<string>
  }
  readonly 'tools/commands/key': {
    readonly createKey: (
      mapping: Mapping,
      input: { readonly workspace: string | undefined; readonly scopes: readonly Scope[] },
    ) => { readonly key: string; readonly columns: readonly (readonly [column: string, value: string])[] }
  }
}

const load = <Name extends keyof Parts>(name: Name): Promise<Parts[Name]> =>
  import(inRepository(`dist/${name}.js`).href) as Promise<Parts[Name]>

/** Reads a mapping file. @throws Error with a line for each issue */
export async function loadMapping(file: string): Promise<Mapping> {
  const { loadMapping: read } = await load('mapping/load-configuration')
  return withIssues(`The mapping file ${file} cannot be used`, () => read(file))
}

/** Holds a mapping against the tables of a database. @throws Error with a line for each column that does not fit. */
export async function requireMappingFits(mapping: Mapping, file: string, adminUrl: string): Promise<void> {
  const { openDatabase } = await load('mapping/load-configuration')
  const { parseConfig } = await load('config')
  const { readSchema } = await load('database/schema')
  const { listMappedTables } = await load('mapping/mapped-columns')
  const { resolveMapping } = await load('mapping/resolve-mapping')
  const database = await openDatabase(parseConfig({ DATABASE_URL: adminUrl }))
  try {
    await withIssues(`The mapping file ${file} does not fit the schema`, async () =>
      resolveMapping(mapping, await readSchema(database.runCheckQuery, listMappedTables(mapping))),
    )
  } finally {
    await database.close()
  }
}

/** The statements that give a new account the grants of a mapping. */
export async function renderGrants(adminUrl: string, mappingFile: string, user: string): Promise<string> {
  const { compareGrants } = await load('tools/commands/grants')
  const variables = { DATABASE_URL: adminUrl, MAPPING_FILE: mappingFile }
  return compareGrants(variables, { user, host: '%', requireTls: false })
}

type CreateKey = Parts['tools/commands/key']['createKey']

/** A new key, and the columns that store it. @throws Error for a workspace that the mapping cannot have */
export async function createKey(...input: Parameters<CreateKey>): Promise<ReturnType<CreateKey>> {
  return (await load('tools/commands/key')).createKey(...input)
}

async function withIssues<Result>(title: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    // A line for each issue.
    if (!(error instanceof Error) || !('issues' in error)) throw error
    throw new Error(`${title}:\n${error.message.replace(/^/gm, '  ')}`, { cause: error })
  }
}
