import { afterAll, describe, expect, test } from 'vitest'
import mysql from 'mysql2/promise'
import { withAccount } from '../product/index.js'
import { startJanitor } from '../product/janitor.js'
import type { Janitor } from '../product/janitor.js'
import { haproxyProgram } from '../support/haproxy.js'
import { localPrograms } from '../support/local-programs.js'
import { canRunGalera, direct, startGalera, startGroup, startReplicas } from './cluster.js'
import type { Cluster } from './cluster.js'
import { nothingLost, runDrill, toLine } from './drill.js'
import type { Disturbance, DrillOptions, DrillResult } from './drill.js'

/*
 * Replicas and clusters behind HAProxy, which gives each connection to the next server. Copies that callers keep by
 * `nextUpdatedSince` alone lose nothing, at any lag, with an overlap of 0. `npm run faults` runs them, where the machine has the
 * servers; a disturbance lasts FAULTS_SECONDS.
 */

const { MariaDB, MySQL } = localPrograms
const seconds = Number(process.env['FAULTS_SECONDS'])

/** The replica follows so many seconds late; it stands still for as long first. */
function lag(lagSeconds: number, lasts: number): Disturbance {
  return {
    seconds: lasts,
    strike: async ({ nodes: [, replica], isMariaDb }) => {
      const change = (to: number): string => `CHANGE REPLICATION SOURCE TO SOURCE_DELAY = ${to}`
      const setDelay = (to: number): Promise<void> =>
        direct(replica!, isMariaDb, 'STOP REPLICA', change(to), 'START REPLICA')
      await setDelay(lagSeconds)
      return () => setDelay(0)
    },
  }
}

/** A member applies nothing; callers still reach it. */
function holdBack(before: readonly string[] = [], after: readonly string[] = []): Disturbance {
  return {
    seconds,
    strike: async ({ nodes, database }) => {
      const uri = withAccount(nodes.at(-1)!.adminUrl, { database })
      const connection = await mysql.createConnection({ uri })
      for (const sql of [...before, 'FLUSH TABLES WITH READ LOCK']) await connection.query(sql)
      return async () => {
        for (const sql of ['UNLOCK TABLES', ...after]) await connection.query(sql)
        await connection.end()
      }
    },
  }
}

interface Drill {
  readonly name: string
  /** Undefined where this machine cannot. */
  readonly start: ((janitor: Janitor) => Promise<Cluster>) | undefined
  readonly disturbances: readonly Disturbance[]
}

const drills: readonly Drill[] = [
  ...[MariaDB, MySQL].map((program, at) => ({
    name: `${at === 0 ? 'MariaDB' : 'MySQL'} with a replica`,
    start: program && ((janitor: Janitor) => startReplicas(program, janitor)),
    disturbances: [lag(30, 2 * seconds), lag(200, 4 * seconds)],
  })),
  ...[1, 2].map((writers) => ({
    name: `Galera, ${writers} of 3 written to`,
    start: MariaDB && canRunGalera ? (janitor: Janitor) => startGalera(MariaDB, janitor, writers) : undefined,
    disturbances: [holdBack(['SET GLOBAL wsrep_desync = ON'], ['SET GLOBAL wsrep_desync = OFF'])],
  })),
  ...([1, 3] as const).map((writers) => ({
    name: `Group Replication, ${writers} of 3 written to`,
    start: MySQL && ((janitor: Janitor) => startGroup(MySQL, janitor, writers)),
    disturbances: [holdBack()],
  })),
]

const lines: string[] = []
afterAll(() => process.stderr.write(`${lines.join('\n')}\n`))

async function run({ name, start }: Drill, options: DrillOptions): Promise<DrillResult> {
  const janitor = startJanitor()
  try {
    const result = await runDrill(await start!(janitor), options)
    lines.push(toLine(name, result))
    return result
  } finally {
    await janitor.finish()
  }
}

describe.skipIf(Number.isNaN(seconds) || haproxyProgram === undefined)('copies behind HAProxy', () => {
  const possible = drills.filter(({ start }) => start !== undefined)
  test.each(possible)('lose nothing: $name', async (one) => {
    expect(await run(one, one)).toMatchObject(nothingLost)
  })

  test.runIf(possible.length > 0)('lose changes behind a late replica without a heartbeat', async () => {
    const options = { disturbances: [lag(30, seconds)], overlapSeconds: 0 }
    const result = await run({ ...possible[0]!, name: 'a replica and no heartbeat' }, options)
    expect(result.missing + result.stale).toBeGreaterThan(0)
  })
})
