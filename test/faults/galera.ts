import { existsSync } from 'node:fs'
import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { ask } from '../support/ask.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'
import type { MemberCluster } from './cluster-stage.js'
import { createMemberMaker, memberIds, toAccountStatements } from './member.js'
import type { Member } from './member.js'

/** Where Debian's `galera-4` puts the provider. */
const provider = '/usr/lib/galera/libgalera_smm.so'

/** Whether this machine can run a Galera cluster. */
export function canRunGalera(program: Program | undefined): program is Program {
  return program?.isMariaDb === true && existsSync(provider)
}

/** A Galera cluster of three nodes. A node that joins copies the data of another one by `wsrep_sst_copy`. */
export async function startGalera(program: Program, janitor: Janitor): Promise<MemberCluster> {
  const maker = createMemberMaker(program, janitor)
  const { toAddress } = maker.network
  const nodes: Member[] = []
  for (const id of memberIds) {
    const isFirst = id === 1
    nodes.push(
      await maker.start({
        id,
        init: isFirst ? toAccountStatements(maker.password) : [],
        ...(isFirst
          ? {
              fill: (data) => [
                'mariadb-install-db',
                '--no-defaults',
                `--datadir=${data}`,
                '--auth-root-authentication-method=normal',
                '--skip-test-db',
                '--user=root',
              ],
              firstOptions: ['--wsrep-new-cluster'],
            }
          : {}),
        options: [
          '--innodb-autoinc-lock-mode=2',
          '--binlog-format=ROW',
          '--skip-log-bin',
          '--wsrep-on=ON',
          `--wsrep-provider=${provider}`,
          '--wsrep-cluster-name=vitrine',
          `--wsrep-node-address=${toAddress(id)}`,
          `--wsrep-node-name=node${id}`,
          '--wsrep-sst-method=copy',
          `--wsrep-cluster-address=gcomm://${memberIds.map(toAddress).join(',')}`,
          '--wsrep-provider-options=gcache.size=32M',
        ],
      }),
    )
  }
  for (const node of nodes) await waitFor(`${node.name} to be synced`, () => isSynced(node))
  return { nodes, network: maker.network }
}

async function isSynced({ adminUrl }: Node): Promise<boolean> {
  const [row] = await ask(adminUrl, "SHOW GLOBAL STATUS LIKE 'wsrep_local_state'").catch(() => [])
  return row?.['Value'] === '4'
}
