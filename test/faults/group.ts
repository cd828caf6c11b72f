import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'
import type { Program } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { ask } from '../support/ask.js'
import { waitForAnswer } from './balancer.js'
import type { Cluster } from './drill.js'
import { createMembers, memberIds } from './member.js'
import type { Member } from './member.js'
import { waitFor } from './wait-for.js'

/** Where `.ci/mysql.sh router` puts the program, in the system of the server. */
const routerFile = '/usr/bin/mysqlrouter'

/** Whether a MySQL Router lies beside the MySQL of this machine. */
export function canRunRouter(program: Program | undefined): program is Program {
  return program !== undefined && existsSync(join(program.root, routerFile))
}

/** A session that writes no binary log changes no other member. */
const local = 'SET SESSION sql_log_bin = 0'

/** MySQL's Group Replication of three members behind MySQL Router, with one primary or with three. */
export async function startGroup(program: Program, janitor: Janitor, writerCount: 1 | 3): Promise<Cluster> {
  const { network, start } = createMembers(program, janitor)
  const { toAddress } = network
  const [single, checks] = writerCount === 1 ? ['ON', 'OFF'] : ['OFF', 'ON']
  const nodes = await Promise.all(
    memberIds.map((id) =>
      start({
        id,
        local,
        init: [
          "CREATE USER replicator@'%' IDENTIFIED BY 'replicator'",
          "GRANT REPLICATION SLAVE, BACKUP_ADMIN, CONNECTION_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO replicator@'%'",
        ],
        options: [
          '--gtid-mode=ON',
          '--enforce-gtid-consistency=ON',
          '--log-bin=bin',
          `--report-host=${toAddress(id)}`,
          '--plugin-load-add=group_replication.so',
          '--loose-group-replication-group-name=aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa',
          '--loose-group-replication-start-on-boot=OFF',
          `--loose-group-replication-local-address=${toAddress(id)}:33061`,
          `--loose-group-replication-group-seeds=${memberIds.map((one) => `${toAddress(one)}:33061`).join(',')}`,
          `--loose-group-replication-enforce-update-everywhere-checks=${checks}`,
          `--loose-group-replication-single-primary-mode=${single}`,
          '--loose-group-replication-recovery-get-public-key=ON',
          '--loose-group-replication-message-cache-size=134217728',
        ],
      }),
    ),
  )
  for (const [at, { adminUrl }] of nodes.entries())
    await runStatements(adminUrl, [
      'RESET BINARY LOGS AND GTIDS',
      "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replicator', SOURCE_PASSWORD = 'replicator' FOR CHANNEL 'group_replication_recovery'",
      ...(at === 0 ? ['SET GLOBAL group_replication_bootstrap_group = ON'] : []),
      'START GROUP_REPLICATION',
      'SET GLOBAL group_replication_bootstrap_group = OFF',
    ])
  for (const node of nodes) await waitFor(`${node.origin} to be online`, () => isOnline(node))
  const writers = nodes.slice(0, writerCount)
  return { nodes, writers, local: [local], network, address: await startRouter(program, janitor, nodes) }
}

async function isOnline({ adminUrl }: Member): Promise<boolean> {
  const [row] = await ask(
    adminUrl,
    'SELECT member_state AS state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid',
  ).catch(() => [])
  return row?.['state'] === 'ONLINE'
}

/** Starts Group Replication at each member that has left, until all are online. */
export async function rejoinGroup({ nodes }: Cluster): Promise<void> {
  for (const node of nodes)
    await waitFor(`${node.origin} to be online`, async () => {
      if (await isOnline(node)) return true
      await runStatements(node.adminUrl, ['STOP GROUP_REPLICATION', 'START GROUP_REPLICATION']).catch(
        () => undefined,
      )
      return false
    })
}

/** Puts a MySQL Router before members, which leads each connection to the next one. @returns its `host:port`. */
async function startRouter({ root }: Program, janitor: Janitor, nodes: readonly Member[]): Promise<string> {
  const outer = mkdtempSync(join(root, '/tmp/vitrine-router-'))
  janitor.add({ do: 'remove', path: outer })
  // As Router sees it.
  const folder = outer.slice(root.length)
  mkdirSync(join(outer, 'log'))
  const port = await findFreePort()
  const lines = [
    '[DEFAULT]',
    `logging_folder=${folder}/log`,
    `runtime_folder=${folder}`,
    `data_folder=${folder}`,
    '[logger]',
    'level=WARNING',
    '[routing:members]',
    'bind_address=127.0.0.1',
    `bind_port=${port}`,
    `destinations=${nodes.map(({ name }) => name).join(',')}`,
    'routing_strategy=round-robin',
    'protocol=classic',
    ...toSharingLines(outer, folder),
  ]
  writeFileSync(join(outer, 'router.conf'), `${lines.join('\n')}\n`)
  const command = [root || '/', routerFile, '-c', `${folder}/router.conf`]
  const child = spawn('chroot', command, { stdio: 'ignore', detached: true })
  if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
  child.unref()
  const url = new URL(nodes[0]!.adminUrl)
  url.host = `127.0.0.1:${port}`
  await waitForAnswer(url.href)
  return url.host
}

/**
 * As `mysqlrouter --bootstrap` sets it. Router needs a key of its own, because an account of caching_sha2_password that
 * connects without TLS sends its password encrypted for this key; without it, the client gets error 1045.
 */
function toSharingLines(outer: string, folder: string): readonly string[] {
  const certificate = `req -x509 -newkey rsa:2048 -nodes -subj /CN=router -days 30 -keyout ${outer}/key.pem -out ${outer}/cert.pem`
  execFileSync('openssl', certificate.split(' '), { stdio: 'ignore' })
  return [
    'client_ssl_mode=PREFERRED',
    `client_ssl_cert=${folder}/cert.pem`,
    `client_ssl_key=${folder}/key.pem`,
    'server_ssl_mode=PREFERRED',
    'connection_sharing=1',
    'connection_sharing_delay=0',
    '[connection_pool]',
    'max_idle_server_connections=64',
  ]
}
