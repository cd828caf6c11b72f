import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import type { Janitor } from '../product/janitor.js'
import { findFreePort, startLocalServer } from '../product/local-server.js'
import type { Program } from '../product/local-server.js'
import { createPassword, runStatements } from '../product/server.js'
import type { Server } from '../product/server.js'
import { ask } from '../support/ask.js'
import { balanceDatabases } from '../support/haproxy.js'

/** Servers behind one address. */
export interface Cluster {
  readonly nodes: readonly Server[]
  /** Those that the product writes to; each has a heartbeat of its own. */
  readonly writers: readonly Server[]
  readonly isMariaDb: boolean
  /** `host:port` of what stands in front of them. */
  readonly address: string
  /** The statement after which a session changes no other server. */
  readonly local: string
}

/** Where Debian's `galera-4` puts the provider. */
const provider = '/usr/lib/galera/libgalera_smm.so'
/** Whether this machine can run a Galera cluster. */
export const canRunGalera = existsSync(provider)

const pollOptions = { timeout: 120_000, interval: 100 }

/** Options that clusters have in common. */
const toCommon = (id: number): readonly string[] => [
  ...[`--server-id=${id}`, '--event-scheduler=ON', '--innodb-buffer-pool-size=64M', '--sync-binlog=0'],
]

/** Waits until a statement of a node has a value. */
async function waitForValue({ adminUrl }: Server, sql: string, value: string): Promise<void> {
  const read = async (): Promise<string> => {
    const [row] = await ask(adminUrl, sql).catch(() => [])
    return String(Object.values(row ?? {}).at(-1))
  }
  await expect.poll(read, pollOptions).toBe(value)
}

/** A primary with a replica. */
export async function startReplicas(program: Program, janitor: Janitor): Promise<Cluster> {
  const { isMariaDb } = program
  const password = createPassword()
  const start = (id: number) => {
    const options = () => [...toCommon(id), '--log-bin=bin', '--binlog-format=ROW']
    return startLocalServer(program, janitor, { password, options })
  }
  const [primary, replica] = [await start(1), await start(2)]
  const show = isMariaDb ? 'SHOW MASTER STATUS' : 'SHOW BINARY LOG STATUS'
  const [at] = await ask(primary.adminUrl, show)
  await direct(
    replica,
    isMariaDb,
    `CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = ${primary.port}, SOURCE_USER = 'vitrine_admin',
       SOURCE_PASSWORD = '${password}', SOURCE_LOG_FILE = '${String(at?.['File'])}', SOURCE_LOG_POS = ${String(at?.['Position'])},
       ${isMariaDb ? 'MASTER_USE_GTID = no' : 'SOURCE_SSL = 1'}`,
    'START REPLICA',
  )
  return toCluster(janitor, program, { nodes: [primary, replica], writers: 1, local: 'DO 0' })
}

/** Runs statements on a replica in the words of its server. */
export function direct(
  { adminUrl }: Server,
  isMariaDb: boolean,
  ...statements: readonly string[]
): Promise<void> {
  const toWords = (text: string): string =>
    isMariaDb ? text.replace('REPLICATION SOURCE', 'MASTER').replaceAll('SOURCE_', 'MASTER_') : text
  return runStatements(adminUrl, statements.map(toWords))
}

/** A Galera cluster of three nodes. A node that joins copies the data by `wsrep_sst_copy` of this folder. */
export async function startGalera(program: Program, janitor: Janitor, writers: number): Promise<Cluster> {
  process.env['PATH'] = `${resolve('test/faults')}:${process.env['PATH'] ?? ''}`
  const bases = [await findFreePort(), await findFreePort(), await findFreePort()]
  const password = createPassword()
  const nodes: Server[] = []
  for (const [at, base] of bases.entries()) {
    const options = (port: number): readonly string[] => [
      ...toCommon(at + 1),
      ...(at === 0 ? ['--wsrep-new-cluster'] : []),
      ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--wsrep-on=ON'],
      ...[`--wsrep-provider=${provider}`, '--wsrep-cluster-name=vitrine', '--wsrep-sst-method=copy'],
      ...[`--wsrep-node-address=127.0.0.1:${base}`, `--wsrep-node-incoming-address=127.0.0.1:${port}`],
      `--wsrep-cluster-address=gcomm://${bases.map((one) => `127.0.0.1:${one}`).join(',')}`,
      `--wsrep-provider-options=gcache.size=128M;gmcast.listen_addr=tcp://127.0.0.1:${base};ist.recv_addr=127.0.0.1:${base + 1}`,
    ]
    const node = await startLocalServer(program, janitor, { password, options, joins: at > 0 })
    await waitForValue(node, "SHOW GLOBAL STATUS LIKE 'wsrep_local_state'", '4')
    nodes.push(node)
  }
  return toCluster(janitor, program, { nodes, writers, local: 'SET SESSION wsrep_on = OFF' })
}

/** MySQL's Group Replication of three members, with one primary or with three. */
export async function startGroup(program: Program, janitor: Janitor, writers: 1 | 3): Promise<Cluster> {
  const bases = [await findFreePort(), await findFreePort(), await findFreePort()]
  const password = createPassword()
  const [single, checks] = writers === 1 ? ['ON', 'OFF'] : ['OFF', 'ON']
  const group = {
    'group-name': 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa',
    'start-on-boot': 'OFF',
    'group-seeds': bases.map((one) => `127.0.0.1:${one}`).join(','),
    'enforce-update-everywhere-checks': checks,
    'single-primary-mode': single,
    'recovery-get-public-key': 'ON',
    'message-cache-size': '134217728',
  }
  const nodes: Server[] = []
  for (const [at, base] of bases.entries()) {
    const settings = Object.entries({ ...group, 'local-address': `127.0.0.1:${base}` })
    const options = () => [
      ...toCommon(at + 1),
      ...['--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--log-bin=bin', '--report-host=127.0.0.1'],
      '--plugin-load-add=group_replication.so',
      ...settings.map(([name, value]) => `--loose-group-replication-${name}=${value}`),
    ]
    const node = await startLocalServer(program, janitor, { password, options })
    await runStatements(node.adminUrl, [
      'RESET BINARY LOGS AND GTIDS',
      `CHANGE REPLICATION SOURCE TO SOURCE_USER = 'vitrine_admin', SOURCE_PASSWORD = '${password}' FOR CHANNEL 'group_replication_recovery'`,
      ...(at === 0 ? ['SET GLOBAL group_replication_bootstrap_group = ON'] : []),
      'START GROUP_REPLICATION',
      'SET GLOBAL group_replication_bootstrap_group = OFF',
    ])
    const state =
      'SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid'
    await waitForValue(node, state, 'ONLINE')
    nodes.push(node)
  }
  return toCluster(janitor, program, { nodes, writers, local: 'SET SESSION sql_log_bin = 0' })
}

/** The cluster behind HAProxy. */
async function toCluster(
  janitor: Janitor,
  { isMariaDb }: Program,
  cluster: { readonly nodes: readonly Server[]; readonly writers: number; readonly local: string },
): Promise<Cluster> {
  const { nodes, local } = cluster
  const hosts = nodes.map(({ adminUrl }) => new URL(adminUrl).host)
  const address = await balanceDatabases(janitor, hosts)
  return { nodes, writers: nodes.slice(0, cluster.writers), isMariaDb, local, address }
}
