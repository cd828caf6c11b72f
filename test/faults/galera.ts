import { existsSync } from 'node:fs'
import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { ask } from '../support/ask.js'
import { startBalancer } from './balancer.js'
import type { Cluster } from './drill.js'
import { createMembers, memberIds } from './member.js'
import type { Member } from './member.js'
import { waitFor } from './wait-for.js'

/** Where Debian's `galera-4` puts the provider. */
const provider = '/usr/lib/galera/libgalera_smm.so'

/** Whether this machine can run a Galera cluster. */
export const canRunGalera = existsSync(provider)

/** The session changes no other node. */
const local = 'SET SESSION wsrep_on = OFF'

/** A Galera cluster of three nodes behind HAProxy, of which the first ones are written to. A node that joins copies the data by `wsrep_sst_copy`. */
export async function startGalera(program: Program, janitor: Janitor, writerCount: number): Promise<Cluster> {
  const { network, start } = createMembers(program, janitor)
  const nodes: Member[] = []
  for (const id of memberIds)
    nodes.push(
      await start({
        id,
        local: id === 1 ? local : undefined,
        options: [
          ...(id === 1 ? ['--wsrep-new-cluster'] : []),
          '--innodb-autoinc-lock-mode=2',
          '--wsrep-on=ON',
          `--wsrep-provider=${provider}`,
          '--wsrep-cluster-name=vitrine',
          `--wsrep-node-address=${network.toAddress(id)}`,
          '--wsrep-sst-method=copy',
          `--wsrep-cluster-address=gcomm://${memberIds.map(network.toAddress).join(',')}`,
          '--wsrep-provider-options=gcache.size=128M',
        ],
      }),
    )
  for (const node of nodes) await waitFor(`${node.origin} to be synced`, () => isSynced(node))
  const writers = nodes.slice(0, writerCount)
  const address = await startBalancer(janitor, nodes, isSynced)
  return { nodes, writers, local: [local], address, network }
}

/** As `clustercheck` asks; a donor serves too. */
async function isSynced({ adminUrl }: Member): Promise<boolean> {
  const [row] = await ask(adminUrl, "SHOW GLOBAL STATUS LIKE 'wsrep_local_state'").catch(() => [])
  return ['2', '4'].includes(String(row?.['Value']))
}
