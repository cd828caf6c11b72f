import mysql from 'mysql2/promise'
import { withAccount } from '../product/index.js'
import type { EndSignal } from '../support/running-service.js'
import { killSessions } from '../support/server-sessions.js'
import type { Cluster, Disturbance } from './drill.js'
import { direct } from './replicas.js'

const nothing = (): Promise<void> => Promise.resolve()

/** The replica follows so many seconds late; it stands still for as long first. */
export function lag(lagSeconds: number, seconds: number): Disturbance {
  return {
    seconds,
    strike: async ({ nodes: [, replica] }) => {
      const setDelay = (to: number): Promise<void> =>
        direct(replica!, 'STOP REPLICA', `CHANGE REPLICATION SOURCE TO SOURCE_DELAY = ${to}`, 'START REPLICA')
      await setDelay(lagSeconds)
      return () => setDelay(0)
    },
  }
}

/** A member applies nothing; callers still reach it. */
export function holdBack(
  at: number,
  seconds: number,
  {
    before = [],
    after = [],
  }: { readonly before?: readonly string[]; readonly after?: readonly string[] } = {},
): Disturbance {
  return {
    seconds,
    strike: async ({ nodes, database }) => {
      const connection = await mysql.createConnection({ uri: withAccount(nodes[at]!.adminUrl, { database }) })
      for (const sql of [...before, 'FLUSH TABLES WITH READ LOCK']) await connection.query(sql)
      return async () => {
        for (const sql of ['UNLOCK TABLES', ...after]) await connection.query(sql)
        await connection.end()
      }
    },
  }
}

/** A member is cut off from the other two, which keep the majority; callers still reach it. */
export function cutOff(
  at: number,
  seconds: number,
  rejoin: (cluster: Cluster) => Promise<void> = nothing,
): Disturbance {
  return {
    seconds,
    strike: (cluster) => {
      const { network, nodes } = cluster
      for (const [other, { id }] of nodes.entries()) if (other !== at) network!.cut(at + 1, id)
      return Promise.resolve(() => {
        network!.heal()
        return rejoin(cluster)
      })
    },
  }
}

/** The service is ended and started again. */
export function restart(signal: EndSignal): Disturbance {
  return {
    seconds: 1,
    strike: async (scene) => {
      await scene.restart(signal)
      return nothing
    },
  }
}

/** The sessions of the service end, whatever they have under way. */
export const cutSessions: Disturbance = {
  seconds: 1,
  strike: async ({ writers: [server], user }) => {
    const admin = await mysql.createConnection({ uri: server!.adminUrl })
    await killSessions(admin, user, 'KILL CONNECTION')
    await admin.end()
    return nothing
  },
}
