import { afterAll, describe, expect, test } from 'vitest'
import { startJanitor } from '../product/janitor.js'
import type { Janitor } from '../product/janitor.js'
import { localPrograms } from '../support/local-programs.js'
import { canBalance } from './balancer.js'
import { cutOff, holdBack, lag } from './disturbances.js'
import { nothingLost, playDrill, toLine } from './drill.js'
import type { Cluster, Disturbance, DrillOptions, DrillResult } from './drill.js'
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
      holdBack(1, seconds, {
        before: ['SET GLOBAL wsrep_desync = ON'],
        after: ['SET GLOBAL wsrep_desync = OFF'],
      }),
      cutOff(1, seconds),
    ],
  })),
  ...([1, 3] as const).map((writers) => ({
    name: `Group Replication behind Router, ${writers} of 3 written to`,
    start: canRunRouter(MySQL) ? (janitor: Janitor) => startGroup(MySQL, janitor, writers) : undefined,
    disturbances: [holdBack(1, seconds), cutOff(2, seconds, rejoinGroup)],
  })),
]

const lines: string[] = []
afterAll(() => process.stderr.write(`${lines.join('\n')}\n`))

async function play({ name, start }: Play, options: DrillOptions): Promise<DrillResult | undefined> {
  if (start === undefined || !canMakeNetworks) {
    process.stderr.write(`Skipped: this machine cannot run ${name}\n`)
    return undefined
  }
  const janitor = startJanitor()
  try {
    const result = await playDrill(await start(janitor), options)
    lines.push(toLine(name, result))
    return result
  } finally {
    await janitor.finish()
  }
}

describe.skipIf(process.env['FAULTS_ROUNDS'] === undefined)('callers who sync', () => {
  const wanted = plays.filter(({ name }) => isWanted(name))
  test.each(wanted)('lose nothing: $name', async (one) => {
    const result = await play(one, one)
    if (result !== undefined) expect(result).toMatchObject(nothingLost)
  })

  const control = { ...plays[0]!, name: 'a replica behind HAProxy and no heartbeat' }
  test.runIf(isWanted(control.name))('lose changes without a heartbeat', async () => {
    const result = await play(control, { disturbances: [lag(30, seconds)], overlapSeconds: 0 })
    if (result !== undefined) expect(result.missing + result.stale).toBeGreaterThan(0)
  })
})
