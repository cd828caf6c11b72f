import { readFile } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import { startContainer } from './container.js'
import { startJanitor } from './janitor.js'
import type { Janitor, Task } from './janitor.js'
import { findServerProgram, installServerProgram, startLocalServer } from './local-server.js'
import { inRepository } from './product.js'
import type { Product } from './product.js'
import { products } from './products.js'
import { seed } from './seed.js'
import { createPassword, runStatements, withAccount } from './server.js'
import type { Server } from './server.js'
import { createTruth } from './truth.js'
import type { Truth } from './truth.js'

/** A product's database that is gone when its test is. */
export interface ProductDatabase {
  readonly product: Product
  readonly truth: Truth
  /** For the administrator, who may change anything in it. */
  readonly adminUrl: string
  /** For the user who may read the mapped columns and nothing else; this is a `DATABASE_URL`. */
  readonly readUrl: string
  /** A file name for `MAPPING_FILE`. */
  readonly mappingFile: string
}

/** A server of throwaway databases. */
export interface Throwaway extends Server {
  readonly createProduct: (
    name?: Product['name'],
    options?: { readonly registrations?: number; readonly replicas?: boolean },
  ) => Promise<ProductDatabase>
  /** Has something of the caller's own undone when this process ends, by whatever end. */
  readonly undo: (task: Task) => void
  /** Removes every database and user, and the server itself where it was started here. */
  readonly stop: () => Promise<void>
}

/** What to do where no database can be had. */
const noServer = `No database to work with. Any one of these will do:
  1. set TEST_DATABASE_URL to an administrator's address, mysql://user:password@host:port/
  2. run a Docker engine; MYSQL_IMAGE names another image than mysql:8.4
  3. install mysqld or mariadbd on this machine
  4. as root on Debian or Ubuntu, let apt-get install mariadb-server-core
`

/**
 * A server from the first of these that there is: `TEST_DATABASE_URL`, a Docker engine, a server program of this
 * machine, the distribution's package.
 *
 * @throws Error that names these four, where there is none.
 */
export async function startThrowaway(): Promise<Throwaway> {
  const janitor = startJanitor()
  try {
    return toThrowaway(await startServer(janitor), janitor)
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
  return {
    ...server,
    createProduct: (name = 'plain', options = {}) => createProduct(server, janitor, { name, ...options }),
    undo: (task) => {
      janitor.add(task)
    },
    stop: () => janitor.finish(),
  }
}

async function startServer(janitor: Janitor): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined && given !== '') {
    return { adminUrl: withAccount(given, { database: '' }), origin: 'the server of TEST_DATABASE_URL' }
  }
  const container = await startContainer(janitor)
  if (container !== undefined) return container
  const program = findServerProgram() ?? (installServerProgram() ? findServerProgram() : undefined)
  if (program === undefined) throw new Error(noServer)
  return startLocalServer(program, janitor)
}

interface ProductOptions {
  readonly name: Product['name']
  readonly registrations?: number
  /** Whether the user may see how far a replica is behind. */
  readonly replicas?: boolean
}

async function createProduct(
  server: Server,
  janitor: Janitor,
  options: ProductOptions,
): Promise<ProductDatabase> {
  const product = products[options.name]
  const suffix = crypto.randomUUID().slice(0, 8)
  const [database, user, password] = [
    // With the process that made it, for whoever wonders where it came from.
    `vitrine_${product.name}_${process.pid}_${suffix}`,
    `vitrine_${suffix}`,
    createPassword(),
  ]
  janitor.add({
    do: 'sql',
    url: server.adminUrl,
    statements: [`DROP DATABASE IF EXISTS ${database}`, `DROP USER IF EXISTS '${user}'@'%'`],
  })
  await runStatements(server.adminUrl, [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`])
  const adminUrl = withAccount(server.adminUrl, { database })
  const truth = createTruth(options.registrations)
  await setUpProduct(adminUrl, { product, truth, user, password, replicas: options.replicas === true })
  return {
    product,
    truth,
    adminUrl,
    mappingFile: fileURLToPath(product.mappingFile),
    readUrl: withAccount(adminUrl, { user, password }),
  }
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
    readonly replicas?: boolean
  },
): Promise<void> {
  const { product, truth, user, password, replicas = false } = input
  const schema = await readFile(product.schemaFile, 'utf8')
  await runStatements(adminUrl, splitStatements(schema))
  await createReader(adminUrl, {
    user,
    password,
    mappingFile: fileURLToPath(product.mappingFile),
    replicas,
  })
  await seed(adminUrl, product.toRows(truth))
}

/** The user that `vitrine grants` describes, with a password. */
async function createReader(
  adminUrl: string,
  reader: { user: string; password: string; mappingFile: string; replicas: boolean },
): Promise<void> {
  const user = mysql.escape(reader.user)
  const database = mysql.escapeId(decodeURIComponent(new URL(adminUrl).pathname.slice(1)), true)
  const grants = await printGrants(reader.mappingFile, reader.replicas)
  await runStatements(adminUrl, [
    ...splitStatements(grants.replaceAll("'$user'", user).replaceAll('`$database`', database)),
    `ALTER USER ${user}@'%' IDENTIFIED BY ${mysql.escape(reader.password)}`,
  ])
}

const printed = new Map<string, Promise<string>>()

/** What `vitrine grants` prints for `$user` and `$database`; a mapping file is read once in a process. */
async function printGrants(mappingFile: string, replicas: boolean): Promise<string> {
  const args = [
    '--user',
    '$user',
    '--host',
    '%',
    '--database',
    '$database',
    ...(replicas ? ['--replicas'] : []),
  ]
  const key = `${mappingFile} ${args.length}`
  const known =
    printed.get(key) ??
    promisify(execFile)(process.execPath, [fileURLToPath(inRepository('dist/cli.js')), 'grants', ...args], {
      env: { ...process.env, MAPPING_FILE: mappingFile },
    }).then(({ stdout }) => stdout)
  printed.set(key, known)
  return known
}

/** Statements of a file whose every statement ends a line with `;`. */
export function splitStatements(text: string): readonly string[] {
  return text
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
