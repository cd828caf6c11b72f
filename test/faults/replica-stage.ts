import { keys, runStatements, useServer } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { startJanitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { ask } from '../support/ask.js'
import { base } from '../support/client.js'
import { listExpected } from '../support/expected.js'
import type { RunningService } from '../support/running-service.js'
import { createCrawler, createReader, createStranger } from './callers.js'
import type { Caller } from './callers.js'
import { startCluster, waitFor } from './cluster.js'
import type { Cluster, Node } from './cluster.js'
import { startLoad } from './load.js'
import type { Load } from './load.js'
import { startLimitedService } from './services.js'

/** Services before a primary with two replicas, and callers who must not notice what becomes of one of them. */
export interface ReplicaStage {
  readonly cluster: Cluster
  readonly database: ProductDatabase
  readonly services: readonly RunningService[]
  readonly load: Load
  readonly witness: Witness
  /** Resolves when every service says so of a host, by its metrics. */
  readonly expectHost: (node: Node, state: HostState) => Promise<void>
  readonly close: () => Promise<void>
}

interface HostState {
  readonly up: boolean
  /** Whether it has stopped following, follows too far behind, or neither. */
  readonly lag: 'none' | 'behind' | 'stopped'
}

/** A record that is written to, so that its answers tell how old the data are that they come from. */
export interface Witness {
  /** Writes the next version at the primary. */
  readonly write: () => Promise<void>
  /** From now on, what is older than the last write is wrong. */
  readonly demand: () => void
  readonly caller: () => Caller
  /** When the last version was written, by the primary's clock. */
  readonly writtenAt: () => Promise<string>
}

/** One that keeps keys, and one that looks a key up for each request. */
const keyTtlsSeconds = [30, 0]
/** Beyond this a replica lags too much; just as far go syncs back. */
export const lagMaxSeconds = 2

/** Starts everything on servers of its own. */
export async function openReplicaStage(program: Program): Promise<ReplicaStage> {
  const janitor = startJanitor()
  const cluster = await startCluster(program, janitor)
  const { primary, replicas } = cluster
  const throwaway = useServer(primary)
  const database = await throwaway.createProduct('plain', { registrations: 200 })
  await cluster.catchUp()
  const address = new URL(database.readUrl)
  const others = replicas.map(({ name }) => `,${name}`).join('')
  const readUrl = database.readUrl.replace(address.host, `${primary.name}${others}`)
  const env = {
    // More than the two seconds in which a frozen host is found: requests wait for a slot of another one so long.
    DATABASE_QUERY_TIMEOUT_MS: '3000',
    DATABASE_REPLICA_LAG_MAX_SECONDS: String(lagMaxSeconds),
    SYNC_OVERLAP_SECONDS: String(lagMaxSeconds),
  }
  const services = await Promise.all(
    keyTtlsSeconds.map((ttl) => startLimitedService(throwaway, { ...database, readUrl }, ttl, env)),
  )
  const witness = createWitness(database, cluster)
  await witness.write()
  await cluster.catchUp()
  witness.demand()
  const load = startLoad(
    services.flatMap(({ api }) =>
      listCallers(database, witness).map((caller) => ({ caller, origin: api, needsDatabase: true })),
    ),
  )
  return {
    cluster,
    database,
    services,
    load,
    witness,
    expectHost: (node, state) =>
      waitFor(`${node.name} to be ${JSON.stringify(state)}`, () => seesHost(services, node, state)),
    close: async () => {
      await load.stop()
      await Promise.all(services.map((service) => service.end('SIGTERM')))
      await throwaway.stop()
      await cluster.close()
      await janitor.finish()
    },
  }
}

function listCallers(database: ProductDatabase, witness: Witness): readonly Caller[] {
  return [
    createCrawler(database, { collection: 'registrations', limit: 7 }),
    createCrawler(database, { collection: 'invoices', limit: 25, status: 'PAID' }),
    createReader(database, 'registrations'),
    createReader(database, 'invoices'),
    createStranger(),
    witness.caller(),
  ]
}

async function seesHost(
  services: readonly RunningService[],
  { name }: Node,
  { up, lag }: HostState,
): Promise<boolean> {
  const texts = await Promise.all(services.map(async ({ ops }) => (await fetch(`${ops}/metrics`)).text()))
  const read = (text: string, gauge: string): string | undefined =>
    text.split(`vitrine_database_host_${gauge}{host="${name}"} `)[1]?.split('\n')[0]
  return texts.every(
    (text) => read(text, 'up') === (up ? '1' : '0') && toLag(read(text, 'lag_seconds')) === lag,
  )
}

function toLag(seconds = '0'): HostState['lag'] {
  if (seconds === '+Inf') return 'stopped'
  return Number(seconds) > lagMaxSeconds ? 'behind' : 'none'
}

function createWitness(database: ProductDatabase, { primary }: Cluster): Witness {
  const [expected] = listExpected(database, 'registrations', 1)
  const id = String(expected?.view['id'])
  const url = new URL(primary.adminUrl)
  url.pathname = new URL(database.adminUrl).pathname
  let [written, demanded] = [0, 0]
  const createCaller = (): Caller => {
    let wanted = 0
    return {
      name: 'the witness',
      key: keys.other,
      toPath: () => {
        wanted = demanded
        return `${base}/registrations/${id}`
      },
      findError: ({ status, text }) => {
        if (status !== 200) return `status ${status}`
        const version = Number((JSON.parse(text) as { name: string }).name)
        return version >= wanted
          ? undefined
          : `version ${version}, after ${wanted} was everywhere it may come from`
      },
    }
  }
  return {
    write: async () => {
      written += 1
      await runStatements(url.href, [
        `UPDATE event_registrations SET attendee_name = '${written}', updated_at = UTC_TIMESTAMP(3) WHERE id = '${id}'`,
      ])
    },
    demand: () => {
      demanded = written
    },
    caller: createCaller,
    writtenAt: async () => {
      const [row] = await ask(
        url.href,
        `SELECT DATE_FORMAT(updated_at, '%Y-%m-%dT%T.%fZ') AS at FROM event_registrations WHERE id = '${id}'`,
      )
      return String(row?.['at'])
    },
  }
}
