import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHost } from '../../../src/database/host.js'

/** A frozen server: its system takes connections, and nobody says a word over them. */
const silent = createServer((socket) => sockets.push(socket))
const sockets: Socket[] = []
beforeAll(() => once(silent.listen(0, '127.0.0.1'), 'listening'))
afterAll(() => {
  silent.close()
  for (const socket of sockets) socket.destroy()
})

test('a host to which a connection is still being opened closes in order', async () => {
  const address = { host: '127.0.0.1', port: (silent.address() as AddressInfo).port }
  const config = {
    user: 'reader',
    password: '',
    name: 'product',
    hosts: [address],
    tls: 'off',
    tlsCa: undefined,
    poolSize: 1,
    connectionMaxAgeMs: 300_000,
    queryTimeoutMs: 200,
    queueLimit: 1,
    lagMaxSeconds: 1,
  } as const
  const host = createHost(config, address, () => undefined)
  const asked = expect(host.sessions.run({ sql: 'select 1', values: [] })).rejects.toThrow('no connection')
  await once(silent, 'connection')
  await expect(host.close()).resolves.toBeUndefined()
  await asked
})
