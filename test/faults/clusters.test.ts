import mysql from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runStatements } from '../product/index.js'
import { startJanitor } from '../product/janitor.js'
import { localPrograms } from '../support/local-programs.js'
import { openClusterStage } from './cluster-stage.js'
import type { ClusterFault, ClusterStage } from './cluster-stage.js'
import { canRunGalera, startGalera } from './galera.js'
import { startGroup } from './group.js'
import type { Mend } from './sessions.js'

/*
 * Clusters of three nodes behind one service, writers at each writable node, and a caller that syncs all the time. While
 * one member fails for longer than the overlap, nothing may be lost. `npm run faults` runs it where the machine has the
 * servers: Debian's galera-4, and a MySQL of .ci/mysql.sh.
 */

const isWanted = ({ name }: ClusterFault): boolean => name.includes(process.env['FAULTS_ONLY'] ?? '')
const isRun = process.env['FAULTS_ROUNDS'] !== undefined

/** Statements at the second member, on a session that ends when they are taken back. */
function hold(name: string, statements: readonly string[], back: readonly string[] = []): ClusterFault {
  return {
    name,
    strike: async ({ nodes, database }) => {
      const url = new URL(nodes[1]!.adminUrl)
      url.pathname = new URL(database.adminUrl).pathname
      const connection = await mysql.createConnection({ uri: url.href })
      for (const statement of statements) await connection.query(statement)
      return async () => {
        for (const statement of back) await connection.query(statement)
        await connection.end()
      }
    },
  }
}

function signal(name: string, kind: 'SIGKILL' | 'SIGSTOP', at = 1): ClusterFault {
  return {
    name,
    strike: ({ nodes }): Promise<Mend> => {
      const node = nodes[at]!
      node.signal(kind)
      return Promise.resolve(
        kind === 'SIGKILL'
          ? node.restart
          : () => {
              node.signal('SIGCONT')
            },
      )
    },
  }
}

const galeraFaults: readonly ClusterFault[] = [
  hold(
    'galera: a desynced node with a global read lock',
    ['SET GLOBAL wsrep_desync = 1', 'FLUSH TABLES WITH READ LOCK'],
    ['UNLOCK TABLES', 'SET GLOBAL wsrep_desync = 0'],
  ),
  signal('galera: a node killed', 'SIGKILL'),
  signal('galera: a node frozen', 'SIGSTOP'),
  hold('galera: a table locked at a node', ['LOCK TABLES event_registrations READ'], ['UNLOCK TABLES']),
]

const groupFaults: readonly ClusterFault[] = [
  {
    name: 'group: a member OFFLINE',
    strike: async ({ nodes }) => {
      await runStatements(nodes[1]!.adminUrl, ['STOP GROUP_REPLICATION'])
      return () => runStatements(nodes[1]!.adminUrl, ['START GROUP_REPLICATION'])
    },
  },
  hold(
    'group: an applier that waits for a lock',
    ['LOCK TABLES event_registrations READ'],
    ['UNLOCK TABLES'],
  ),
  signal('group: a secondary killed', 'SIGKILL'),
  signal('group: a secondary frozen', 'SIGSTOP'),
]

const clusters = [
  {
    name: 'Galera',
    faults: galeraFaults.filter(isWanted),
    program: canRunGalera(localPrograms.MariaDB) ? localPrograms.MariaDB : undefined,
    start: startGalera,
    countWritable: 3,
  },
  {
    name: 'Group Replication',
    faults: groupFaults.filter(isWanted),
    program: localPrograms.MySQL,
    start: startGroup,
    countWritable: 1,
  },
]

describe.skipIf(!isRun).each(clusters)(
  'a cluster of $name',
  ({ name, faults, program, start, countWritable }) => {
    if (program === undefined || faults.length === 0) {
      if (program === undefined)
        process.stderr.write(`Skipped: this machine cannot run a cluster of ${name}\n`)
      test.skip('no cluster could be started', () => undefined)
      return
    }
    let stage: ClusterStage
    const lines: string[] = []
    beforeAll(async () => {
      const janitor = startJanitor()
      const nodes = await start(program, janitor)
      stage = await openClusterStage(nodes, nodes.slice(0, countWritable), janitor)
    })
    afterAll(async () => {
      process.stderr.write(`${lines.join('\n')}\n`)
      await stage.close()
    })

    test.each(faults)('loses nothing: $name', async (fault) => {
      const result = await stage.play(fault)
      lines.push(
        `${fault.name}: ${JSON.stringify(result, (_, value: unknown) => (typeof value === 'number' ? Math.round(value) : value))}`,
      )
      expect([result.missing, result.stale]).toEqual([0, 0])
    })
  },
)
