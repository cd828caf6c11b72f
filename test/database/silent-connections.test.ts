import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { HttpLimits } from '../../src/api/limits.js'
import type { ProductDatabase } from '../product/index.js'
import { docs, listen as startListening, pollOptions } from '../support/listening.js'
import type { Listening } from '../support/listening.js'
import type { RawCaller } from '../support/raw-caller.js'
import { useThrowaway } from '../support/service.js'

vi.setConfig({ testTimeout: 20_000 })

const throwaway = useThrowaway()
let database: ProductDatabase
beforeAll(async () => {
  database = await throwaway.createProduct('plain', { registrations: 1 })
})

const listen = (limits: Partial<HttpLimits>): Promise<Listening> => startListening(database, limits)

describe('silent connections', () => {
  const countClosed = (dialled: readonly RawCaller[]): number =>
    dialled.filter(({ socket }) => socket.destroyed).length
  const ask = async (caller: RawCaller): Promise<number | undefined> => {
    const before = caller.answers().length
    caller.send(docs)
    return (await caller.waitFor(before + 1))[before]?.status
  }

  test.each([
    ['no byte', ''],
    ['half a head', 'GET /docs HTTP/1.1\r\nHost: a\r\n'],
    ['a request for nothing', 'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('are closed, the oldest first, and callers are not: %s', async (_what, bytes) => {
    const { call } = await listen({ connectionsMax: 3 })
    const established = [await call(), await call(), await call()]
    for (const caller of established) expect(await ask(caller)).toBe(200)
    const silent: RawCaller[] = []
    for (let at = 0; at < 12; at += 1) {
      const caller = await call()
      caller.send(bytes)
      silent.push(caller)
    }
    await expect.poll(() => countClosed(silent), pollOptions).toBe(9)
    expect(silent.slice(9).map(({ socket }) => socket.destroyed)).toEqual([false, false, false])
    for (const caller of established) expect(await ask(caller)).toBe(200)
  })

  test('count no more than those that their callers do not close', async () => {
    const { call, countConnections } = await listen({ connectionsMax: 3 })
    const established = await call()
    expect(await ask(established)).toBe(200)
    for (let at = 0; at < 12; at += 1) {
      const caller = await call()
      caller.socket.allowHalfOpen = true
      caller.send('nonsense\r\n\r\n')
      expect((await caller.waitFor(1))[0]?.status).toBe(400)
    }
    await expect.poll(countConnections, pollOptions).toBe(6)
    expect([await ask(await call()), await ask(established)]).toEqual([200, 200])
  })

  test('leave room for a caller that sends a request', async () => {
    const { call } = await listen({ connectionsMax: 3 })
    for (let at = 0; at < 12; at += 1) await call()
    const next = await call()
    for (let at = 0; at < 2; at += 1) await call()
    expect(await ask(next)).toBe(200)
    for (let at = 0; at < 12; at += 1) await call()
    expect(await ask(next)).toBe(200)
  })

  test('of 2,100, and more every moment, stop no caller', { timeout: 60_000 }, async () => {
    const { call } = await listen({})
    const established = await Promise.all([call(), call()])
    for (const caller of established) expect(await ask(caller)).toBe(200)
    for (let round = 0; round < 21; round += 1) await Promise.all(Array.from({ length: 100 }, call))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(Array.from({ length: 30 }, call))
      expect(await ask(await call())).toBe(200)
      for (const caller of established) expect(await ask(caller)).toBe(200)
    }
  })
})
