import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys } from '../product/index.js'
import { startCallers } from '../support/callers.js'
import type { Callers } from '../support/callers.js'
import { base } from '../support/client.js'
import { useThrowaway } from '../support/service.js'
import { sendScript, script } from './connection.js'
import { poolSize, startProbedService } from './service.js'
import type { ProbedService } from './service.js'

/*
 * Connections full of hostile bytes, some at a time, against the service as it ships, while honest callers go on.
 * The same ones on every run; HOSTILE_RUNS asks for more and HOSTILE_SEED for others.
 */

const runs = Number(process.env['HOSTILE_RUNS'] ?? 60)
const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_121)

/** What is kept for good, such as compiled code, is there by then. */
const warmUpRuns = 60
/** Twice what compiled code and full caches come to, however many runs; some KB left by each connection are more. */
const growthMaxBytes = 3_000_000

const throwaway = useThrowaway()
let service: ProbedService
let honest: Callers
beforeAll(async () => {
  const database = await throwaway.createProduct('plain', { registrations: 100 })
  service = await startProbedService(database)
  honest = startCallers(database, async (path, key) => {
    const answer = await fetch(`${service.origin}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return { status: answer.status, text: await answer.text() }
  })
})
afterAll(async () => {
  await honest.stop()
  await service.stop()
})

/**
 * Waits until the hostile connections are closed: what is open then belongs to the pool and to the honest callers. `fetch`
 * opens a further connection when an earlier one is not free at once, and uses all of them from then on.
 */
async function settle(): Promise<void> {
  const own = poolSize + honest.names.length * 4
  await expect
    .poll(async () => (await service.measure()).sockets, { timeout: 60_000 })
    .toBeLessThanOrEqual(own)
}

async function assault(numRuns: number, offset: number): Promise<void> {
  const batches = fc.array(script, { minLength: 8, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      const ends = await Promise.allSettled(batch.map((one) => sendScript(service.port, one)))
      if (!service.lives())
        throw new Error(`The service ended in:\n${batch.map((one) => JSON.stringify(one)).join('\n')}`)
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }),
    {
      seed: seed + offset,
      numRuns,
      // The error names the one connection; smaller ones could not be tried on a service that is gone.
      endOnFailure: true,
      reporter: ({ failed, counterexamplePath, errorInstance }) => {
        if (failed)
          throw new Error(`HOSTILE_SEED=${seed}, at ${counterexamplePath}`, { cause: errorInstance })
      },
    },
  )
  await settle()
}

test('nothing that comes over a socket ends it, delays it, or is kept', async () => {
  await assault(warmUpRuns, 0)
  const before = await service.measure()
  await assault(runs, 1)
  const after = await service.measure()
  process.stderr.write(
    `hostile: heap ${before.heapBytes} to ${after.heapBytes}, sockets ${before.sockets} to ${after.sockets}, buffers ${before.bufferBytes} to ${after.bufferBytes}\n`,
  )
  expect(after.heapBytes - before.heapBytes).toBeLessThan(growthMaxBytes)
  expect(after.bufferBytes - before.bufferBytes).toBeLessThan(growthMaxBytes)

  const wrong = honest.results.filter(({ as }) => as !== 'right').map(({ detail }) => detail)
  expect(wrong).toEqual([])
  for (const name of honest.names)
    expect(honest.results.filter(({ caller }) => caller === name).length).toBeGreaterThan(10)
  const answer = await fetch(`${service.origin}${base}/invoices?limit=1`, {
    headers: { authorization: `Bearer ${keys.both}` },
  })
  expect(answer.status).toBe(200)
})
