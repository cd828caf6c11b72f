import mysql from 'mysql2/promise'
import { withAccount } from '../product/index.js'
import type { Cluster } from './drill.js'
import { direct } from './replicas.js'

/** What is done to a cluster, and how long it lasts. */
export interface Disturbance {
  readonly name: string
  readonly seconds: number
  /** Resolves to what takes it back. */
  readonly strike: (cluster: Cluster, database: string) => Promise<() => Promise<void>>
}

/** The replica follows so many seconds late; it stands still for as long first. */
export function lag(lagSeconds: number, seconds: number): Disturbance {
  return {
    name: `a replica ${lagSeconds} s behind`,
    seconds,
    strike: async ({ nodes: [, replica] }) => {
      const setDelay = (to: number): Promise<void> =>
        direct(replica!, 'STOP REPLICA', `CHANGE REPLICATION SOURCE TO SOURCE_DELAY = ${to}`, 'START REPLICA')
      await setDelay(lagSeconds)
      return () => setDelay(0)
    },
  }
}

/** Statements at a node, on a session that ends when they are taken back. */
export function hold(name: string, at: number, { seconds, statements, back = [] }: Hold): Disturbance {
  return {
    name,
    seconds,
    strike: async ({ nodes }, database) => {
      const connection = await mysql.createConnection({ uri: withAccount(nodes[at]!.adminUrl, { database }) })
      for (const statement of statements) await connection.query(statement)
      return async () => {
        for (const statement of back) await connection.query(statement)
        await connection.end()
      }
    },
  }
}

interface Hold {
  readonly seconds: number
  readonly statements: readonly string[]
  readonly back?: readonly string[]
}

/** A node is cut off from the other two, which keep the majority; callers still reach it. */
export function cutOff(
  at: number,
  seconds: number,
  rejoin: (cluster: Cluster) => Promise<void> = () => Promise.resolve(),
): Disturbance {
  return {
    name: `member ${at + 1} cut off`,
    seconds,
    strike: (cluster) => {
      const { network, nodes } = cluster
      for (const [other, { id }] of nodes.entries()) if (other !== at) network.cut(at + 1, id)
      return Promise.resolve(() => {
        network.heal()
        return rejoin(cluster)
      })
    },
  }
}
