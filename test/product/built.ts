import { inRepository } from './product.js'

/*
 * The parts of Vitrine that these tools share with its commands, as they are built: QA's databases get the grants of
 * `vitrine grants` and the keys of `vitrine key`. They are loaded when they are used, because these sources compile
 * without those of Vitrine.
 */

/** A mapping file that was read, as far as a key needs it; src/mapping/mapping-schema.ts has the rest. */
export interface Mapping {
  readonly apiKeys: { readonly table: string }
  /** Of its columns without a zone; UTC without it. */
  readonly timezone?: string | undefined
}

/** The permission to read one collection. */
export type Scope = 'registration.read' | 'invoices.read'

interface Parts {
  readonly 'mapping/load-configuration': { readonly loadMapping: (file: string) => Promise<Mapping> }
  readonly 'tools/commands/grants': {
    readonly compareGrants: (
      variables: Readonly<Record<string, string>>,
      account: { readonly user: string; readonly host: string; readonly requireTls: boolean },
    ) => Promise<string>
  }
  readonly 'tools/commands/key': {
    readonly createKey: (
      mapping: Mapping,
      input: { readonly workspace: string | undefined; readonly scopes: readonly Scope[] },
    ) => { readonly key: string; readonly columns: readonly (readonly [column: string, value: string])[] }
  }
  readonly environment: { readonly EnvironmentSchema: { readonly properties: object } }
  readonly 'client/text': {
    readonly renderHint: (typed: string, names: readonly string[]) => string
  }
}

const load = <Name extends keyof Parts>(name: Name): Promise<Parts[Name]> =>
  import(inRepository(`dist/${name}.js`).href) as Promise<Parts[Name]>

/** Reads a mapping file. @throws Error with a line for each issue */
export async function loadMapping(file: string): Promise<Mapping> {
  return (await load('mapping/load-configuration')).loadMapping(file)
}

/** The statements that give a new account the grants of a mapping. @throws Error for a table or column that does not exist */
export async function renderGrants(adminUrl: string, mappingFile: string, user: string): Promise<string> {
  const { compareGrants } = await load('tools/commands/grants')
  const variables = { DATABASE_URL: adminUrl, MAPPING_FILE: mappingFile }
  return compareGrants(variables, { user, host: '%', requireTls: false })
}

type CreateKey = Parts['tools/commands/key']['createKey']

/** A new key, and the columns that store it. @throws Error for a workspace or a scope that the mapping cannot have */
export async function createKey(...input: Parameters<CreateKey>): Promise<ReturnType<CreateKey>> {
  return (await load('tools/commands/key')).createKey(...input)
}

/** The names of all settings. */
export async function listSettings(): Promise<readonly string[]> {
  return Object.keys((await load('environment')).EnvironmentSchema.properties)
}

/** @throws TypeError for a name that is not a setting of Vitrine, and not a variable of Node.js either */
export async function requireVariables(names: readonly string[]): Promise<void> {
  const settings = await listSettings()
  const unknown = names.find((name) => !settings.includes(name) && !/^(?:NODE_.*|PATH|TZ)$/.test(name))
  if (unknown === undefined) return
  const hint = (await load('client/text')).renderHint(unknown, settings)
  throw new TypeError(`startVitrine: env has ${unknown}, which Vitrine does not read${hint}`)
}
