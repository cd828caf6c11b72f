import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from '../../../src/audit/finding.js'
import { auditEveryMs, watchAudit } from '../../../src/audit/watch-audit.js'

const toFinding = (object: string, severity: Finding['severity'] = 'error'): Finding => ({
  severity,
  object,
  privilege: 'INSERT',
  problem: 'held',
  fix: 'REVOKE',
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function start(known: readonly Finding[], answers: (readonly Finding[] | Error)[]) {
  const told: string[] = []
  const watch = watchAudit({
    known,
    everyMs: auditEveryMs,
    clock: Date.now,
    audit: () => {
      const answer = answers.shift() ?? []
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    onNew: ({ object }) => told.push(`new ${object}`),
    onMended: ({ object }) => told.push(`fixed ${object}`),
    onFailure: () => told.push('failed'),
  })
  return { watch, told, pass: () => vi.advanceTimersByTimeAsync(auditEveryMs) }
}

test('the audit runs every ten minutes, and tells of each change once', async () => {
  const { watch, told, pass } = start(
    [],
    [[], [toFinding('a')], [toFinding('a'), toFinding('b')], [toFinding('b')]],
  )
  await vi.advanceTimersByTimeAsync(599_999)
  expect(told).toEqual([])
  for (const expected of [[], ['new a'], ['new b'], ['fixed a']]) {
    await pass()
    expect(told.splice(0)).toEqual(expected)
  }
  expect(watch.listNew().map(({ object }) => object)).toEqual(['b'])
  watch.stop()
  await pass()
  await pass()
  expect(watch.listNew().map(({ object }) => object)).toEqual(['b'])
})

test('what the service was started with is not new, and a warning never is', async () => {
  const { watch, told, pass } = start([toFinding('known')], [[toFinding('known'), toFinding('w', 'warning')]])
  expect(watch.countErrors()).toBe(1)
  await pass()
  expect(told).toEqual([])
  expect(watch.listNew()).toEqual([])
  watch.stop()
})

test('an audit that cannot be made takes nothing back', async () => {
  const { watch, told, pass } = start([], [[toFinding('a')], new Error('away')])
  await pass()
  await pass()
  expect(told).toEqual(['new a', 'failed'])
  expect(watch.listNew()).toHaveLength(1)
  watch.stop()
})
