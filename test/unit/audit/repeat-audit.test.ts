import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from '../../../src/finding.js'
import { repeatAudit } from '../../../src/audit/repeat-audit.js'

const auditEveryMs = 600_000
const auditAgainMs = 15_000

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
  const events: string[] = []
  const repeated = repeatAudit({
    known,
    clock: Date.now,
    audit: () => {
      const answer = answers.shift() ?? []
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    observe: (event) =>
      events.push(event.kind === 'audit failed' ? 'failed' : `${event.kind} ${event.finding.object}`),
  })
  return { repeated, events, pass: (ms: number = auditEveryMs) => vi.advanceTimersByTimeAsync(ms) }
}

test('the audit runs every ten minutes, every 15 seconds while there is a finding, and reports each change once', async () => {
  const { repeated, events, pass } = start(
    [],
    [[], [toFinding('a')], [toFinding('a'), toFinding('b')], [toFinding('b')], [], [toFinding('c')]],
  )
  await vi.advanceTimersByTimeAsync(599_999)
  expect(events).toEqual([])
  for (const [ms, expected] of [
    [1, []],
    [auditEveryMs, ['finding new a']],
    [auditAgainMs - 1, []],
    [1, ['finding new b']],
    [auditAgainMs, ['finding fixed a']],
    [auditAgainMs, ['finding fixed b']],
    [auditEveryMs - 4 * auditAgainMs, []],
    [auditAgainMs, ['finding new c']],
  ] as const) {
    await pass(ms)
    expect(events.splice(0)).toEqual(expected)
  }
  expect(repeated.listNew().map(({ object }) => object)).toEqual(['c'])
  repeated.stop()
  await pass()
  await pass()
  expect(repeated.listNew().map(({ object }) => object)).toEqual(['c'])
})

test('an audit that fails changes nothing', async () => {
  const { repeated, events, pass } = start([], [[toFinding('a')], new Error('away')])
  await pass()
  await pass(auditAgainMs)
  expect(events).toEqual(['finding new a', 'failed'])
  expect(repeated.listNew()).toHaveLength(1)
  repeated.stop()
})
