import { rmSync } from 'node:fs'
import mysql from 'mysql2/promise'
import { runStatements } from '../product/index.js'
import { ask } from '../support/ask.js'
import { waitFor } from './cluster.js'
import type { ClusterFault, ClusterScene } from './cluster-stage.js'
import type { Member } from './member.js'
import type { Undo } from './sessions.js'

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

type Rejoin = (node: Member) => Promise<void>

function signal(
  name: string,
  kind: 'SIGKILL' | 'SIGSTOP',
  { at, rejoin }: { readonly at: number; readonly rejoin: Rejoin },
): ClusterFault {
  return {
    name,
    strike: ({ nodes }): Promise<Undo> => {
      const node = nodes[at]!
      node.signal(kind)
      return Promise.resolve(async () => {
        if (kind === 'SIGKILL') await node.restart()
        else node.signal('SIGCONT')
        await rejoin(node)
      })
    },
  }
}

/** A new process reads a member for the first time when it was just resumed: it is well in its own view. */
function resumeForNewProcess(rejoin: Rejoin): ClusterFault {
  return {
    name: 'frozen, resumed after a new process has started',
    strike: ({ nodes, replaceService, syncWhenAllAreUp }): Promise<Undo> => {
      const node = nodes[1]!
      node.signal('SIGSTOP')
      return Promise.resolve(async () => {
        await replaceService()
        node.signal('SIGCONT')
        await syncWhenAllAreUp()
        await rejoin(node)
      })
    },
  }
}

/** Cuts pairs of members off from each other. */
function cut(
  name: string,
  pairs: readonly (readonly [number, number])[],
  rejoinAll: (scene: ClusterScene) => Promise<void>,
): ClusterFault {
  return {
    name,
    strike: (scene): Promise<Undo> => {
      for (const [one, other] of pairs) scene.network.cut(one, other)
      return Promise.resolve(async () => {
        scene.network.heal()
        await rejoinAll(scene)
      })
    },
  }
}

const allPairs = [
  [1, 2],
  [1, 3],
  [2, 3],
] as const

const byItself: Rejoin = () => Promise.resolve()
const allByThemselves = (): Promise<void> => Promise.resolve()

/** What goes wrong with a node of Galera. */
export const galeraFaults: readonly ClusterFault[] = [
  hold(
    'desynced, with a global read lock',
    ['SET GLOBAL wsrep_desync = 1', 'FLUSH TABLES WITH READ LOCK'],
    ['UNLOCK TABLES', 'SET GLOBAL wsrep_desync = 0'],
  ),
  hold('flow control: a global read lock', ['FLUSH TABLES WITH READ LOCK'], ['UNLOCK TABLES']),
  hold('applier waits for a table', ['LOCK TABLES event_registrations READ'], ['UNLOCK TABLES']),
  signal('killed, joins again', 'SIGKILL', { at: 1, rejoin: byItself }),
  {
    name: 'killed, joins with an empty disk (state transfer)',
    strike: ({ nodes }): Promise<Undo> => {
      const node = nodes[1]!
      node.signal('SIGKILL')
      return Promise.resolve(() => {
        rmSync(`${node.data}/grastate.dat`)
        return node.restart()
      })
    },
  },
  signal('frozen', 'SIGSTOP', { at: 1, rejoin: byItself }),
  resumeForNewProcess(byItself),
  cut('cut off, two nodes keep the quorum', [allPairs[0], allPairs[2]], allByThemselves),
  cut('every node cut off, no quorum', allPairs, allByThemselves),
]

/** Starts Group Replication at a member until it is online again. */
async function rejoinGroup(node: Member): Promise<void> {
  const isOnline = async (): Promise<boolean> => {
    const [row] = await ask(
      node.adminUrl,
      'SELECT member_state AS state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid',
    )
    if (row?.['state'] === 'ONLINE') return true
    if (row?.['state'] !== 'RECOVERING')
      await runStatements(node.adminUrl, ['STOP GROUP_REPLICATION', 'START GROUP_REPLICATION']).catch(
        () => undefined,
      )
    return false
  }
  await waitFor(`${node.name} to be online`, isOnline)
}

async function rejoinWhole({ nodes }: ClusterScene): Promise<void> {
  for (const node of nodes) await rejoinGroup(node)
}

/** The account with which a member that joins copies what it lacks. */
function toRecoverySource(password: string): string {
  return `CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replicator', SOURCE_PASSWORD = '${password}' FOR CHANNEL 'group_replication_recovery'`
}

/** A member leaves again and again, while statements of each session wait for what was committed before. */
const leaving: ClusterFault = {
  name: 'a member leaves again and again, with the consistency BEFORE',
  strike: async ({ nodes }) => {
    const set = async (level: string): Promise<void> => {
      for (const { adminUrl } of nodes)
        await runStatements(adminUrl, [`SET GLOBAL group_replication_consistency = '${level}'`])
    }
    const node = nodes[1]!
    let going = true
    const leave = async (): Promise<void> => {
      while (going) {
        await runStatements(node.adminUrl, ['STOP GROUP_REPLICATION'])
        await rejoinGroup(node)
      }
    }
    await set('BEFORE')
    const left = leave()
    return async () => {
      going = false
      await left
      await set('EVENTUAL')
    }
  },
}

/** What goes wrong with a member of Group Replication. */
export const groupFaults: readonly ClusterFault[] = [
  {
    name: 'OFFLINE',
    strike: async ({ nodes }) => {
      const node = nodes[1]!
      await runStatements(node.adminUrl, ['STOP GROUP_REPLICATION'])
      return () => rejoinGroup(node)
    },
  },
  {
    name: 'RECOVERING',
    strike: async ({ nodes }) => {
      const node = nodes[1]!
      await runStatements(node.adminUrl, [
        'STOP GROUP_REPLICATION',
        toRecoverySource('wrong'),
        'START GROUP_REPLICATION',
      ])
      return async () => {
        await runStatements(node.adminUrl, ['STOP GROUP_REPLICATION', toRecoverySource('replicator')])
        await rejoinGroup(node)
      }
    },
  },
  {
    name: 'ERROR',
    strike: async ({ nodes, network }) => {
      const node = nodes[1]!
      const set = (seconds: number): string =>
        `SET GLOBAL group_replication_unreachable_majority_timeout = ${seconds}`
      await runStatements(node.adminUrl, [set(2)])
      network.cut(2, 1)
      network.cut(2, 3)
      return async () => {
        network.heal()
        await rejoinGroup(node)
        await runStatements(node.adminUrl, [set(0)])
      }
    },
  },
  leaving,
  hold('applier waits for a table', ['LOCK TABLES event_registrations READ'], ['UNLOCK TABLES']),
  hold(
    'flow control: an applier that waits',
    [
      'SET GLOBAL group_replication_flow_control_applier_threshold = 10',
      'LOCK TABLES event_registrations READ',
    ],
    ['UNLOCK TABLES', 'SET GLOBAL group_replication_flow_control_applier_threshold = DEFAULT'],
  ),
  signal('a member killed', 'SIGKILL', { at: 1, rejoin: rejoinGroup }),
  signal('a member frozen', 'SIGSTOP', { at: 1, rejoin: rejoinGroup }),
  resumeForNewProcess(rejoinGroup),
  signal('the first primary killed', 'SIGKILL', { at: 0, rejoin: rejoinGroup }),
  cut('a member cut off, two keep the majority', [allPairs[0], allPairs[2]], rejoinWhole),
  cut('every member cut off, no majority', allPairs, rejoinWhole),
]
