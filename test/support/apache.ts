import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'

const program = '/usr/sbin/apache2'
/** The modules of Apache; undefined where this machine has none. */
export const apacheModules = existsSync(program) ? ['/usr/lib/apache2/modules'].find(existsSync) : undefined

/** Apache that compresses the answers of a service, which gives them other entity tags. @returns its origin */
export async function startApache(janitor: Pick<Janitor, 'add'>, api: string): Promise<string> {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-apache-'))
  const names = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'filter', 'deflate']
  const lines = [
    ...names.map((name) => `LoadModule ${name}_module ${apacheModules!}/mod_${name}.so`),
    ...[`ServerName 127.0.0.1`, `Listen 127.0.0.1:${port}`, 'StartServers 1'],
    ...['ServerRoot', 'DefaultRuntimeDir'].map((name) => `${name} ${folder}`),
    ...[`PidFile ${folder}/httpd.pid`, `ErrorLog ${folder}/error.log`],
    ...(process.getuid?.() === 0 ? ['User daemon', 'Group daemon'] : []),
    ...['SetOutputFilter DEFLATE', 'AllowEncodedSlashes NoDecode', `ProxyPass / ${api}/ nocanon`, ''],
  ]
  const file = join(folder, 'httpd.conf')
  writeFileSync(file, lines.join('\n'))
  janitor.add({ do: 'command', file: program, args: ['-f', file, '-k', 'stop'] })
  execFileSync(program, ['-f', file, '-k', 'start'])
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .not.toBe(0)
  return url
}
