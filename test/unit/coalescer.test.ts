import { describe, expect, test } from 'vitest'
import { createCoalescer } from '../../src/coalescer.js'

interface Run {
  readonly end: (result: string) => void
  readonly fail: (error: Error) => void
}

/** A coalesced task whose runs end when the test says so. */
function start() {
  const runs: Run[] = []
  const call = createCoalescer(
    () =>
      new Promise<string>((resolve, reject) => {
        runs.push({ end: resolve, fail: reject })
      }),
  )
  return { runs, call }
}

/** Lets everything that is settled take effect. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a coalesced task', () => {
  test('never returns the result of a run that began before the call', async () => {
    const { runs, call } = start()
    const first = call()
    await settle()
    const later = call()
    runs[0]!.end('old')
    expect(await first).toBe('old')
    await settle()
    expect(runs).toHaveLength(2)
    runs[1]!.end('new')
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

  test('fails all calls of a failed run, and runs again for the next call', async () => {
    const { runs, call } = start()
    void call()
    await settle()
    const waiting = Promise.allSettled([call(), call()])
    runs[0]!.end('old')
    await settle()
    runs[1]!.fail(new Error('no connection'))
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await settle()
    const next = call()
    await settle()
    expect(runs).toHaveLength(3)
    runs[2]!.end('again')
    expect(await next).toBe('again')
  })
})
