import { setTimeout as delay } from 'node:timers/promises'
import { useServer } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import type { Janitor } from '../product/janitor.js'
import { startServing } from '../support/serving.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'
import type { Mend } from './sessions.js'
import { startSyncing, startWriters } from './sync-drill.js'
import type { DrillResult } from './sync-drill.js'

/** A service before the members of a cluster, with callers that sync and writers. */
export interface ClusterStage {
  readonly nodes: readonly Node[]
  readonly database: ProductDatabase
  /** Breaks a member for longer than the overlap, fixes it, and compares the copies with the table. */
  readonly play: (fault: ClusterFault) => Promise<DrillResult>
  /** What the service says of a member. */
  readonly readHostUp: (node: Node) => Promise<string | undefined>
  readonly close: () => Promise<void>
}

/** Something that goes wrong with a member. */
export interface ClusterFault {
  readonly name: string
  readonly strike: (stage: Pick<ClusterStage, 'nodes' | 'database'>) => Promise<Mend>
}

/** The overlap in seconds: a loss is not seen before it has passed. The default of a service is 120. */
const overlapSeconds = Number(process.env['FAULTS_OVERLAP'] ?? 4)

/** @param writable the members that take writes. */
export async function openClusterStage(
  nodes: readonly Node[],
  writable: readonly Node[],
  janitor: Janitor,
): Promise<ClusterStage> {
  const throwaway = useServer(nodes[0]!)
  const database = await throwaway.createProduct('plain', { registrations: 300, replicas: true })
  const { host } = new URL(database.readUrl)
  const serving = await startServing(throwaway, {
    program: process.env['FAULTS_PROGRAM'] ?? 'dist/cli.js',
    env: {
      DATABASE_URL: database.readUrl.replace(host, nodes.map(({ name }) => name).join(',')),
      MAPPING_FILE: database.mappingFile,
      SYNC_OVERLAP_SECONDS: String(overlapSeconds),
      AUDIT: process.env['FAULTS_AUDIT'] ?? 'enforce',
    },
  })
  const readHostUp = async ({ name }: Node): Promise<string | undefined> => {
    const text = await (await fetch(`${serving.ops}/metrics`)).text()
    return text.split(`vitrine_database_host_up{host="${name}"} `)[1]?.split('\n')[0]
  }
  let writers = startWriters(writable, database)
  // A caller that syncs all the time reads what a stale member hid from another one. One that syncs more rarely than the
  // overlap does not: what one sync misses is lost.
  const syncs = [150, ...Array<number>(6).fill((overlapSeconds + 1) * 1000)].map((pauseMs) =>
    startSyncing(serving.api, pauseMs),
  )
  const compare = async (): Promise<readonly DrillResult[]> =>
    Promise.all(syncs.map((one) => one.compare(nodes[0]!, database)))
  return {
    nodes,
    database,
    readHostUp,
    play: async (fault) => {
      await compare()
      const fix = await fault.strike({ nodes, database })
      await delay(3 * (overlapSeconds + 1) * 1000)
      await fix()
      for (const node of nodes)
        await waitFor(`${node.name} to be read again`, async () => (await readHostUp(node)) === '1')
      // A sync after the return, from where the last one ended.
      await delay(2000)
      await writers.stop()
      const before = syncs.map((one) => one.countSyncs())
      await waitFor('two syncs of each', () => syncs.every((one, at) => one.countSyncs() > before[at]! + 1))
      const result = sumUp(await compare())
      writers = startWriters(writable, database)
      return result
    },
    close: async () => {
      await writers.stop()
      await Promise.all(syncs.map((one) => one.stop()))
      serving.child.kill('SIGTERM')
      await serving.ended
      process.stderr.write(
        `${serving
          .output()
          .split('\n')
          .filter((line) => line.includes('"host"') || line.includes('readyz'))
          .map((line) => line.replace(/"stack".*/, ''))
          .join('\n')
          .slice(-6000)}\n`,
      )
      await throwaway.stop()
      await janitor.finish()
    },
  }
}

/** The sums of all callers, and the longest times. */
function sumUp(results: readonly DrillResult[]): DrillResult {
  const sum = (name: keyof DrillResult): number => results.reduce((total, one) => total + one[name], 0)
  const most = (name: keyof DrillResult): number => Math.max(...results.map((one) => one[name]))
  return {
    syncs: sum('syncs'),
    refused: sum('refused'),
    refusedMs: most('refusedMs'),
    slowestMs: most('slowestMs'),
    missing: sum('missing'),
    stale: sum('stale'),
    older: sum('older'),
    rows: most('rows'),
  }
}
