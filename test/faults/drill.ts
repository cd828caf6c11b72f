import { setTimeout as delay } from 'node:timers/promises'
import { runStatements, useServer, withAccount } from '../product/index.js'
import type { Throwaway } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { ask } from '../support/ask.js'
import { plainYaml } from '../support/plain-mapping.js'
import { listBlocks } from '../support/readme.js'
import { startRunningService } from '../support/running-service.js'
import type { EndSignal } from '../support/running-service.js'
import { startWriters, usualForm } from './drill-writers.js'
import type { TimeForm, Writing } from './drill-writers.js'
import type { Member } from './member.js'
import type { MemberNetwork } from './member-network.js'
import { startSyncing } from './syncing.js'
import type { SyncResult } from './syncing.js'
import { waitFor } from './wait-for.js'

/** Servers behind one address. */
export interface Cluster {
  readonly nodes: readonly Member[]
  /** Those that the product writes to; each has a heartbeat of its own. */
  readonly writers: readonly Member[]
  /** `host:port` of what stands in front of them. */
  readonly address: string
  /** Keeps the statements that follow in a session from the other nodes; empty where only one node is written to. */
  readonly local: readonly string[]
  readonly network?: MemberNetwork
}

/** What a disturbance can reach. */
export interface Scene extends Cluster {
  /** The name of the database. */
  readonly database: string
  /** The user of the service. */
  readonly user: string
  /** Ends the service and starts another one. */
  readonly restart: (signal: EndSignal) => Promise<void>
}

/** What is done to a cluster or to the service, and how long it lasts. */
export interface Disturbance {
  readonly seconds: number
  /** Resolves to what takes it back. */
  readonly strike: (scene: Scene) => Promise<() => Promise<void>>
}

/** How a drill is played. */
export interface DrillOptions extends Partial<Writing> {
  readonly disturbances: readonly Disturbance[]
  /** Undefined for the heartbeat of docs/deploy.md, with an overlap of 0. */
  readonly overlapSeconds?: number
}

/** What came of a drill. */
export interface DrillResult extends SyncResult {
  readonly commits: number
  /** Of transactions that were held open. */
  readonly lateCommits: number
}

/** What a drill comes to where every request is answered and no copy lacks a change. */
export const nothingLost: Partial<DrillResult> = { missing: 0, stale: 0, disordered: 0, failed: 0 }

/** One line for people. */
export function toLine(name: string, result: DrillResult): string {
  const counts = Object.entries(result).map(([what, count]) => `${what} ${String(count)}`)
  return `${name}: ${counts.join(', ')}`
}

/** A pause in seconds for each caller: one that syncs all the time reads again what others would lose. */
const pausesSeconds = [0, 0.1, 1, 3, 10, 30]
/** Between two disturbances. */
const restSeconds = 5

/**
 * Callers sync by `updatedSince` and cursors alone while the product writes and the cluster is disturbed. Then their copies are
 * compared with the table.
 */
export async function playDrill(cluster: Cluster, options: DrillOptions): Promise<DrillResult> {
  const { disturbances, overlapSeconds, ...writing } = options
  const throwaway = useServer(cluster.writers[0]!)
  const hasHeartbeat = overlapSeconds === undefined
  try {
    const product = await createProduct(throwaway, cluster, hasHeartbeat, writing.form)
    const key = await product.mintKey({
      workspace: 'W',
      scopes: ['registration.read'],
      columns: { label: 'x' },
    })
    const { pathname, username, host } = new URL(product.readUrl)
    const database = pathname.slice(1)
    await waitForAll(cluster, database, hasHeartbeat)
    const service = await startService(throwaway, {
      DATABASE_URL: product.readUrl.replace(host, cluster.address),
      // New sessions reach the next server.
      DATABASE_CONNECTION_MAX_AGE_SECONDS: '2',
      MAPPING_FILE: product.mappingFile,
      SYNC_OVERLAP_SECONDS: String(overlapSeconds ?? 0),
    })
    const writers = startWriters(cluster.writers, database, writing)
    const callers = pausesSeconds.map((pause) => startSyncing(service.api, key, pause * 1000))
    const scene = { ...cluster, database, user: username, restart: service.restart }
    for (const { seconds, strike } of disturbances) {
      await delay(restSeconds * 1000)
      const undo = await strike(scene)
      await delay(seconds * 1000)
      await undo()
    }
    const counts = await writers.stop()
    await waitForAll(cluster, database, hasHeartbeat)
    // A sync can have begun before.
    for (let count = 0; count < 2; count += 1) await Promise.all(callers.map(({ syncNow }) => syncNow()))
    const stored = await ask(
      product.adminUrl,
      "SELECT id, attendee_name AS version FROM event_registrations WHERE workspace_id = 'W'",
    )
    return { ...counts, ...sum(await Promise.all(callers.map(({ stop }) => stop(stored)))) }
  } finally {
    await throwaway.stop()
  }
}

