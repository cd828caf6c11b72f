import { startJanitor } from '../product/janitor.js'
import { useServer } from '../product/index.js'
import type { ProductDatabase, Server } from '../product/index.js'
import { findServerProgram, startLocalServer } from '../product/local-server.js'
import type { LocalServer } from '../product/local-server.js'
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
  readonly origin: string
  readonly services: readonly RunningService[]
  readonly load: Load
  readonly close: () => Promise<void>
}

/** One that keeps keys, and one that looks a key up for each request. */
const keyTtlsSeconds = [30, 0]

/**
 * Starts the product, two services and their callers: on a server of the suite's own where this machine has a
 * program for it, else on the one that is given, which nothing here ends, freezes or sets up otherwise.
 */
export async function openStage(given: Server): Promise<Stage> {
  const janitor = startJanitor()
  const program = (process.env['TEST_DATABASE_URL'] ?? '') === '' ? findServerProgram() : undefined
  const own = program === undefined ? undefined : await startLocalServer(program, janitor)
  const server = own ?? given
  const throwaway = useServer(server)
  const database = await throwaway.createProduct('plain', { registrations: 200 })
  const address = new URL(database.readUrl)
  const network = await startNetwork(Number(address.port), address.hostname)
  address.host = `127.0.0.1:${network.port}`
  const services = await Promise.all(
    keyTtlsSeconds.map((ttl) => startLimitedService(throwaway, { ...database, readUrl: address.href }, ttl)),
  )
  const load = startLoad(services.flatMap((service, at) => takeSeats(service, database, keyTtlsSeconds[at]!)))
  return {
    database,
    user: decodeURIComponent(address.username),
    network,
    own,
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
