import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Finding } from '../../../src/audit/finding.js'
import { auditEveryMs, repeatAudit } from '../../../src/audit/repeat-audit.js'

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
    everyMs: auditEveryMs,
    clock: Date.now,
    audit: () => {
      const answer = answers.shift() ?? []
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
    onNew: ({ object }) => events.push(`new ${object}`),
    onFixed: ({ object }) => events.push(`fixed ${object}`),
    onFailure: () => events.push('failed'),
  })
  return { repeated, events, pass: () => vi.advanceTimersByTimeAsync(auditEveryMs) }
}

test('the audit runs every ten minutes, and reports each change once', async () => {
  const { repeated, events, pass } = start(
    [],
    [[], [toFinding('a')], [toFinding('a'), toFinding('b')], [toFinding('b')]],
  )
  await vi.advanceTimersByTimeAsync(599_999)
  expect(events).toEqual([])
  for (const expected of [[], ['new a'], ['new b'], ['fixed a']]) {
    await pass()
    expect(events.splice(0)).toEqual(expected)
  }
  expect(repeated.listNew().map(({ object }) => object)).toEqual(['b'])
  repeated.stop()
  await pass()
  await pass()
  expect(repeated.listNew().map(({ object }) => object)).toEqual(['b'])
})

test('a finding of the first audit is not new, and neither is a warning', async () => {
  const { repeated, events, pass } = start(
    [toFinding('known')],
    [[toFinding('known'), toFinding('w', 'warning')]],
  )
  expect(repeated.countErrors()).toBe(1)
  await pass()
  expect(events).toEqual([])
  expect(repeated.listNew()).toEqual([])
  repeated.stop()
})

test('an audit that fails changes nothing', async () => {
  const { repeated, events, pass } = start([], [[toFinding('a')], new Error('away')])
  await pass()
  await pass()
  expect(events).toEqual(['new a', 'failed'])
  expect(repeated.listNew()).toHaveLength(1)
  repeated.stop()
})
