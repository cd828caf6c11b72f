import { startJanitor } from '../product/janitor.js'
import { runStatements, useServer, withAccount } from '../product/index.js'
import type { ProductDatabase, Server } from '../product/index.js'
import { startLocalServer } from '../product/local-server.js'
import type { LocalServer } from '../product/local-server.js'
import { setUpProduct } from '../product/throwaway.js'
import { findProgramOfRun } from '../support/local-programs.js'
import { createCrawler, createLifeline, createReader, createStranger } from './callers.js'
import type { Caller } from './callers.js'
import { startLoad } from './load.js'
import type { Load, Seat } from './load.js'
import { startNetwork } from './network.js'
import type { Network } from './network.js'
import { startLimitedService } from './services.js'
import type { RunningService } from '../support/running-service.js'

/** Everything that a fault may break, and everybody who must not notice more than a 503. */
export interface Stage {
  readonly database: ProductDatabase
  /** Name of the user that the services connect as. */
  readonly user: string
  /** Between the services and the server. */
  readonly network: Network
  /** The server's process, where it is this suite's own. */
  readonly own: LocalServer | undefined
  /** Another server with the same rows and accounts, where this suite can start one. */
  readonly twin: LocalServer | undefined
  readonly origin: string
  readonly services: readonly RunningService[]
  readonly load: Load
  readonly close: () => Promise<void>
}

/** One that keeps keys, and one that looks a key up for each request. */
const keyTtlsSeconds = [30, 0]
/** A host name that moves is followed within this time. */
const env = { DATABASE_CONNECTION_MAX_AGE_SECONDS: '3' }

/**
 * Starts the product, two services and their callers: on a server of the suite's own where this machine has a program like
 * the one that is given, else on that one, which nothing here ends, freezes or sets up otherwise.
 */
export async function openStage(given: Server): Promise<Stage> {
  const janitor = startJanitor()
  const program = findProgramOfRun()
  const start = (): Promise<LocalServer | undefined> =>
    program === undefined ? Promise.resolve(undefined) : startLocalServer(program, janitor)
  const [own, twin] = await Promise.all([start(), start()])
  const server = own ?? given
  const throwaway = useServer(server)
  const database = await throwaway.createProduct('plain', { registrations: 200 })
  if (twin !== undefined) await copyProduct(database, twin)
  const address = new URL(database.readUrl)
  const network = await startNetwork(Number(address.port), address.hostname)
  address.host = `127.0.0.1:${network.port}`
  const services = await Promise.all(
    keyTtlsSeconds.map((ttl) =>
      startLimitedService(throwaway, { ...database, readUrl: address.href }, ttl, env),
    ),
  )
  const load = startLoad(services.flatMap((service, at) => takeSeats(service, database, keyTtlsSeconds[at]!)))
  return {
    database,
    user: decodeURIComponent(address.username),
    network,
    own,
    twin,
    origin: server.origin,
    services,
    load,
    close: async () => {
      await load.stop()
      await Promise.all(services.map((service) => service.end('SIGTERM')))
      await throwaway.stop()
      await network.close()
      await janitor.finish()
    },
  }
}

async function copyProduct(
  { product, truth, readUrl }: ProductDatabase,
  { adminUrl }: LocalServer,
): Promise<void> {
  const { username: user, password, pathname } = new URL(readUrl)
  const database = pathname.slice(1)
  await runStatements(adminUrl, [`CREATE DATABASE ${database} CHARACTER SET utf8mb4`])
  await setUpProduct(withAccount(adminUrl, { database }), { product, truth, user, password })
}

function takeSeats(
  service: RunningService,
  database: ProductDatabase,
  keyTtlSeconds: number,
): readonly Seat[] {
  const callers: readonly Caller[] = [
    createCrawler(database, { collection: 'registrations', limit: 7 }),
    createCrawler(database, { collection: 'invoices', limit: 25, status: 'PAID' }),
    createCrawler(database, { collection: 'registrations', limit: 100, workspace: 1 }),
    createReader(database, 'registrations'),
    createReader(database, 'invoices'),
    // Where keys are kept, this one never comes to the database.
    ...(keyTtlSeconds === 0 ? [createStranger()] : []),
  ]
  return [
    ...callers.map((caller) => ({ caller, origin: service.api, needsDatabase: true })),
    { caller: createLifeline(), origin: service.ops, needsDatabase: false },
  ]
}
