import { expect, test } from 'vitest'
import type { Observation, Observe } from '../../../src/api/observation.js'
import { listReasons, watchReasons } from '../../../src/api/ops.js'
import { createError } from '../../../src/finding.js'
import type { Finding } from '../../../src/finding.js'

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
  const record: Observe = (event) => {
    if (event.kind === 'ready') changes.push([])
    if (event.kind === 'unready') changes.push(event.reasons)
  }
  const review = watchReasons(() => listReasons(checks), record)
  const events: Readonly<Record<string, Observation>> = {
    down: { kind: 'database unreachable', err: undefined },
    up: { kind: 'database reachable' },
    closing: { kind: 'closing' },
  }
  const send = (name: string): void => {
    review(events[name]!)
    review(events[name]!)
  }
  send('up')
  Object.assign(found, { answers: false, issues: ['invoices: i'], findings: [finding, finding] })
  send('down')
  Object.assign(found, { answers: true, issues: [], findings: [] })
  send('up')
  closing.isAnnounced = true
  send('closing')
  expect(changes).toEqual([
    ['the database does not answer', 'invoices: i', 'the audit has 2 new findings; the log lists them'],
    [],
    ['the service is about to end'],
  ])
})
