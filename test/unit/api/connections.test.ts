import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { httpLimits, limitConnections } from '../../../src/api/connections.js'

/** More than the buffers of both sockets take. */
const body = Buffer.alloc(64 * 1024 * 1024)

test('a connection whose caller takes no answer or no end is closed, and one that waits for a request is not', async () => {
  const app = Fastify().get('/', () => body)
  const limits = { ...httpLimits, answerTimeoutMs: 100, checkEveryMs: 20 }
  const countOpen = limitConnections(app, limits)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = async () => {
    const accepted = once(app.server, 'connection') as Promise<[Socket]>
    const caller = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined)
    const [socket] = await accepted
    return { caller, socket }
  }
  const [idle, unread, ended] = [await open(), await open(), await open()]
  unread.caller.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  ended.socket.end()
  await expect.poll(countOpen).toBe(1)
  expect(idle.socket.destroyed).toBe(false)
  for (const { caller } of [idle, unread, ended]) caller.destroy()
  await app.close()
})