async function startService(throwaway: Throwaway, env: Readonly<Record<string, string>>) {
  let service = await startRunningService(throwaway, env)
  return {
    api: () => service.api,
    restart: async (signal: EndSignal) => {
      await service.end(signal)
      service = await startRunningService(throwaway, env)
    },
  }
}

/** The table of the heartbeat, and the events of MySQL and MariaDB that write it, as docs/deploy.md has them. */
const [beats = '', onMySql = '', onMariaDb = ''] = listBlocks('sql', 'docs/deploy.md').filter((block) =>
  block.includes('vitrine_heartbeat'),
)

async function createProduct(
  { createProduct: create }: Throwaway,
  cluster: Cluster,
  hasHeartbeat: boolean,
  { digits, timezone }: TimeForm = usualForm,
): Promise<TestDatabase> {
  const heartbeat = 'heartbeat: { table: vitrine_heartbeat, column: ts, oldestOpen: oldest_open }\n'
  const type = `ALTER TABLE event_registrations MODIFY updated_at DATETIME(${digits}) NOT NULL;`
  const product = await create({
    schema: [new URL('../product/plain.sql', import.meta.url), { text: beats + type }],
    mapping: { text: (hasHeartbeat ? heartbeat : '') + plainYaml.replace('+00:00', timezone) },
  })
  if (hasHeartbeat) await createEvents(cluster, new URL(product.adminUrl).pathname.slice(1))
  return product
}

async function createEvents({ writers, local }: Cluster, database: string): Promise<void> {
  for (const [at, { adminUrl, isMariaDb }] of writers.entries()) {
    const url = withAccount(adminUrl, { database })
    if (at === 0) await runStatements(url, [isMariaDb ? onMariaDb : onMySql])
    else {
      await waitFor('the event', async () => (await ask(url, 'SHOW EVENTS')).length === 1)
      await runStatements(url, [...local, 'ALTER EVENT vitrine_heartbeat ENABLE'])
    }
  }
}

/** Every node has the first beats, and holds the same; a beat of each writer is newer than all changes. */
async function waitForAll(
  { nodes, writers }: Cluster,
  database: string,
  hasHeartbeat: boolean,
): Promise<void> {
  const read = async ({ adminUrl }: Member): Promise<string> => {
    const [row] = await ask(
      withAccount(adminUrl, { database }),
      `SELECT COUNT(*) AS count, SUM(CRC32(CONCAT(id, attendee_name))) AS sum,
         (SELECT COUNT(*) FROM vitrine_heartbeat WHERE oldest_open > (SELECT COALESCE(MAX(updated_at), '2000-01-01') FROM event_registrations)) AS beats
       FROM event_registrations`,
    ).catch(() => [])
    return JSON.stringify(row)
  }
  await waitFor('every node to hold the same', async () => {
    const states = await Promise.all(nodes.map(read))
    return new Set(states).size === 1 && states[0]!.includes(`"beats":${hasHeartbeat ? writers.length : 0}`)
  })
}

function sum(results: readonly SyncResult[]): SyncResult {
  const add = (name: keyof SyncResult): number => results.reduce((total, one) => total + one[name], 0)
  return {
    syncs: add('syncs'),
    requests: add('requests'),
    failed: add('failed'),
    missing: add('missing'),
    stale: add('stale'),
    disordered: add('disordered'),
  }
}
