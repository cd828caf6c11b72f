import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReadiness } from '../../../src/service/readiness.js'
import type { UnreadyReason } from '../../../src/service/readiness.js'

const finding = { severity: 'error', object: 'o', problem: 'p', fix: 'm' } as const

/** What the checks found last; tests change it. */
function start() {
  const found = { answers: true, issues: [] as string[], findings: 0 }
  const changes: (readonly UnreadyReason[])[] = []
  const readiness = createReadiness({
    audit: { listNew: () => Array.from({ length: found.findings }, () => finding) },
    schema: { listIssues: () => found.issues },
    database: { isAnswering: () => found.answers },
    onChange: (reasons) => changes.push(reasons),
  })
  return { ...readiness, found, changes }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the reasons against traffic are what the checks found last', () => {
  const { found, listReasons } = start()
  expect(listReasons()).toEqual([])
  Object.assign(found, { answers: false, issues: ['invoices: i'], findings: 2 })
  expect(listReasons()).toEqual([
    { kind: 'database', text: 'no host of the database answers' },
    { kind: 'schema', text: 'invoices: i' },
    { kind: 'audit', text: 'the audit has 2 new findings; the log lists them' },
  ])
})

test('each change of the reasons is reported once, until it is stopped', () => {
  const { found, changes, stop } = start()
  vi.advanceTimersByTime(1000)
  expect(changes).toEqual([])
  found.answers = false
  vi.advanceTimersByTime(1000)
  expect(changes).toEqual([[{ kind: 'database', text: 'no host of the database answers' }]])
  found.answers = true
  vi.advanceTimersByTime(1000)
  expect(changes.at(-1)).toEqual([])
  expect(changes).toHaveLength(2)
  stop()
  found.answers = false
  vi.advanceTimersByTime(1000)
  expect(changes).toHaveLength(2)
})
