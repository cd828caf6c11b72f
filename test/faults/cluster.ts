import { setTimeout as delay } from 'node:timers/promises'
import type { Janitor } from '../product/janitor.js'
import { startLocalServer } from '../product/local-server.js'
import type { LocalServer, Program } from '../product/local-server.js'
import { runStatements } from '../product/index.js'
import { ask } from '../support/ask.js'
import { startNetwork } from './network.js'

/** A server, and how its replication is controlled. */
export interface Node extends LocalServer {
  /** `host:port`, as the service calls it. */
  readonly name: string
}

/** A primary with two replicas, all of this machine. */
export interface Cluster {
  readonly primary: Node
  readonly replicas: readonly [Node, Node]
  readonly isMariaDb: boolean
  /** Resolves when every replica, but the one that cannot, has what the primary has. */
  readonly catchUp: (but?: Node) => Promise<void>
  /** Closes what is between the servers; the janitor ends the servers themselves. */
  readonly close: () => Promise<void>
}

/** Starts all three at once, and lets the replicas follow, the first of them over a slow network. */
export async function startCluster(program: Program, janitor: Janitor): Promise<Cluster> {
  const start = async (id: number): Promise<Node> => {
    const server = await startLocalServer(program, janitor, toOptions(program, id))
    return { ...server, name: `127.0.0.1:${server.port}` }
  }
  const [primary, one, other] = await Promise.all([start(1), start(2), start(3)])
  const { isMariaDb } = program
  const network = await startNetwork(primary.port)
  network.set({ do: 'delay the log' })
  await follow(one, { ...primary, port: network.port }, isMariaDb)
  await follow(other, primary, isMariaDb)
  return {
    primary,
    replicas: [one, other],
    isMariaDb,
    catchUp: async (but) => {
      await runStatements(primary.adminUrl, [
        'CREATE DATABASE IF NOT EXISTS vitrine_mark',
        'CREATE TABLE IF NOT EXISTS vitrine_mark.mark (id INT PRIMARY KEY)',
        'REPLACE INTO vitrine_mark.mark SELECT COALESCE(MAX(id), 0) + 1 FROM vitrine_mark.mark',
      ])
      const mark = await readMark(primary)
      for (const replica of [one, other])
        if (replica !== but)
          await waitFor(`${replica.name} to catch up`, async () => (await readMark(replica)) === mark)
    },
    close: network.close,
  }
}

/** What a server needs to be followed, and to follow on where it was after it was killed. */
function toOptions({ isMariaDb }: Program, id: number): readonly string[] {
  return [
    `--server-id=${id}`,
    '--log-bin=bin',
    '--relay-log=relay',
    '--relay-log-recovery=ON',
    // A primary that is killed must not lose what its replicas have.
    '--innodb-flush-log-at-trx-commit=2',
    '--innodb-buffer-pool-size=64M',
    ...(isMariaDb ? [] : ['--performance-schema=OFF']),
  ]
}

async function follow(replica: Node, primary: Node, isMariaDb: boolean): Promise<void> {
  const { username, password } = new URL(primary.adminUrl)
  const address = { host: '127.0.0.1', port: primary.port, username, password }
  if (isMariaDb) {
    const [at] = await ask(primary.adminUrl, 'SELECT @@GLOBAL.gtid_binlog_pos AS pos')
    await runStatements(replica.adminUrl, [
      'RESET MASTER',
      `SET GLOBAL gtid_slave_pos = '${String(at?.['pos'])}'`,
      `CHANGE MASTER TO MASTER_HOST = '${address.host}', MASTER_PORT = ${address.port}, MASTER_USER = '${username}', ` +
        `MASTER_PASSWORD = '${password}', MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos`,
      'START REPLICA',
    ])
    return
  }
  const [at] = await ask(primary.adminUrl, 'SHOW BINARY LOG STATUS')
  await runStatements(replica.adminUrl, [
    `CHANGE REPLICATION SOURCE TO SOURCE_HOST = '${address.host}', SOURCE_PORT = ${address.port}, SOURCE_USER = '${username}', ` +
      `SOURCE_PASSWORD = '${password}', SOURCE_CONNECT_RETRY = 1, GET_SOURCE_PUBLIC_KEY = 1, ` +
      `SOURCE_LOG_FILE = '${String(at?.['File'])}', SOURCE_LOG_POS = ${String(at?.['Position'])}`,
    'START REPLICA',
  ])
}

async function readMark({ adminUrl }: Node): Promise<unknown> {
  const rows = await ask(adminUrl, 'SELECT MAX(id) AS id FROM vitrine_mark.mark').catch(() => [])
  return rows[0]?.['id']
}

/** Asks again and again; five minutes are far beyond what anything here takes, also on a busy machine. */
export async function waitFor(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 300_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}`)
    await delay(20)
  }
}
