import { expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { createClient } from '../support/client.js'
import type { Client } from '../support/client.js'
import { startNetwork } from '../support/network.js'
import { startService, useThrowaway } from '../support/service.js'

const throwaway = useThrowaway()
const pollOptions = { timeout: 60_000 }

/** Two callers that read all the time; `stop` returns every status that they got. */
function startTraffic(client: Client): { stop: () => Promise<ReadonlySet<number>> } {
  const statuses = new Set<number>()
  let isOn = true
  const call = async (limit: number): Promise<void> => {
    while (isOn) statuses.add((await client.get('registrations', { limit })).status)
  }
  const calls = [1, 2, 3].map(call)
  return {
    stop: async () => {
      isOn = false
      await Promise.all(calls)
      return statuses
    },
  }
}

test('sessions follow a host name that moves, and no request fails meanwhile', async () => {
  const product = await throwaway.createProduct('plain', { registrations: 100 })
  const network = await startNetwork(product.readUrl)
  const service = await startService(
    { ...product, readUrl: network.url },
    { env: { DATABASE_CONNECTION_MAX_AGE_SECONDS: '1', DATABASE_QUERY_TIMEOUT_MS: '60000' } },
  )
  const traffic = startTraffic(createClient(service, keys.both))
  for (let moves = 0; moves < 3; moves += 1) {
    await expect.poll(() => network.connections.size, pollOptions).toBeGreaterThan(0)
    const old = [...network.connections]
    await expect.poll(() => old.every((socket) => socket.destroyed), pollOptions).toBe(true)
  }
  expect(await traffic.stop()).toEqual(new Set([200]))
  // A connection that is not used is closed, and not replaced.
  await expect.poll(() => network.connections.size, pollOptions).toBe(0)
  // A server logs connections that end without a word.
  expect(network.countQuits()).toBeGreaterThan(3)
})
