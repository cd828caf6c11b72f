import { setTimeout as delay } from 'node:timers/promises'
import { useServer } from '../product/index.js'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import type { Janitor } from '../product/janitor.js'
import { startServing } from '../support/serving.js'
import type { ServingProcess } from '../support/serving.js'
import { ask } from '../support/ask.js'
import { waitFor } from './cluster.js'
import type { MemberNetwork } from './member-network.js'
import type { Member } from './member.js'
import type { Undo } from './sessions.js'
import { startSyncing, startWriters } from './sync-drill.js'
import type { DrillResult } from './sync-drill.js'

/** The members of a cluster. */
export interface MemberCluster {
  readonly nodes: readonly Member[]
  readonly network: MemberNetwork
  /** The addresses of a service, where these are not the members. */
  readonly proxies?: readonly string[]
}

/** A cluster with the database of a product. */
export interface ClusterScene extends MemberCluster {
  readonly database: ProductDatabase
  /** Starts a service in place of the present one. */
  readonly replaceService: () => Promise<void>
  /** Every caller syncs as soon as the service can read each host. */
  readonly syncWhenAllAreUp: () => Promise<void>
}

/** A service before the members of a cluster, with callers that sync and writers. */
export interface ClusterStage {
  /** Breaks a member for longer than the overlap, fixes it, and compares the copies with the table. */
  readonly play: (fault: ClusterFault) => Promise<FaultResult>
  readonly close: () => Promise<void>
}

/** What came of a fault. */
export interface FaultResult extends DrillResult {
  /** `vitrine_database_host_up` of each address of the service, late in the fault. */
  readonly hostUp: string
  /** By the writer at each node. */
  readonly commits: string
  /** New findings of the audit: a failing host is none. */
  readonly findings: number
}

/** Something that goes wrong with a member. */
export interface ClusterFault {
  readonly name: string
  readonly strike: (scene: ClusterScene) => Promise<Undo>
}

/** The overlap in seconds: a loss is not seen before it has passed. */
const overlapSeconds = Number(process.env['FAULTS_OVERLAP'] ?? 120)

/**
 * The pauses of the callers. One that syncs all the time reads what a stale member hid from another one. One that syncs more
 * rarely than the overlap does not: what one sync misses is lost. The last ones sync only when they are woken.
 */
const pausesMs = [
  150,
  ...Array<number>(3).fill((overlapSeconds + 1) * 1000),
  ...Array<number>(3).fill(86_400_000),
]

export async function openClusterStage(cluster: MemberCluster, janitor: Janitor): Promise<ClusterStage> {
  const { nodes } = cluster
  const addresses = cluster.proxies ?? nodes.map(({ name }) => name)
  const throwaway = useServer(nodes[0]!)
  const database = await throwaway.createProduct('plain', { registrations: 300 })
  const service = await startService(throwaway, database, addresses)
  const { readHostsUp } = service
  let writers = startWriters(nodes, database)
  const syncs = pausesMs.map((pauseMs) => startSyncing(service.api, pauseMs))
  const syncAll = async (): Promise<void> => {
    await Promise.all(syncs.map((one) => one.syncNow()))
  }
  const waitForHosts = (): Promise<void> =>
    waitFor('every host to be read again', async () => !(await readHostsUp()).includes('0'))
  const scene = {
    ...cluster,
    database,
    replaceService: service.replace,
    syncWhenAllAreUp: async () => {
      await waitForHosts()
      await syncAll()
    },
  }
  const compare = async (): Promise<readonly DrillResult[]> =>
    Promise.all(syncs.map((one) => one.compare(nodes[0]!, database)))
  return {
    play: async (fault) => {
      await compare()
      const findingsBefore = service.countFindings()
      const fix = await fault.strike(scene)
      await delay(1.5 * overlapSeconds * 1000)
      const hostUp = await readHostsUp()
      await fix()
      await waitForHosts()
      const commits = await writers.stop()
      await waitFor('every member to hold the same', () => holdTheSame(nodes, database))
      // One sync can have begun before.
      for (let count = 0; count < 2; count += 1) await syncAll()
      const result = sumUp(await compare())
      const findings = service.countFindings() - findingsBefore
      writers = startWriters(nodes, database)
      return { hostUp, commits, findings, ...result }
    },
    close: async () => {
      await writers.stop()
      await Promise.all(syncs.map((one) => one.stop()))
      process.stderr.write(`${listEvents(await service.end())}\n`)
      await throwaway.stop()
      await janitor.finish()
    },
  }
}

/** A service before the addresses, in which another process can take the place of the first one. */
async function startService(
  throwaway: Throwaway,
  { readUrl, mappingFile }: ProductDatabase,
  addresses: readonly string[],
) {
  const start = (): Promise<ServingProcess> =>
    startServing(throwaway, {
      program: process.env['FAULTS_PROGRAM'] ?? 'dist/cli.js',
      env: {
        DATABASE_URL: readUrl.replace(new URL(readUrl).host, addresses.join(',')),
        MAPPING_FILE: mappingFile,
        SYNC_OVERLAP_SECONDS: String(overlapSeconds),
        AUDIT: process.env['FAULTS_AUDIT'] ?? 'enforce',
      },
    })
  let serving = await start()
  let printed = ''
  const end = async ({ child, ended, output }: ServingProcess): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    printed += output()
  }
  return {
    api: () => serving.api,
    replace: async () => {
      const old = serving
      serving = await start()
      await end(old)
    },
    readHostsUp: async () => {
      const text = await (await fetch(`${serving.ops}/metrics`)).text()
      return addresses
        .map((name) => text.split(`vitrine_database_host_up{host="${name}"} `)[1]?.split('\n')[0] ?? '?')
        .join(' ')
    },
    countFindings: () => (printed + serving.output()).split('audit: a new finding').length - 1,
    /** @returns what all processes printed. */
    end: async () => {
      await end(serving)
      return printed
    },
  }
}

async function holdTheSame(nodes: readonly Member[], { adminUrl }: ProductDatabase): Promise<boolean> {
  const sums = nodes.map(async (node) => {
    const url = new URL(node.adminUrl)
    url.pathname = new URL(adminUrl).pathname
    return JSON.stringify(
      await ask(
        url.href,
        "SELECT COUNT(*), SUM(CRC32(CONCAT(id, ' ', attendee_name))) FROM event_registrations",
      ),
    )
  })
  return new Set(await Promise.all(sums)).size === 1
}

/** The lines of a service about its hosts, its readiness and its audit. */
function listEvents(output: string): string {
  const lines = output.split('\n').filter((line) => /"host"|readyz|"finding"/.test(line))
  return lines
    .map((line) => line.replace(/"stack".*/, ''))
    .join('\n')
    .slice(-6000)
}

/** The sums of all callers, and the longest times. */
function sumUp(results: readonly DrillResult[]): DrillResult {
  const sum = (name: Exclude<keyof DrillResult, 'lost'>): number =>
    results.reduce((total, one) => total + one[name], 0)
  const most = (name: Exclude<keyof DrillResult, 'lost'>): number =>
    Math.max(...results.map((one) => one[name]))
  return {
    syncs: sum('syncs'),
    refused: sum('refused'),
    refusedMs: most('refusedMs'),
    slowestMs: most('slowestMs'),
    missing: sum('missing'),
    stale: sum('stale'),
    older: sum('older'),
    rows: most('rows'),
    lost: results.flatMap(({ lost }) => lost).slice(0, 5),
  }
}
