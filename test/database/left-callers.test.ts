import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import { useProduct, useService } from '../support/service.js'

/*
 * The loop of the service is blocked until every caller of a crowd has asked and left. Then it reads each request before the close
 * that is behind it, as at full load.
 */

const poolSize = 2
const callers = 400
const database = useProduct('plain', { registrations: 2000 })
const service = useService(database, {
  env: { DATABASE_POOL_SIZE: String(poolSize), RATE_LIMIT_PER_MINUTE: '0' },
})
afterAll(() => {
  service.app.server.closeAllConnections()
})

/** Asks on connections of their own, leaves at once, and wakes the thread that waits. */
const crowd = `
  const { connect } = require('node:net')
  const { workerData: { port, head, callers, left } } = require('node:worker_threads')
  for (let at = 0; at < callers; at += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.end(head, () => socket.destroy())
    socket.once('close', () => {
      if (Atomics.add(left, 0, 1) === callers - 1) Atomics.notify(left, 0)
    })
  }`

test('no more statements than the pool has connections are made for callers who left, at full load', async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = service.app.server.address() as AddressInfo
  // A connection of its own is accepted after those of the crowd.
  const list = async (key: string): Promise<number | undefined> => {
    const headers = { authorization: `Bearer ${key}` }
    const request = get(`http://127.0.0.1:${port}${base}/registrations?limit=100`, { headers, agent: false })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer.resume(), 'end')
    return answer.statusCode
  }
  for (const key of [keys.both, keys.empty]) expect(await list(key)).toBe(200)

  let statements = 0
  const note = (): void => {
    statements += 1
  }
  const left = new Int32Array(new SharedArrayBuffer(4))
  const head = `GET ${base}/registrations?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.both}\r\n\r\n`
  const worker = new Worker(crowd, { eval: true, workerData: { port, head, callers, left } })
  await once(worker, 'online')
  while (Atomics.load(left, 0) < callers) Atomics.wait(left, 0, Atomics.load(left, 0), 100)
  subscribe('tracing:mysql2:execute:start', note)
  expect(await list(keys.empty)).toBe(200)
  unsubscribe('tracing:mysql2:execute:start', note)
  expect(statements - 1).toBeLessThanOrEqual(poolSize)
})
