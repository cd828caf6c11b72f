import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Throwaway } from '../product/index.js'
import { findFreePort } from '../product/local-server.js'

/** A process of the service, by the addresses of its two listeners. */
interface BackEnd {
  readonly api: string
  readonly ops: string
}

/** HAProxy before several processes. */
export interface Haproxy {
  readonly origin: string
  readonly close: () => Promise<void>
}

/** The program; undefined where this machine has none. */
export const haproxyProgram = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find(existsSync)

/** Starts HAProxy with docker/haproxy.cfg, where only the addresses are others. It is gone when the test file is. */
export async function startHaproxy(
  throwaway: Throwaway,
  program: string,
  backEnds: readonly BackEnd[],
): Promise<Haproxy> {
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, toConfiguration(readFileSync('docker/haproxy.cfg', 'utf8'), port, backEnds))
  execFileSync(program, ['-c', '-q', '-f', file])
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (child.pid !== undefined) throwaway.undo({ do: 'kill', pid: child.pid })
  const ended = once(child, 'exit')
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

/** Docker's names of containers become addresses of this machine. */
function toConfiguration(text: string, port: number, backEnds: readonly BackEnd[]): string {
  const servers = backEnds.map(
    ({ api, ops }, at) => `  server vitrine-${at} ${new URL(api).host} check port ${new URL(ops).port}`,
  )
  return text
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .replace(/^ *bind :8080$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ *server-template .*$/m, servers.join('\n'))
}
