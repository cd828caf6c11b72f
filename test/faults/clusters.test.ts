import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startJanitor } from '../product/janitor.js'
import type { Janitor } from '../product/janitor.js'
import { localPrograms } from '../support/local-programs.js'
import { galeraFaults, groupFaults } from './cluster-faults.js'
import { openClusterStage } from './cluster-stage.js'
import { isWanted } from './fault.js'
import type { ClusterStage, MemberCluster } from './cluster-stage.js'
import { canRunGalera, startGalera } from './galera.js'
import { startGroup } from './group.js'
import { canRunRouter, sharings, startRouter } from './router.js'
import { canMakeNetworks } from './member-network.js'

/*
 * Clusters of three nodes behind one service, writers at each node, and callers that sync. While one member fails for
 * longer than the overlap, nothing may be lost. `npm run faults` runs it, with FAULTS_ONLY for the faults whose names it
 * matches, where the machine has the servers and this is root: Debian's galera-4, and a MySQL of .ci/mysql.sh, for Router
 * too.
 */

const isRun = process.env['FAULTS_ROUNDS'] !== undefined

const { MariaDB, MySQL } = localPrograms
const clusters = [
  {
    name: 'Galera',
    faults: galeraFaults,
    start: canRunGalera(MariaDB) ? (janitor: Janitor) => startGalera(MariaDB, janitor) : undefined,
  },
  ...(['one primary', 'many primaries'] as const).map((primaries) => ({
    name: `Group Replication, ${primaries}`,
    faults: groupFaults,
    start:
      MySQL === undefined
        ? undefined
        : (janitor: Janitor): Promise<MemberCluster> => startGroup(MySQL, janitor, primaries),
  })),
  ...sharings.map((sharing) => ({
    name: `Group Replication behind Router, ${sharing}`,
    faults: groupFaults,
    start: canRunRouter(MySQL)
      ? async (janitor: Janitor): Promise<MemberCluster> => {
          const group = await startGroup(MySQL, janitor, 'one primary')
          return { ...group, proxies: [await startRouter(MySQL, janitor, group.nodes, sharing)] }
        }
      : undefined,
  })),
]

describe.skipIf(!isRun).each(clusters)('$name', ({ name, faults, start }) => {
  const wanted = faults.filter((fault) => isWanted(`${name}: ${fault.name}`))
  if (start === undefined || !canMakeNetworks || wanted.length === 0) {
    if (wanted.length > 0) process.stderr.write(`Skipped: this machine cannot run a cluster of ${name}\n`)
    test.skip('no cluster could be started', () => undefined)
    return
  }
  let stage: ClusterStage
  beforeAll(async () => {
    const janitor = startJanitor()
    stage = await openClusterStage(await start(janitor), janitor)
  })
  afterAll(() => stage.close())

  test.each(wanted)('loses nothing: $name', async (fault) => {
    const result = await stage.play(fault)
    const numbers = JSON.stringify(result, (_, value: unknown) =>
      typeof value === 'number' ? Math.round(value) : value,
    )
    process.stderr.write(`${name}: ${fault.name}: ${numbers}\n`)
    expect([result.missing, result.stale, result.findings]).toEqual([0, 0, 0])
  })
})
