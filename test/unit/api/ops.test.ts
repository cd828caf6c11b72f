import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listReasons, watchReasons } from '../../../src/api/ops.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the reasons against traffic are what the checks found last, and each change of them is reported once', () => {
  const found = { answers: true, issues: [] as string[], findings: 0 }
  const checks = {
    isAnswering: () => found.answers,
    listIssues: () => found.issues,
    countNewFindings: () => found.findings,
  }
  const closing = { isAnnounced: false }
  const changes: (readonly string[])[] = []
  const stop = watchReasons(
    () => listReasons(checks, closing),
    (reasons) => changes.push(reasons),
  )
  vi.advanceTimersByTime(1000)
  Object.assign(found, { answers: false, issues: ['invoices: i'], findings: 2 })
  vi.advanceTimersByTime(1000)
  Object.assign(found, { answers: true, issues: [], findings: 0 })
  vi.advanceTimersByTime(1000)
  closing.isAnnounced = true
  vi.advanceTimersByTime(1000)
  stop()
  closing.isAnnounced = false
  vi.advanceTimersByTime(1000)
  expect(changes).toEqual([
    ['the database does not answer', 'invoices: i', 'the audit has 2 new findings; the log lists them'],
    [],
    ['the service is about to end'],
  ])
})
