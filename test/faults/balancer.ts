import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Janitor } from '../product/janitor.js'
import { findFreePort } from '../product/local-server.js'
import { runStatements } from '../product/server.js'
import { haproxyProgram } from '../support/haproxy.js'
import type { Member } from './member.js'
import { waitFor } from './wait-for.js'

/** Whether this machine has HAProxy. */
export const canBalance = haproxyProgram !== undefined

/**
 * HAProxy before servers of a cluster: each connection reaches the next one that serves. A check of its own asks, as the usual
 * `clustercheck` does.
 *
 * @returns its `host:port`.
 */
export async function startBalancer(
  janitor: Janitor,
  nodes: readonly Member[],
  isServing: (node: Member) => Promise<boolean> = () => Promise.resolve(true),
): Promise<string> {
  const port = await findFreePort()
  const servers = await Promise.all(
    nodes.map(async (node) => {
      const check = await startCheck(() => isServing(node))
      return `  server member${node.id} ${node.name} check addr 127.0.0.1 port ${check} inter 1s fall 2`
    }),
  )
  const file = join(mkdtempSync(join(tmpdir(), 'vitrine-balancer-')), 'haproxy.cfg')
  janitor.add({ do: 'remove', path: file })
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen database',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  option redispatch 1',
    '  option httpchk',
    ...servers,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn(haproxyProgram!, ['-db', '-q', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (child.pid !== undefined) janitor.add({ do: 'kill', pid: child.pid })
  const url = new URL(nodes[0]!.adminUrl)
  url.host = `127.0.0.1:${port}`
  await waitForAnswer(url.href)
  return url.host
}

/** Waits until a proxy leads to a server. */
export function waitForAnswer(url: string): Promise<void> {
  return waitFor('the proxy', () =>
    runStatements(url, ['SELECT 1']).then(
      () => true,
      () => false,
    ),
  )
}

/** Answers 200 while a server serves. @returns the port. */
async function startCheck(isServing: () => Promise<boolean>): Promise<number> {
  const server = createServer((_, answer) => {
    void isServing()
      .catch(() => false)
      .then((isWell) => answer.writeHead(isWell ? 200 : 503).end())
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
