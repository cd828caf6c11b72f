import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { spawnVitrine } from '../support/vitrine.js'

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it at once while no database answers', async (signal) => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const env = { DATABASE_URL: `mysql://user:x@127.0.0.1:${port}/none`, PORT: '0', OPS_PORT: '0' }
  const { child, stdout, ended } = spawnVitrine(['serve'], env)
  await once(silent, 'connection')
  child.kill(signal)
  expect(await ended).toBe(0)
  expect(stdout()).toContain('"msg":"closing"')
  silent.close()
})
