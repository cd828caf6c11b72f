import { afterAll, describe, expect, test } from 'vitest'
import { startJanitor } from '../product/janitor.js'
import type { Janitor } from '../product/janitor.js'
import { localPrograms } from '../support/local-programs.js'
import { canBalance } from './balancer.js'
import { cutOff, hold, lag } from './disturbances.js'
import type { Disturbance } from './disturbances.js'
import { playDrill } from './drill.js'
import type { Cluster, DrillResult } from './drill.js'
import { isWanted } from './fault.js'
import { canRunGalera, startGalera } from './galera.js'
import { canRunRouter, rejoinGroup, startGroup } from './group.js'
import { canMakeNetworks } from './member-network.js'
import { startReplicas } from './replicas.js'

/*
 * Replicas and clusters behind a proxy, which gives each connection to the next server. Copies that callers keep by
 * `nextUpdatedSince` alone lose nothing, at any lag, with an overlap of 0. `npm run faults` plays them, with FAULTS_ONLY for the
 * names that it matches, where the machine has the servers and this is root: HAProxy, Debian's galera-4, and a MySQL with its
 * Router of .ci/mysql.sh.
 */

interface Play {
  readonly name: string
  /** Undefined where this machine cannot. */
  readonly start: ((janitor: Janitor) => Promise<Cluster>) | undefined
  readonly disturbances: readonly Disturbance[]
}

const { MariaDB, MySQL } = localPrograms
/** Each lasts so long, in seconds. */
const seconds = Number(process.env['FAULTS_SECONDS'] ?? 60)

const plays: readonly Play[] = [
  ...[MariaDB, MySQL].map((program, at) => ({
    name: `${at === 0 ? 'MariaDB' : 'MySQL'} with a replica behind HAProxy`,
    start:
      program === undefined || !canBalance
        ? undefined
        : (janitor: Janitor) => startReplicas(program, janitor),
    disturbances: [lag(30, 2 * seconds), lag(200, 4 * seconds)],
  })),
  ...([1, 2] as const).map((writers) => ({
    name: `Galera behind HAProxy, ${writers} of 3 written to`,
    start:
      MariaDB === undefined || !canRunGalera || !canBalance
        ? undefined
        : (janitor: Janitor) => startGalera(MariaDB, janitor, writers),
    disturbances: [
      hold('member 2 held back', 1, {
        seconds,
        statements: ['SET GLOBAL wsrep_desync = ON', 'FLUSH TABLES WITH READ LOCK'],
        back: ['UNLOCK TABLES', 'SET GLOBAL wsrep_desync = OFF'],
      }),
      cutOff(1, seconds),
    ],
  })),
  ...([1, 3] as const).map((writers) => ({
    name: `Group Replication behind Router, ${writers} of 3 written to`,
    start: canRunRouter(MySQL) ? (janitor: Janitor) => startGroup(MySQL, janitor, writers) : undefined,
    disturbances: [
      hold('member 2 held back', 1, { seconds, statements: ['FLUSH TABLES WITH READ LOCK'] }),
      cutOff(2, seconds, rejoinGroup),
    ],
  })),
]

const columns = ['commits', 'lateCommits', 'syncs', 'requests', 'failed', 'missing', 'stale'] as const
const lines: string[] = []
const note = (name: string, result: DrillResult): void => {
  lines.push(`${name}: ${columns.map((column) => `${column} ${result[column]}`).join(', ')}`)
}
afterAll(() => process.stderr.write(`${lines.join('\n')}\n`))

describe.skipIf(process.env['FAULTS_ROUNDS'] === undefined)('callers who sync lose nothing', () => {
  const wanted = plays.filter(({ name }) => isWanted(name))
  test.each(wanted)('$name', async ({ name, start, disturbances }) => {
    if (start === undefined || !canMakeNetworks) {
      process.stderr.write(`Skipped: this machine cannot run ${name}\n`)
      return
    }
    const janitor = startJanitor()
    try {
      const result = await playDrill(await start(janitor), { disturbances })
      note(name, result)
      expect(result).toMatchObject({ missing: 0, stale: 0, failed: 0 })
    } finally {
      await janitor.finish()
    }
  })
})
