import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster, waitFor } from '../faults/cluster.js'
import type { Cluster, Node } from '../faults/cluster.js'
import { keys, runStatements, useServer } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { startJanitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { base } from '../support/client.js'
import { startServing, toServingEnv } from '../support/serving.js'
import type { ServingProcess } from '../support/serving.js'
import { startPrometheus } from './server.js'
import type { PrometheusServer } from './server.js'

/** Three services before two replicas, with a little traffic, and a Prometheus that scrapes them. */
export interface AlertStage {
  readonly prometheus: PrometheusServer
  readonly cluster: Cluster
  readonly services: readonly ServingProcess[]
  /** Runs statements at the primary, in the database of the product. */
  readonly run: (...statements: readonly string[]) => Promise<void>
  /** What commands are run with: its environment, as an administrator of the database. */
  readonly env: Readonly<Record<string, string>>
  /** The address that services read at, but at the primary. */
  readonly readUrl: string
  readonly user: string
  readonly replicaUrl: string
  /** The address of the product at the primary, for an administrator. */
  readonly adminUrl: string
  /** Starts one more service, a deployment of its own, and resolves when Prometheus has scraped it. */
  readonly serve: (input?: OwnInput) => Promise<OwnService>
  /** The sources of the service, where its messages are. */
  readonly sources: () => string
  readonly close: () => Promise<void>
}

/** Something that happens, what it makes fire, and what the commands of the runbook print then. */
export interface Incident {
  readonly name: string
  readonly alerts: readonly string[]
  readonly found: RegExp
  /** Those of `alerts` whose windows are longer than a test. */
  readonly lasting: readonly string[]
  readonly strike: (stage: AlertStage) => Promise<Struck>
}

export interface Struck {
  readonly undo: () => Promise<void>
  /** Where the runbook is followed; otherwise the first service of the stage. */
  readonly at?: ServingProcess
}

/** What differs from the services of the stage. */
export interface OwnInput {
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  readonly changeMapping?: (text: string) => string
}

export interface OwnService extends ServingProcess {
  /** A copy of its own. */
  readonly mappingFile: string
  /** Ends it, and Prometheus forgets it. */
  readonly stop: () => Promise<void>
}

/** Starts everything on servers of its own. */
export async function openAlertStage(program: Program, prometheusProgram: string): Promise<AlertStage> {
  const janitor = startJanitor()
  const cluster = await startCluster(program, janitor)
  const throwaway = useServer(cluster.primary)
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  await cluster.catchUp()
  const hosts = cluster.replicas.map(({ name }) => name).join(',')
  const readUrl = database.readUrl.replace(new URL(database.readUrl).host, hosts)
  const env = {
    ...toServingEnv({ ...database, readUrl }),
    SCHEMA_CHECK_SECONDS: '1',
    REFUSED_KEYS_PER_MINUTE: '3',
    DATABASE_QUERY_TIMEOUT_MS: '2000',
  }
  const services = await Promise.all([1, 2, 3].map(() => startServing(throwaway, { env })))
  const prometheus = await startPrometheus(
    prometheusProgram,
    janitor,
    services.map(({ ops }) => ops),
  )
  const stopTraffic = repeat(async () => {
    for (const path of ['registrations', 'invoices', 'invoices/none'])
      await Promise.all(services.map((service) => askFor(service, path)))
  })
  const own = new Set<string>()
  const serve = async ({
    env: more,
    nodeArgs,
    changeMapping = String,
  }: OwnInput = {}): Promise<OwnService> => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-alerts-'))
    janitor.add({ do: 'remove', path: folder })
    const mappingFile = join(folder, 'vitrine.yaml')
    writeFileSync(mappingFile, changeMapping(readFileSync(database.mappingFile, 'utf8')))
    const serving = await startServing(throwaway, {
      env: { ...env, MAPPING_FILE: mappingFile, ...more },
      nodeArgs: nodeArgs ?? [],
    })
    own.add(serving.ops)
    prometheus.scrape([...own])
    const up = `up{instance="${toInstance(serving)}"} == 1`
    await waitFor('its first scrape', async () => (await prometheus.countSeries(up)) === 1)
    return {
      ...serving,
      mappingFile,
      stop: async () => {
        own.delete(serving.ops)
        prometheus.scrape([...own])
        serving.child.kill('SIGKILL')
        await serving.ended
      },
    }
  }
  return {
    prometheus,
    cluster,
    services,
    run: (...statements) => runStatements(database.adminUrl, statements),
    env: {
      PATH: process.env['PATH'] ?? '',
      ...env,
      DATABASE_URL: toReplicaUrl(database, cluster.replicas[0]),
    },
    readUrl: database.readUrl,
    user: new URL(database.readUrl).username,
    replicaUrl: toReplicaUrl(database, cluster.replicas[0]),
    adminUrl: database.adminUrl,
    serve,
    sources: readMessages,
    close: async () => {
      await stopTraffic()
      await throwaway.stop()
      await cluster.close()
      await janitor.finish()
    },
  }
}

/** What Prometheus calls a service. */
export function toInstance({ ops }: Pick<ServingProcess, 'ops'>): string {
  return new URL(ops).host
}

/** The address of the product at a replica, for an administrator. */
function toReplicaUrl({ adminUrl }: ProductDatabase, replica: Node): string {
  const url = new URL(replica.adminUrl)
  url.pathname = new URL(adminUrl).pathname
  return url.href
}

/** The sources of the service as one text, in which a message is written as in the log. */
function readMessages(): string {
  return ['api', 'audit', 'database', 'service']
    .flatMap((folder) =>
      readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join('src', folder, name), 'utf8')),
    )
    .join('\n')
}

/** Does something over and over until it is stopped. */
export function repeat(step: () => Promise<unknown>): () => Promise<void> {
  const stopped = new AbortController()
  const running = (async () => {
    while (!stopped.signal.aborted) await step()
  })()
  return async () => {
    stopped.abort()
    await running
  }
}

/** Sends one request. Returns its status, undefined where no answer came. */
export async function askFor(
  { api }: Pick<ServingProcess, 'api'>,
  path: string,
  key: string = keys.both,
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${api}${base}/${path}`, { headers }).catch(() => undefined)
  await answer?.text()
  return answer?.status
}
