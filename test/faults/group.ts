import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { ask } from '../support/ask.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'
import type { MemberCluster } from './cluster-stage.js'
import { createMemberMaker, memberIds, toAccountStatements } from './member.js'

/** A group of three members of MySQL's Group Replication; with one primary, that is the first member. */
export async function startGroup(
  program: Program,
  janitor: Janitor,
  primaries: 'one primary' | 'many primaries',
): Promise<MemberCluster> {
  const maker = createMemberMaker(program, janitor)
  const { toAddress } = maker.network
  const isMulti = primaries === 'many primaries' ? 'ON' : 'OFF'
  const members = await Promise.all(
    memberIds.map((id) =>
      maker.start({
        id,
        init: [
          'SET SESSION sql_log_bin = 0',
          ...toAccountStatements(maker.password),
          "CREATE USER replicator@'%' IDENTIFIED BY 'replicator'",
          "GRANT REPLICATION SLAVE, BACKUP_ADMIN, CONNECTION_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO replicator@'%'",
          'SET SESSION sql_log_bin = 1',
        ],
        fill: (data) => [
          program.file,
          '--no-defaults',
          '--initialize-insecure',
          '--user=root',
          `--datadir=${data}`,
        ],
        options: [
          '--mysqlx=OFF',
          // As InnoDB Cluster sets it: a member that starts again takes no write before it has joined.
          '--super-read-only=ON',
          `--server-id=${id}`,
          '--gtid-mode=ON',
          '--enforce-gtid-consistency=ON',
          '--log-bin=bin',
          '--innodb-redo-log-capacity=16M',
          `--report-host=${toAddress(id)}`,
          '--plugin-load-add=group_replication.so',
          '--loose-group-replication-group-name=aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa',
          '--loose-group-replication-start-on-boot=OFF',
          `--loose-group-replication-local-address=${toAddress(id)}:33061`,
          `--loose-group-replication-group-seeds=${memberIds.map((one) => `${toAddress(one)}:33061`).join(',')}`,
          `--loose-group-replication-enforce-update-everywhere-checks=${isMulti}`,
          `--loose-group-replication-single-primary-mode=${isMulti === 'ON' ? 'OFF' : 'ON'}`,
          '--loose-group-replication-recovery-get-public-key=ON',
          '--loose-group-replication-message-cache-size=134217728',
        ],
        firstOptions: ['--super-read-only=OFF'],
        afterRestart: (adminUrl) => runStatements(adminUrl, ['START GROUP_REPLICATION']),
      }),
    ),
  )
  for (const [at, { adminUrl }] of members.entries()) {
    await runStatements(adminUrl, [
      'RESET BINARY LOGS AND GTIDS',
      "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'replicator', SOURCE_PASSWORD = 'replicator' FOR CHANNEL 'group_replication_recovery'",
      ...(at === 0 ? ['SET GLOBAL group_replication_bootstrap_group = ON'] : []),
      'START GROUP_REPLICATION',
      'SET GLOBAL group_replication_bootstrap_group = OFF',
    ])
  }
  for (const member of members) await waitFor(`${member.name} to be online`, () => isOnline(member))
  return { nodes: members, network: maker.network }
}

async function isOnline({ adminUrl }: Node): Promise<boolean> {
  const [row] = await ask(
    adminUrl,
    'SELECT member_state AS state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid',
  ).catch(() => [])
  return row?.['state'] === 'ONLINE'
}
