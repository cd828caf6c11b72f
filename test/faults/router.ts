import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'
import type { Program } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { waitFor } from './cluster.js'
import type { Node } from './cluster.js'

/** Where `.ci/mysql.sh router` puts the program, in the system of the server. */
const routerFile = '/usr/bin/mysqlrouter'

/** Whether a MySQL Router lies beside the MySQL of this machine. */
export function canRunRouter(program: Program | undefined): program is Program {
  return program !== undefined && existsSync(join(program.root, routerFile))
}

/** How a Router uses its connections to the servers. */
export const sharings = ['connection sharing', 'no connection sharing'] as const

/** Puts a MySQL Router before servers, which leads each connection to the next one. @returns its `host:port`. */
export async function startRouter(
  { root }: Program,
  janitor: Janitor,
  nodes: readonly Pick<Node, 'name' | 'adminUrl'>[],
  sharing: (typeof sharings)[number],
): Promise<string> {
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
    ...(sharing === 'connection sharing' ? toSharingLines(outer, folder) : []),
  ]
  writeFileSync(join(outer, 'router.conf'), `${lines.join('\n')}\n`)
  const child = spawn('chroot', [root || '/', routerFile, '-c', `${folder}/router.conf`], {
    stdio: 'ignore',
    detached: true,
  })
  if (child.pid !== undefined) child.once('exit', janitor.add({ do: 'kill', pid: child.pid }))
  child.unref()
  const name = `127.0.0.1:${port}`
  const url = new URL(nodes[0]!.adminUrl)
  url.host = name
  await waitFor('Router to answer', () =>
    runStatements(url.href, ['SELECT 1']).then(
      () => true,
      () => false,
    ),
  )
  return name
}

/**
 * As `mysqlrouter --bootstrap` sets it. Router needs a key of its own, because an account of caching_sha2_password that
 * connects without TLS sends its password encrypted for this key; without it, the client gets error 1045.
 */
function toSharingLines(outer: string, folder: string): readonly string[] {
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -subj /CN=router -days 30 -keyout ${outer}/key.pem -out ${outer}/cert.pem`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  )
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
