import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHealthMonitor } from '../../../src/database/health-check.js'
import type { HealthCheckResult } from '../../../src/database/health.js'
import { createTestHost } from '../../support/hosts.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const well: HealthCheckResult = { isReplica: false, lagSeconds: 0, at: { seconds: 1_000_000, micros: 0 } }
const limitMs = 5000

/** A monitored host. @param check what its health check does from now on. */
async function start(check: () => Promise<HealthCheckResult>) {
  const state = { check: (): Promise<HealthCheckResult> => Promise.resolve(well) }
  const host = { ...createTestHost('a'), healthCheck: { check: () => state.check() } }
  const monitor = createHealthMonitor([host], limitMs)
  await monitor.start({ onChange: () => undefined, onRound: () => undefined })
  state.check = check
  return { host, isAnswering: host.health.isAnswering, stop: monitor.stop }
}

const after = <Result>(ms: number, result: Result): Promise<Result> =>
  new Promise((resolve) => {
    setTimeout(() => {
      resolve(result)
    }, ms)
  })

describe('a start with a member of a group', () => {
  const startMember = () => {
    const check = (): Promise<HealthCheckResult> => {
      const at = { seconds: 1_000_000 + Math.floor(performance.now() / 1000), micros: 0 }
      return Promise.resolve({ isReplica: true, lagSeconds: 0, settleSeconds: 15, at })
    }
    const host = { ...createTestHost('a'), healthCheck: { check } }
    const monitor = createHealthMonitor([host], limitMs)
    const onStarted = vi.fn()
    const started = monitor
      .start({ onChange: () => undefined, onRound: () => undefined })
      .then(() => void onStarted())
    return { host, monitor, started, onStarted }
  }

  test('waits until it was fresh for as long as it may not know better', async () => {
    const { host, monitor, onStarted } = startMember()
    await vi.advanceTimersByTimeAsync(13_000)
    expect([onStarted.mock.calls.length, host.health.state()]).toEqual([0, 'lagging'])
    await vi.advanceTimersByTimeAsync(4000)
    await expect.poll(() => onStarted.mock.calls.length).toBe(1)
    expect(host.health.state()).toBe('healthy')
    monitor.stop()
  })

  test('ends when it is stopped', async () => {
    const { monitor, started, onStarted } = startMember()
    await vi.advanceTimersByTimeAsync(1000)
    expect(onStarted).not.toHaveBeenCalled()
    monitor.stop()
    // Time stands still from here on.
    await started
    expect(onStarted).toHaveBeenCalledOnce()
  })
})

describe('a host answers', () => {
  test('although it is slow and counts as down', async () => {
    const { host, isAnswering, stop } = await start(() => after(4000, well))
    for (let at = 0; at < 20_000; at += 100) {
      await vi.advanceTimersByTimeAsync(100)
      expect(isAnswering()).toBe(true)
    }
    expect(host.health.isUp()).toBe(false)
    stop()
  })

  test('although one check fails', async () => {
    let failures = 1
    const { isAnswering, stop } = await start(() =>
      failures-- > 0 ? Promise.reject(new Error('closed')) : Promise.resolve(well),
    )
    for (let at = 0; at < 3000; at += 50) {
      await vi.advanceTimersByTimeAsync(50)
      expect(isAnswering()).toBe(true)
    }
    stop()
  })

  test('while it answers statements, whatever its checks do', async () => {
    const { host, isAnswering, stop } = await start(() => Promise.reject(new Error('too many connections')))
    for (let at = 0; at < 3000; at += 50) {
      host.health.noteAnswer()
      await vi.advanceTimersByTimeAsync(50)
      expect(isAnswering()).toBe(true)
    }
    stop()
  })
})

describe('a host does not answer', () => {
  test('after two checks that failed since its last answer', async () => {
    const { host, isAnswering, stop } = await start(() => Promise.reject(new Error('refused')))
    await vi.advanceTimersByTimeAsync(1400)
    host.health.noteAnswer()
    expect(isAnswering()).toBe(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(isAnswering()).toBe(false)
    stop()
  })

  test('after the time limit of a statement, until it answers', async () => {
    const { host, isAnswering, stop } = await start(() => new Promise(() => undefined))
    await vi.advanceTimersByTimeAsync(1000 + limitMs - 200)
    expect(isAnswering()).toBe(true)
    await vi.advanceTimersByTimeAsync(400)
    expect(isAnswering()).toBe(false)
    host.health.noteAnswer()
    expect(isAnswering()).toBe(true)
    stop()
  })
})
