import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import type { Program } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { waitFor } from './cluster.js'
import type { MemberCluster } from './cluster-stage.js'

/** Where Debian's `mysql-router` puts the program. */
export const routerFile = '/usr/bin/mysqlrouter'

const ports = { 'connection sharing': 16447, 'no connection sharing': 16448 } as const

/** Puts a MySQL Router before a cluster, which leads each connection to the next member. */
export async function startRouter(
  { root }: Program,
  janitor: Janitor,
  cluster: MemberCluster,
  sharing: keyof typeof ports,
): Promise<MemberCluster> {
  const port = ports[sharing]
  const folder = `/tmp/vitrine-router-${port}`
  mkdirSync(join(root, folder), { recursive: true, mode: 0o700 })
  janitor.add({ do: 'remove', path: join(root, folder) })
  const lines = [
    '[DEFAULT]',
    `logging_folder=${folder}`,
    `runtime_folder=${folder}`,
    `data_folder=${folder}`,
    '[logger]',
    'level=WARNING',
    '[routing:members]',
    'bind_address=127.0.0.1',
    `bind_port=${port}`,
    `destinations=${cluster.nodes.map(({ name }) => name).join(',')}`,
    'routing_strategy=round-robin',
    'protocol=classic',
    ...(sharing === 'connection sharing'
      ? [
          'client_ssl_mode=DISABLED',
          'server_ssl_mode=PREFERRED',
          'connection_sharing=1',
          'connection_sharing_delay=0',
          '[connection_pool]',
          'max_idle_server_connections=64',
        ]
      : []),
  ]
  writeFileSync(join(root, folder, 'router.conf'), `${lines.join('\n')}\n`)
  const child = spawn('chroot', [root, routerFile, '-c', `${folder}/router.conf`], {
    stdio: 'ignore',
    detached: true,
  })
  if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
  child.unref()
  const name = `127.0.0.1:${port}`
  const url = new URL(cluster.nodes[0]!.adminUrl)
  url.host = name
  await waitFor('Router to answer', () =>
    runStatements(url.href, ['SELECT 1']).then(
      () => true,
      () => false,
    ),
  )
  return { ...cluster, proxies: [name] }
}
