import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listReasons, watchReasons } from '../../../src/api/ops.js'
import { createError } from '../../../src/finding.js'
import type { Finding } from '../../../src/finding.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the reasons against traffic are what the checks found last, and each change of them is reported once', () => {
  const finding = createError('o', 'p', 'f')
  const found = { answers: true, issues: [] as string[], findings: [] as Finding[] }
  const closing = { isAnnounced: false }
  const checks = {
    database: { isAnswering: () => found.answers },
    binding: { listIssues: () => found.issues },
    audit: { listNew: () => found.findings },
    closing,
  }
  const changes: (readonly string[])[] = []
  const stop = watchReasons(
    () => listReasons(checks),
    (reasons) => changes.push(reasons),
  )
  vi.advanceTimersByTime(1000)
  Object.assign(found, { answers: false, issues: ['invoices: i'], findings: [finding, finding] })
  vi.advanceTimersByTime(1000)
  Object.assign(found, { answers: true, issues: [], findings: [] })
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
