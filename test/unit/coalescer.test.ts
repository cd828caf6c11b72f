import { describe, expect, test } from 'vitest'
import { createCoalescer } from '../../src/coalescer.js'

/** A coalesced task whose runs end when the test says so. */
function start() {
  const runs: ((result: string) => void)[] = []
  const call = createCoalescer(() => new Promise<string>((resolve) => runs.push(resolve)))
  return { runs, call }
}

/** Lets everything that is settled take effect. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// A run that fails is in test/unit/audit/repeat-audit.test.ts.
describe('a coalesced task', () => {
  test('never returns the result of a run that began before the call', async () => {
    const { runs, call } = start()
    const first = call()
    await settle()
    const later = call()
    runs[0]!('old')
    expect(await first).toBe('old')
    await settle()
    expect(runs).toHaveLength(2)
    runs[1]!('new')
    expect(await later).toBe('new')
  })

  test('never runs twice at a time, even for a call at the instant when a run ends', async () => {
    let [active, most] = [0, 0]
    const call = createCoalescer(async () => {
      active += 1
      most = Math.max(most, active)
      await settle()
      active -= 1
    })
    const again: Promise<void>[] = []
    const first = call().then(() => again.push(call()))
    await Promise.resolve()
    const queued = call()
    for (let at = 0; at < 10; at += 1) again.push(first.then(() => undefined).then(() => call()))
    await Promise.all([first, queued, ...again])
    await Promise.all(again)
    expect(most).toBe(1)
  })
})
