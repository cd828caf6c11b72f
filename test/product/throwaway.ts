import { readFile } from 'node:fs/promises'
import type mysql from 'mysql2/promise'
import { fileURLToPath } from 'node:url'
import { startContainer } from './container.js'
import { startJanitor } from './janitor.js'
import type { Janitor, Task } from './janitor.js'
import { findServerProgram, installServerProgram, startLocalServer } from './local-server.js'
import { awkward } from './awkward.js'
import { loadMapping } from './built.js'
import { insertRows, runScripts, seed, withConnection } from './load.js'
import { requireOptions } from './options.js'
import { plain } from './plain.js'
import type { Product, ProductName } from './product.js'
import { runStatements, withAccount } from './server.js'
import type { Server } from './server.js'
import { readScript } from './sql-script.js'
import { createDatabase, createReader, toTestDatabase } from './test-database.js'
import type { TestDatabase } from './test-database.js'
import { toMappingFile } from './text-source.js'
import type { MappingSource, SqlSource, TableRows } from './text-source.js'
import { createTruth } from './truth.js'
import type { Truth } from './truth.js'
import { toMessage } from './error-text.js'

/** The database of a shipped product, with what is true of its rows. */
export interface ProductDatabase extends TestDatabase {
  readonly product: Product
  readonly truth: Truth
}

/** A product of the caller's own. */
export interface ProductDefinition {
  /**
   * The statements that make the tables, views and triggers: a script or several, such as the output of `mysqldump`.
   * `USE` and statements on databases are left out, and so is `DEFINER`; everything is made in one new database.
   */
  readonly schema: SqlSource
  /** The rows: a script or several, or `{ table: [{ column: value }] }` in an order that foreign keys allow. */
  readonly rows?: SqlSource | TableRows | undefined
  /** The mapping file, its text as `{ text }`, or an object. */
  readonly mapping: MappingSource
}

interface SampleOptions {
  /** How many registrations there are over all workspaces (400); invoices are two fifths of it. */
  readonly registrations?: number
}

/** Makes a product in a database of its own. */
interface CreateProduct {
  /** A shipped product, `plain` by default. */
  (name?: ProductName, options?: SampleOptions): Promise<ProductDatabase>
  /**
   * A product of the caller's own: its tables and rows, and a user with the grants of `vitrine grants`.
   *
   * @throws Error that names the script, the line and the statement that failed, or every issue of the mapping.
   */
  // The last one, whose mistakes the compiler explains.
  (definition: ProductDefinition): Promise<TestDatabase>
}

/** A server of throwaway databases. */
export interface Throwaway extends Server {
  readonly createProduct: CreateProduct
  /** Runs a clean-up task when this process ends, however it ends. The returned function cancels it. */
  readonly undo: (task: Task) => () => void
  /** Removes every database and user, and the server itself where it was started here. */
  readonly stop: () => Promise<void>
}

/** The message for a machine without a database server. */
const noServer = `No database to work with. Any one of these will do:
  1. set TEST_DATABASE_URL to an administrator's address, mysql://user:password@host:port/
  2. run a Docker engine; MYSQL_IMAGE names another image than mysql:8.4
  3. install mysqld or mariadbd on this machine
  4. as root on Debian or Ubuntu, let apt-get install mariadb-server-core
`

const noMysql =
  'startThrowaway: engine is mysql, and there is no TEST_DATABASE_URL, no Docker engine with testcontainers, and no mysqld of MySQL on this machine'

/**
 * Starts or uses a database server, the first one available of: `TEST_DATABASE_URL`, a Docker engine, a server program of this
 * machine, the package of the distribution.
 *
 * @param options `engine` rejects a server of the other product.
 * @throws Error that names these four if none is available, or if the server is of the other product.
 */
export async function startThrowaway(options: { readonly engine?: Engine } = {}): Promise<Throwaway> {
  requireOptions('startThrowaway', options)
  const { engine } = options
  const janitor = startJanitor()
  try {
    const given = process.env['TEST_DATABASE_URL'] ?? ''
    const server = given === '' ? await startServer(janitor, engine) : await findServer(given, engine)
    return toThrowaway(server, janitor)
  } catch (error) {
    await janitor.finish()
    throw error
  }
}

/** Databases on a server that is already there, such as the one that a whole test run shares. */
export function useServer(server: Server): Throwaway {
  return toThrowaway(server, startJanitor())
}

function toThrowaway(server: Server, janitor: Janitor): Throwaway {
  let isStopped = false
  const createProduct = async (
    what: ProductName | ProductDefinition = 'plain',
    options: SampleOptions = {},
  ): Promise<TestDatabase> => {
    // Nothing would remove its databases and its user.
    if (isStopped) throw new Error('createProduct: stop() was called')
    return typeof what === 'string'
      ? createSample(server, janitor, { name: what, ...options })
      : createOwn(server, janitor, what)
  }
  return {
    ...server,
    // A name makes a shipped product.
    createProduct: createProduct as CreateProduct,
    undo: (task) => janitor.add(task),
    stop: () => {
      isStopped = true
      return janitor.finish()
    },
  }
}

/** The product that a server is of. */
type Engine = 'mysql' | 'mariadb'

