import { readFileSync, readdirSync } from 'node:fs'
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
  /** The ops address and the log of the first service. */
  readonly ops: string
  readonly log: () => string
  /** What commands are run with: its environment, as an administrator of the database. */
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly replicaUrl: string
  /** The sources of the service, where its messages are. */
  readonly sources: () => string
  readonly close: () => Promise<void>
}

/** Starts everything on servers of its own. */
export async function openAlertStage(program: Program, prometheusProgram: string): Promise<AlertStage> {
  const janitor = startJanitor()
  const cluster = await startCluster(program, janitor)
  const throwaway = useServer(cluster.primary)
  const database = await throwaway.createProduct('plain', { registrations: 100, replicas: true })
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
  const stopTraffic = keepAsking(services.map(({ api }) => api))
  const [first] = services
  return {
    prometheus,
    cluster,
    services,
    run: (...statements) => runStatements(database.adminUrl, statements),
    ops: first!.ops,
    log: first!.output,
    env: {
      PATH: process.env['PATH'] ?? '',
      ...env,
      DATABASE_URL: toReplicaUrl(database, cluster.replicas[0]),
    },
    user: new URL(database.readUrl).username,
    replicaUrl: toReplicaUrl(database, cluster.replicas[0]),
    sources: readMessages,
    close: async () => {
      await stopTraffic()
      await throwaway.stop()
      await cluster.close()
      await janitor.finish()
    },
  }
}

/** The address of the product at a replica, for an administrator. */
function toReplicaUrl({ adminUrl }: ProductDatabase, replica: Node): string {
  const url = new URL(replica.adminUrl)
  url.pathname = new URL(adminUrl).pathname
  return url.href
}

/** The sources of the service as one text, in which a message is written as in the log. */
function readMessages(): string {
  return ['audit', 'database', 'http', 'service']
    .flatMap((folder) =>
      readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join('src', folder, name), 'utf8')),
    )
    .join('\n')
}

/** Reads both collections at every service, one request after the other, until it is stopped. */
function keepAsking(origins: readonly string[]): () => Promise<void> {
  const stopped = new AbortController()
  const running = (async () => {
    while (!stopped.signal.aborted)
      for (const path of ['registrations', 'invoices', 'invoices/none'])
        await Promise.all(origins.map((origin) => send(`${origin}${base}/${path}`, keys.both)))
  })()
  return async () => {
    stopped.abort()
    await running
  }
}

async function send(url: string, key: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
  await answer?.text()
}

/** Something that happens, what it makes fire, and what the commands of the runbook print then. */
export interface Incident {
  readonly name: string
  readonly alerts: readonly string[]
  readonly found: RegExp
  /** Those of `alerts` whose windows are longer than a test. */
  readonly lasting: readonly string[]
  readonly strike: (stage: AlertStage) => Promise<() => Promise<void>>
}

/** In the order in which they happen. */
export function listIncidents(): readonly Incident[] {
  return [
    {
      name: 'a row with an unknown currency',
      alerts: ['VitrineInvalidRows'],
      found: /currency is not a currency/,
      lasting: [],
      strike: async ({ run }) => {
        await run("UPDATE invoices SET currency_code = 'ZZZ' ORDER BY updated_at, id LIMIT 1")
        return () => run("UPDATE invoices SET currency_code = 'SAR' WHERE currency_code = 'ZZZ'")
      },
    },
    {
      name: 'a client with a revoked key',
      alerts: ['VitrineFailedAuthentications'],
      found: /127\.0\.0\.1/,
      lasting: [],
      strike: async ({ services }) => {
        for (let sent = 0; sent < 6; sent += 1)
          await send(`${services[0]!.api}${base}/invoices`, keys.revoked)
        return () => Promise.resolve()
      },
    },
    {
      name: 'an index dropped',
      alerts: ['VitrinePagingIndexLost'],
      found: /ix_reg_sync/,
      lasting: [],
      strike: async ({ run }) => {
        await run('DROP INDEX ix_reg_sync ON event_registrations')
        return () => run('CREATE INDEX ix_reg_sync ON event_registrations (workspace_id, updated_at, id)')
      },
    },
    {
      name: 'a privilege too many',
      alerts: ['VitrineAuditFindings'],
      found: /REVOKE UPDATE/,
      lasting: [],
      strike: async ({ run, user }) => {
        await run(`GRANT UPDATE ON invoices TO '${user}'@'%'`)
        // The next audit is minutes away; each runs after a change of the schema.
        await run('CREATE INDEX ix_reg_more ON event_registrations (workspace_id)')
        return () => run(`REVOKE UPDATE ON invoices FROM '${user}'@'%'`)
      },
    },
    {
      name: 'a renamed column',
      alerts: ['VitrineSchemaDrift', 'VitrineDown'],
      found: /found event_registrations\.attendee_name/,
      lasting: [],
      strike: async ({ run }) => {
        await run('ALTER TABLE event_registrations RENAME COLUMN attendee_name TO guest_name')
        return () => run('ALTER TABLE event_registrations RENAME COLUMN guest_name TO attendee_name')
      },
    },
    {
      name: 'replication that has stopped at every host',
      alerts: ['VitrineReplicaLag', 'VitrineDataStale'],
      found: /\+Inf|^$/,
      lasting: [],
      strike: async ({ cluster: { replicas } }) => {
        for (const { adminUrl } of replicas) await runStatements(adminUrl, ['STOP REPLICA'])
        return async () => {
          for (const { adminUrl } of replicas) await runStatements(adminUrl, ['START REPLICA'])
        }
      },
    },
    {
      name: 'a host killed',
      alerts: ['VitrineDatabaseHostDown'],
      found: /host_up\{host="[^"]+"\} 0/,
      lasting: [],
      strike: ({ cluster: { replicas } }) => {
        replicas[1].signal('SIGKILL')
        return Promise.resolve(replicas[1].restart)
      },
    },
    {
      name: 'every host killed',
      alerts: ['VitrineDown', 'VitrineAvailabilityBurnFast'],
      found: /ECONNREFUSED|database_unavailable/,
      lasting: ['VitrineAvailabilityBurnFast'],
      strike: ({ cluster: { replicas } }) => {
        for (const replica of replicas) replica.signal('SIGKILL')
        return Promise.resolve(async () => {
          for (const replica of replicas) await replica.restart()
        })
      },
    },
    {
      name: 'a process killed',
      alerts: ['VitrineProcessDown'],
      found: /vitrine_build_info/,
      lasting: ['VitrineProcessDown'],
      strike: async ({ services }) => {
        services[2]!.child.kill('SIGKILL')
        await waitFor('its end', async () => (await services[2]!.ended) !== null)
        return () => Promise.resolve()
      },
    },
  ]
}
