import { setTimeout as delay } from 'node:timers/promises'
import { runStatements, useServer, withAccount } from '../product/index.js'
import type { TestDatabase } from '../product/test-database.js'
import { ask } from '../support/ask.js'
import { plainYaml } from '../support/plain-mapping.js'
import { listBlocks } from '../support/readme.js'
import { startServing } from '../support/serving.js'
import type { Disturbance } from './disturbances.js'
import { startWriters } from './drill-writers.js'
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
  readonly network: MemberNetwork
}

interface DrillOptions {
  readonly disturbances: readonly Disturbance[]
  /** Without one the clock and the overlap count. */
  readonly hasHeartbeat?: boolean
  /** The longest time that a transaction of the product is open. */
  readonly holdMaxSeconds?: number
}

/** What came of a drill. */
export interface DrillResult extends SyncResult {
  readonly commits: number
  /** Of transactions that were held open. */
  readonly lateCommits: number
}

/** A pause in seconds for each caller: one that syncs all the time reads again what others would lose. */
const pausesSeconds = [0.1, 1, 3, 10, 20, 40]
/** Between two disturbances. */
const restSeconds = 5

/**
 * Callers sync by `updatedSince` and cursors alone while the product writes and the cluster is disturbed. Then their copies are
 * compared with the table. The overlap is 0: the heartbeat of docs/deploy.md alone protects them.
 */
export async function playDrill(cluster: Cluster, options: DrillOptions): Promise<DrillResult> {
  const { disturbances, hasHeartbeat = true, holdMaxSeconds = 60 } = options
  const throwaway = useServer(cluster.writers[0]!)
  try {
    const database = await createProduct(throwaway.createProduct, cluster, hasHeartbeat)
    const key = await database.mintKey({
      workspace: 'W',
      scopes: ['registration.read'],
      columns: { label: 'x' },
    })
    const name = new URL(database.adminUrl).pathname.slice(1)
    await waitForAll(cluster, name)
    const service = await startServing(throwaway, {
      env: {
        DATABASE_URL: database.readUrl.replace(new URL(database.readUrl).host, cluster.address),
        // New sessions reach the next server.
        DATABASE_CONNECTION_MAX_AGE_SECONDS: '2',
        MAPPING_FILE: database.mappingFile,
        SYNC_OVERLAP_SECONDS: '0',
      },
    })
    const writers = startWriters(cluster.writers, name, holdMaxSeconds)
    const callers = pausesSeconds.map((pause) => startSyncing(service.api, key, pause * 1000))
    for (const { seconds, strike } of disturbances) {
      await delay(restSeconds * 1000)
      const undo = await strike(cluster, name)
      await delay(seconds * 1000)
      await undo()
    }
    const { commits, lateCommits } = await writers.stop()
    await waitForAll(cluster, name)
    // A sync can have begun before.
    for (let count = 0; count < 2; count += 1) await Promise.all(callers.map(({ syncNow }) => syncNow()))
    const stored = await ask(
      database.adminUrl,
      "SELECT id, attendee_name AS version FROM event_registrations WHERE workspace_id = 'W'",
    )
    const results = await Promise.all(callers.map(({ stop }) => stop(stored)))
    const warnings = service
      .output()
      .split('\n')
      .filter((line) => /"level":[45]0.*"(?:cause|error|err)"/.test(line))
    process.stderr.write(`${warnings.slice(0, 20).join('\n')}\n`)
    return { commits, lateCommits, ...sum(results) }
  } finally {
    await throwaway.stop()
  }
}

async function createProduct(
  create: ReturnType<typeof useServer>['createProduct'],
  { writers, local }: Cluster,
  hasHeartbeat: boolean,
): Promise<TestDatabase> {
  const [table = '', onMySql = '', onMariaDb = ''] = listBlocks('sql', 'docs/deploy.md').filter((block) =>
    block.includes('vitrine_heartbeat'),
  )
  const heartbeat = 'heartbeat: { table: vitrine_heartbeat, column: ts, oldestOpen: oldest_open }\n'
  const database = await create({
    schema: [new URL('../product/plain.sql', import.meta.url), { text: table }],
    mapping: { text: `${hasHeartbeat ? heartbeat : ''}${plainYaml}` },
  })
  const event = writers[0]!.isMariaDb ? onMariaDb : onMySql
  const name = new URL(database.adminUrl).pathname.slice(1)
  for (const [at, { adminUrl }] of writers.entries()) {
    const url = withAccount(adminUrl, { database: name })
    if (at === 0) await runStatements(url, [event])
    else {
      await waitFor('the event', async () => (await ask(url, 'SHOW EVENTS')).length === 1)
      await runStatements(url, [...local, 'ALTER EVENT vitrine_heartbeat ENABLE'])
    }
  }
  return database
}

/** Every node has the first beats, and holds the same; a beat of each writer is newer than all changes. */
async function waitForAll({ nodes, writers }: Cluster, name: string): Promise<void> {
  const read = async ({ adminUrl }: Member): Promise<string> => {
    const [row] = await ask(
      withAccount(adminUrl, { database: name }),
      `SELECT COUNT(*) AS rows_, SUM(CRC32(CONCAT(id, attendee_name))) AS sum,
         (SELECT COUNT(*) FROM vitrine_heartbeat WHERE oldest_open > (SELECT COALESCE(MAX(updated_at), '2000-01-01') FROM event_registrations)) AS beats
       FROM event_registrations`,
    ).catch(() => [])
    return JSON.stringify(row)
  }
  await waitFor('every node to hold the same', async () => {
    const states = await Promise.all(nodes.map(read))
    return new Set(states).size === 1 && states[0]!.includes(`"beats":${writers.length}`)
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
  }
}
