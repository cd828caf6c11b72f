import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { runStatements, useServer, withAccount } from '../product/index.js'
import type { Server, Throwaway } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { ask } from '../support/ask.js'
import { plainYaml } from '../support/plain-mapping.js'
import { listBlocks } from '../support/readme.js'
import { startServing } from '../support/vitrine.js'
import type { Cluster } from './cluster.js'
import { startSyncing } from './syncing.js'
import type { SyncResult } from './syncing.js'
import { startWriters, usualForm } from './writers.js'
import type { TimeForm, Writing } from './writers.js'

/** What a disturbance can reach. */
export interface Scene extends Cluster {
  /** The name of the database. */
  readonly database: string
  /** The user of the service. */
  readonly user: string
  /** Ends the service and starts another one. */
  readonly restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** What is done to a cluster or to the service, and how long it lasts. */
export interface Disturbance {
  readonly seconds: number
  /** Resolves to what takes it back. */
  readonly strike: (scene: Scene) => Promise<() => Promise<void>>
}

/** How a drill runs. */
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
export async function runDrill(cluster: Cluster, options: DrillOptions): Promise<DrillResult> {
  const { disturbances, overlapSeconds, ...writing } = options
  const throwaway = useServer(cluster.writers[0]!)
  const hasHeartbeat = overlapSeconds === undefined
  try {
    const product = await createProduct(throwaway, cluster, hasHeartbeat, writing.form)
    const input = { workspace: 'W', scopes: ['registration.read'], columns: { label: 'x' } } as const
    const key = await product.mintKey(input)
    const { pathname, username, host } = new URL(product.readUrl)
    const database = pathname.slice(1)
    await waitForAll(cluster, database, hasHeartbeat)
    const start = () =>
      startServing(
        { ...product, readUrl: product.readUrl.replace(host, cluster.address) },
        // New sessions reach the next server.
        { DATABASE_CONNECTION_MAX_AGE_SECONDS: '2', SYNC_OVERLAP_SECONDS: String(overlapSeconds ?? 0) },
      )
    let service = await start()
    const restart: Scene['restart'] = async (signal) => {
      await service.end(signal)
      service = await start()
    }
    const writers = startWriters(cluster.writers, database, writing)
    const callers = pausesSeconds.map((pause) => startSyncing(() => service.api, key, pause * 1000))
    for (const { seconds, strike } of disturbances) {
      await delay(restSeconds * 1000)
      const undo = await strike({ ...cluster, database, user: username, restart })
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
    const results = await Promise.all(callers.map(({ stop }) => stop(stored)))
    await service.end()
    return { ...counts, ...sum(results) }
  } finally {
    await throwaway.stop()
  }
}

/** The table of the heartbeat, and the event that writes it, as docs/deploy.md has them. */
const [beats = '', onMySql = ''] = listBlocks('sql', 'docs/deploy.md').filter((block) =>
  block.includes('vitrine_heartbeat'),
)

async function createProduct(
  { createProduct: create }: Throwaway,
  { writers, isMariaDb, local }: Cluster,
  hasHeartbeat: boolean,
  { digits, timezone }: TimeForm = usualForm,
): Promise<TestDatabase> {
  const heartbeat = 'heartbeat: { table: vitrine_heartbeat, column: ts, oldestOpen: oldest_open }\n'
  const type = `ALTER TABLE event_registrations MODIFY updated_at DATETIME(${digits}) NOT NULL;`
  const product = await create({
    schema: [new URL('../product/plain.sql', import.meta.url), { text: beats + type }],
    mapping: { text: (hasHeartbeat ? heartbeat : '') + plainYaml.replace('+00:00', timezone) },
  })
  const database = new URL(product.adminUrl).pathname.slice(1)
  for (const [at, { adminUrl }] of hasHeartbeat ? writers.entries() : []) {
    const url = withAccount(adminUrl, { database })
    if (at === 0)
      await runStatements(url, [
        isMariaDb ? onMySql.replace('performance_schema', 'information_schema') : onMySql,
      ])
    else {
      // The event is replicated, and disabled there.
      await expect.poll(() => ask(url, 'SHOW EVENTS'), { timeout: 60_000 }).toHaveLength(1)
      await runStatements(url, [local, 'ALTER EVENT vitrine_heartbeat ENABLE'])
    }
  }
  return product
}

/** Every node has the first beats, and holds the same; a beat of each writer is newer than all changes. */
async function waitForAll(
  { nodes, writers }: Cluster,
  database: string,
  hasHeartbeat: boolean,
): Promise<void> {
  const read = async ({ adminUrl }: Server): Promise<string> => {
    const [row] = await ask(
      withAccount(adminUrl, { database }),
      `SELECT COUNT(*) AS count, SUM(CRC32(CONCAT(id, attendee_name))) AS sum,
         (SELECT COUNT(*) FROM vitrine_heartbeat WHERE oldest_open > (SELECT COALESCE(MAX(updated_at), '2000-01-01') FROM event_registrations)) AS beats
       FROM event_registrations`,
    ).catch(() => [])
    return JSON.stringify(row)
  }
  const areSame = async (): Promise<boolean> => {
    const states = await Promise.all(nodes.map(read))
    return new Set(states).size === 1 && states[0]!.includes(`"beats":${hasHeartbeat ? writers.length : 0}`)
  }
  await expect.poll(areSame, { timeout: 600_000, interval: 100 }).toBe(true)
}

function sum(results: readonly SyncResult[]): SyncResult {
  const add = (name: keyof SyncResult): number => results.reduce((total, one) => total + one[name], 0)
  return {
    ...{ syncs: add('syncs'), requests: add('requests'), failed: add('failed') },
    ...{ missing: add('missing'), stale: add('stale'), disordered: add('disordered') },
  }
}
