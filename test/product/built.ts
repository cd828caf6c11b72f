import type { Mapping, Scope } from './mapping.js'
import { inRepository } from './product.js'

/*
 * The parts of Vitrine that these tools share with its commands, as they are built: QA's databases get the grants of
 * `vitrine grants` and the keys of `vitrine key`. They are loaded when they are used, because these sources compile
 * without those of Vitrine.
 */

interface Database {
  readonly runCheckQuery: unknown
  readonly close: () => Promise<void>
}
/** What one part hands to another. */
type Opaque = object

interface LoadConfiguration {
  readonly loadMapping: (file: string) => Promise<Mapping>
  readonly openDatabase: (config: Opaque) => Promise<Database>
}
interface Grants {
  readonly compareGrants: (
    variables: Readonly<Record<string, string>>,
    account: {
      readonly user: string
      readonly host: string
      readonly requireTls: boolean
    },
  ) => Promise<string>
}
interface Key {
  readonly createKey: (
    mapping: Mapping,
    input: { readonly workspace: string | undefined; readonly scopes: readonly Scope[] },
  ) => { readonly key: string; readonly columns: readonly (readonly [column: string, value: string])[] }
}
interface Schema {
  readonly readSchema: (runQuery: unknown, tables: readonly string[]) => Promise<Opaque>
}
interface MappedColumns {
  readonly listMappedTables: (mapping: Mapping) => readonly string[]
}
interface Resolve {
  readonly resolveMapping: (
    mapping: Mapping,
    schema: Opaque,
  ) => { readonly registrations: Opaque | undefined; readonly invoices: Opaque | undefined }
}
interface Codes {
  readonly askCodes: (collection: Opaque) => Opaque
}
interface Questions {
  readonly answer: (
    questions: Opaque,
    runQuery: unknown,
  ) => Promise<readonly { readonly object: string; readonly problem: string; readonly fix: string }[]>
}
interface Configuration {
  readonly parseConfig: (variables: Readonly<Record<string, string>>) => Opaque
}

const load = <Module>(file: string): Promise<Module> =>
  import(inRepository(`dist/${file}.js`).href) as Promise<Module>

/** Reads a mapping file. @throws Error with a line for each issue */
export async function loadMapping(file: string): Promise<Mapping> {
  const configuration = await load<LoadConfiguration>('mapping/load-configuration')
  return withIssues(`The mapping file ${file} cannot be used`, () => configuration.loadMapping(file))
}

/**
 * Holds a mapping against the tables of a database.
 *
 * @returns a line for each column with status codes that the mapping does not list: such rows are not shown.
 * @throws Error with a line for each column that does not fit.
 */
export async function requireMappingFits(
  mapping: Mapping,
  file: string,
  adminUrl: string,
): Promise<readonly string[]> {
  const [{ openDatabase }, { parseConfig }, { readSchema }, { listMappedTables }, resolve, codes, questions] =
    await Promise.all([
      load<LoadConfiguration>('mapping/load-configuration'),
      load<Configuration>('config'),
      load<Schema>('database/schema'),
      load<MappedColumns>('mapping/mapped-columns'),
      load<Resolve>('mapping/resolve-mapping'),
      load<Codes>('tools/check/ask-counts'),
      load<Questions>('tools/check/questions'),
    ])
  const database = await openDatabase(parseConfig({ DATABASE_URL: adminUrl }))
  try {
    const { registrations, invoices } = await withIssues(
      `The mapping file ${file} does not fit the schema`,
      async () =>
        resolve.resolveMapping(mapping, await readSchema(database.runCheckQuery, listMappedTables(mapping))),
    )
    const lines: string[] = []
    for (const collection of [registrations, invoices]) {
      if (collection === undefined) continue
      const found = await questions.answer(codes.askCodes(collection), database.runCheckQuery)
      lines.push(...found.map(({ object, problem, fix }) => `${object} ${problem}; to fix it: ${fix}`))
    }
    return lines
  } finally {
    await database.close()
  }
}

/** The statements that give a new account the grants of a mapping. */
export async function renderGrants(input: {
  readonly adminUrl: string
  readonly mappingFile: string
  readonly user: string
}): Promise<string> {
  const { compareGrants } = await load<Grants>('tools/commands/grants')
  const variables = { DATABASE_URL: input.adminUrl, MAPPING_FILE: input.mappingFile }
  return compareGrants(variables, {
    user: input.user,
    host: '%',
    requireTls: false,
  })
}

/** A new key, and the columns that store it. @throws Error for a workspace that the mapping cannot have */
export async function createKey(
  mapping: Mapping,
  input: Parameters<Key['createKey']>[1],
): Promise<ReturnType<Key['createKey']>> {
  const key = await load<Key>('tools/commands/key')
  return key.createKey(mapping, input)
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
