import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { httpLimits, limitConnections } from '../../../src/api/connections.js'

/** More than the buffers of both sockets take. */
const body = Buffer.alloc(64 * 1024 * 1024)

test('a connection whose caller leaves an answer unread is closed, and one that waits for a request is not', async () => {
  const app = Fastify()
  const limits = { ...httpLimits, answerTimeoutMs: 100, checkEveryMs: 20 }
  const countOpen = limitConnections(app, limits)
  const closed = new Promise((resolve) => {
    app.get('/', ({ raw }) => {
      raw.socket.once('close', resolve)
      return body
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const accepted = once(app.server, 'connection')
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    await accepted
    return socket
  }
  const sockets = [await open(), await open()]
  sockets[1]?.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await closed
  expect(countOpen()).toBe(1)
  for (const socket of sockets) socket.destroy()
  await app.close()
})
