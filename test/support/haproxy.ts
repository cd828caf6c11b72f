import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'

/** The program; undefined where this machine has none. */
export const haproxyProgram = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find(existsSync)

/** Starts HAProxy with a configuration for its port. @returns the port */
async function start(janitor: Pick<Janitor, 'add'>, toText: (port: number) => string): Promise<number> {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-haproxy-'))
  janitor.add({ do: 'remove', path: folder })
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, toText(port))
  execFileSync(haproxyProgram!, ['-c', '-q', '-f', file])
  const child = spawn(haproxyProgram!, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (child.pid !== undefined) janitor.add({ do: 'kill', pid: child.pid })
  child.unref()
  return port
}

/** HAProxy before processes of the service, with docker/haproxy.cfg, where only the addresses are others. @returns its origin */
export async function balanceServices(
  janitor: Pick<Janitor, 'add'>,
  services: readonly { readonly api: string; readonly ops: string }[],
): Promise<string> {
  const servers = services.map(
    ({ api, ops }, at) => `  server vitrine-${at} ${new URL(api).host} check port ${new URL(ops).port}`,
  )
  const port = await start(janitor, (own) =>
    readFileSync('docker/haproxy.cfg', 'utf8')
      .replace(/^resolvers docker\n(?: .*\n)+/m, '')
      .replace(/^ *bind :8080$/m, `  bind 127.0.0.1:${own}`)
      .replace(/^ *server-template .*$/m, servers.join('\n')),
  )
  return `http://127.0.0.1:${port}`
}

/** HAProxy before database servers: each connection reaches the next one. @returns its `host:port` */
export async function balanceDatabases(
  janitor: Pick<Janitor, 'add'>,
  hosts: readonly string[],
): Promise<string> {
  const servers = hosts.map((host, at) => `  server member${at} ${host}`)
  const port = await start(janitor, (own) =>
    [
      ...['defaults', '  mode tcp', '  timeout connect 2s', '  timeout client 1h', '  timeout server 1h'],
      ...['listen database', `  bind 127.0.0.1:${own}`, '  balance roundrobin', ...servers, ''],
    ].join('\n'),
  )
  return `127.0.0.1:${port}`
}