/** @throws Error of one sentence */
function requireEngine(server: Server, version: string, engine: Engine | undefined): Server {
  if (engine === undefined || isMariaDb(version) === (engine === 'mariadb')) return server
  throw new Error(`startThrowaway: engine is ${engine}, but version() is ${version}: ${server.origin}`)
}

const isMariaDb = (version: string): boolean => /mariadb/i.test(version)

async function readVersion(adminUrl: string): Promise<string> {
  const [row] = await withConnection(adminUrl, async (connection) => {
    const [rows] = await connection.query<mysql.RowDataPacket[]>('SELECT version() AS version')
    return rows
  })
  return String(row?.['version'])
}

/** The server of `TEST_DATABASE_URL`. @throws Error that names the variable */
async function findServer(given: string, engine: Engine | undefined): Promise<Server> {
  const fail = (problem: string, cause?: unknown): never => {
    const form = 'it is the address of an administrator, mysql://user:password@host:port/'
    throw new Error(`TEST_DATABASE_URL: ${problem}; ${form}`, { cause })
  }
  if (!given.startsWith('mysql://') || !URL.canParse(given)) return fail('it is not an address of MySQL')
  const adminUrl = withAccount(given, { database: '' })
  const version = await readVersion(adminUrl).catch((error: unknown) => fail(toMessage(error), error))
  const product = isMariaDb(version) ? 'MariaDB' : 'MySQL'
  const found = `${product} ${/^[\d.]*/.exec(version)?.[0] ?? ''} on ${new URL(given).host}`
  // A global set-up says why it chose the server.
  const origin = process.env['TEST_DATABASE_ORIGIN'] ?? `${found}, because TEST_DATABASE_URL is set`
  return requireEngine({ adminUrl, origin }, version, engine)
}

async function startServer(janitor: Janitor, engine: Engine | undefined): Promise<Server> {
  const container = await startContainer(janitor)
  if (container !== undefined) return requireEngine(container, await readVersion(container.adminUrl), engine)
  // The package of the distribution is MariaDB.
  const mayInstall = engine !== 'mysql'
  const program =
    findServerProgram(engine) ??
    (mayInstall && installServerProgram() ? findServerProgram(engine) : undefined)
  if (program === undefined) throw new Error(mayInstall ? noServer : noMysql)
  const server = await startLocalServer(program, janitor)
  return { ...server, origin: `${server.origin}, because there is no TEST_DATABASE_URL and no Docker engine` }
}

async function createSample(
  server: Server,
  janitor: Janitor,
  { name, registrations }: SampleOptions & { readonly name: ProductName },
): Promise<ProductDatabase> {
  const product = findProduct(name)
  const database = await createDatabase(server, janitor, name)
  const truth = createTruth(registrations)
  await setUpProduct(database.adminUrl, { ...database, product, truth })
  const fill = (): Promise<void> => seed(database.adminUrl, product.toRows(truth))
  return { product, truth, ...toTestDatabase(database, fileURLToPath(product.mappingFile), fill) }
}

/** @param name comes from JavaScript too. */
function findProduct(name: string): Product {
  const product = [plain, awkward].find((one) => one.name === name)
  if (product === undefined)
    throw new Error(
      `createProduct: ${JSON.stringify(name)} is not a shipped product; there are plain, awkward, and { schema, rows, mapping } makes an own one`,
    )
  return product
}

async function createOwn(
  server: Server,
  janitor: Janitor,
  definition: ProductDefinition,
): Promise<TestDatabase> {
  requireOptions('createProduct', definition)
  const { schema, rows, mapping } = definition
  const mappingFile = await toMappingFile(mapping, janitor)
  const { timezone } = await loadMapping(mappingFile)
  const database = await createDatabase(server, janitor, 'own')
  const fill = (isFirst: boolean): Promise<void> =>
    withConnection(database.adminUrl, async (connection) => {
      await runScripts(connection, schema, { option: 'schema', isRepeated: !isFirst })
      if (rows === undefined) return
      if (isTableRows(rows)) await insertRows(connection, rows, timezone)
      else await runScripts(connection, rows, { option: 'rows' })
    })
  await fill(true)
  await createReader(database.adminUrl, { ...database, mappingFile })
  return toTestDatabase(database, mappingFile, () => fill(false))
}

function isTableRows(rows: SqlSource | TableRows): rows is TableRows {
  if (typeof rows === 'string' || rows instanceof URL || Array.isArray(rows)) return false
  return !('text' in rows && typeof rows.text === 'string')
}

/**
 * Makes a product in an empty database: its tables, the user who may read the mapped columns, and at last all
 * its rows in one transaction, so that a database that has rows is complete.
 */
export async function setUpProduct(
  adminUrl: string,
  input: {
    readonly product: Product
    readonly truth: Truth
    readonly user: string
    readonly password: string
  },
): Promise<void> {
  const { product, truth, user, password } = input
  await createTables(adminUrl, product)
  await createReader(adminUrl, { user, password, mappingFile: fileURLToPath(product.mappingFile) })
  await seed(adminUrl, product.toRows(truth))
}

async function createTables(adminUrl: string, { schemaFile }: Product): Promise<void> {
  await runStatements(adminUrl, splitStatements(await readFile(schemaFile, 'utf8')))
}

/** The statements of a script. */
export function splitStatements(text: string): readonly string[] {
  return readScript(text).map(({ sql }) => sql)
}
