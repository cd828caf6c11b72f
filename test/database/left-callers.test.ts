import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { base } from '../support/client.js'
import { dial } from '../support/raw-caller.js'
import { useProduct, useService } from '../support/service.js'

const poolSize = 2
const database = useProduct('plain', { registrations: 2000 })
const service = useService(database, {
  env: { DATABASE_POOL_SIZE: String(poolSize), RATE_LIMIT_PER_MINUTE: '0', SCHEMA_CHECK_SECONDS: '3600' },
})

/** Asks on connections of their own, and leaves at once. */
const crowd = `
  const { connect } = require('node:net')
  const [port, head] = process.argv.slice(1)
  for (let at = 0; at < 400; at += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.end(head, () => socket.destroy())
  }`

const toHead = (key: string): string =>
  `GET ${base}/registrations?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`

test('no more statements than the pool has connections are made for callers who left, at full load', async () => {
  const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
  /** On a connection of its own, which is accepted after those of the crowd. */
  const list = async (key: string): Promise<number | undefined> => {
    const { send, waitFor, socket } = await dial(port)
    send(toHead(key))
    const [answer] = await waitFor(1)
    socket.destroy()
    return answer?.status
  }
  for (const key of [keys.both, keys.empty]) expect(await list(key)).toBe(200)
  let statements = 0
  const note = (): void => {
    statements += 1
  }
  // Blocks the service until all have asked and left. Then it reads each request before the close that is behind it.
  spawnSync(process.execPath, ['-e', crowd, String(port), toHead(keys.both)])
  subscribe('tracing:mysql2:execute:start', note)
  expect(await list(keys.empty)).toBe(200)
  unsubscribe('tracing:mysql2:execute:start', note)
  expect(statements - 1).toBeLessThanOrEqual(poolSize)
})
