import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../../../src/database/account.js'
import { createHost } from '../../../src/database/hosts.js'
import type { Host } from '../../../src/database/hosts.js'

/** A frozen server: its system accepts connections, and nothing is sent over them. */
const silent = createServer((socket) => sockets.push(socket))
const sockets: Socket[] = []
beforeAll(() => once(silent.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  silent.close()
  for (const socket of sockets) socket.destroy()
})

function start(queryTimeoutMs: number): Host {
  const address = { host: '127.0.0.1', port: (silent.address() as AddressInfo).port }
  const config = {
    account: createAccount({ user: 'reader', password: '', urlFile: undefined }),
    name: 'product',
    hosts: [address],
    tls: 'off',
    tlsCa: undefined,
    poolSize: 1,
    connectionMaxAgeMs: 300_000,
    queryTimeoutMs,
    queueLimit: 1,
    lagMaxSeconds: 1,
  } as const
  return createHost(config, address)
}

const statement = { sql: 'select 1', values: [] }

test('a host closes in order while a connection to it is being opened', async () => {
  const host = start(200)
  const failed = expect(host.sessions.run(statement)).rejects.toThrow('no connection')
  await once(silent, 'connection')
  await expect(host.close()).resolves.toBeUndefined()
  await failed
})

test.each([
  ['statement', ({ sessions }: Host) => sessions.run(statement)],
  ['task', ({ sessions }: Host) => sessions.runTask((run) => run(statement))],
])('a %s in flight fails at once when the connections of its host are dropped', async (_, begin) => {
  const host = start(60_000)
  const failed = expect(begin(host)).rejects.toThrow('were dropped')
  await once(silent, 'connection')
  host.sessions.drop()
  await failed
  await host.close()
})
