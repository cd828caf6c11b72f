import { beforeAll, expect, test, vi } from 'vitest'
import { keys } from '../product/index.js'
import type { ProductDatabase } from '../product/index.js'
import { base } from '../support/client.js'
import { docs, listen } from '../support/listening.js'
import type { Listening } from '../support/listening.js'
import type { RawCaller } from '../support/raw-caller.js'
import { useThrowaway } from '../support/service.js'

vi.setConfig({ testTimeout: 30_000 })

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 100 })
})

// One address can have 2 of the 4 connections of callers while others come.
const limits = { connectionsMax: 4, pipelinedMax: 400 }
const neighbour = '127.0.0.2'

const toRequest = (path: string, headers: readonly string[] = []): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')
const authorization = `Authorization: Bearer ${keys.both}`
const list = toRequest(`${base}/registrations?limit=1`, [authorization])
const missing = toRequest(`${base}/registrations/none`, [authorization])

const ask = async (caller: RawCaller, request: string): Promise<number | undefined> => {
  const before = caller.answers().length
  caller.send(request)
  return (await caller.waitFor(before + 1))[before]?.status
}

/** All connections that callers can have, each with 22 MB of answers of which it reads only the first. */
async function flood(service: Listening, requests: string): Promise<void> {
  for (let at = 0; at < limits.connectionsMax; at += 1) {
    const caller = await service.call()
    caller.send(requests)
    await caller.waitFor(1)
    caller.socket.pause()
  }
}

test('an address that reads no answer leaves room for another one', async () => {
  const service = await listen(database, limits)
  const established = await service.call(neighbour)
  expect(await ask(established, missing)).toBe(404)
  await flood(service, toRequest('/docs').repeat(400))
  expect(await ask(established, list)).toBe(200)
  for (let at = 0; at < 4; at += 1) {
    const next = await service.call(neighbour)
    expect(await ask(next, at % 2 === 0 ? docs : list)).toBe(200)
    next.socket.destroy()
  }
  expect(await ask(established, list)).toBe(200)
})

test('idle connections without a key are closed before those with one', async () => {
  const service = await listen(database, limits)
  const withKey = [await service.call(neighbour), await service.call('127.0.0.3')]
  for (const caller of withKey) expect(await ask(caller, list)).toBe(200)
  for (let at = 0; at < 6; at += 1) expect(await ask(await service.call(`127.0.1.${at}`), docs)).toBe(200)
  for (const caller of withKey) expect(await ask(caller, list)).toBe(200)
})

test('behind a trusted proxy, a connection counts for the address that it is forwarded for', async () => {
  const service = await listen(database, limits, { TRUST_PROXY: '127.0.0.1' })
  const from = (address: string): string => toRequest('/docs', [`X-Forwarded-For: ${address}`])
  await flood(service, from('192.0.2.1').repeat(400))
  expect(await ask(await service.call(), from('192.0.2.1'))).toBe(503)
  expect(await ask(await service.call(), from('192.0.2.2'))).toBe(200)
})

test('a connection that a proxy uses for several callers counts for the proxy', async () => {
  const service = await listen(database, limits, { TRUST_PROXY: '127.0.0.1' })
  const from = (address: string): string => toRequest('/docs', [`X-Forwarded-For: ${address}`])
  await flood(service, (from('192.0.2.1') + from('192.0.2.2')).repeat(200))
  expect(await ask(await service.call(), from('192.0.2.2'))).toBe(200)
})
