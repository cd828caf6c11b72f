import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VitrineError } from '../../src/client/index.js'
import { createProgress } from '../../src/pull/progress.js'
import { record } from '../support/copies.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function create() {
  const written: string[] = []
  const progress = createProgress((text) => written.push(text), 5)
  progress.start('invoices')
  return { written, progress }
}

const error = new VitrineError('overloaded', 'Too many requests.', { status: 503, requestId: 'r-1' })
const reason = 'overloaded: Too many requests. (status 503, request r-1)'

test('there is a line every ten seconds, also while the first response is late', () => {
  const { written, progress } = create()
  vi.advanceTimersByTime(10_000)
  for (let page = 0; page < 50; page += 1) progress.page([record('a')])
  vi.advanceTimersByTime(10_000)
  progress.page([{ ...record('b'), updatedAt: '2026-03-02\u001b[2JT' }])
  vi.advanceTimersByTime(49_000)
  progress.end()
  expect(written.slice(0, 2)).toEqual([
    'invoices: 0 records, 10 s\n',
    'invoices: 50 records, 20 s, changes up to 2026-03-01 09:00\n',
  ])
  expect(written).toHaveLength(6)
  expect(written.at(-1)).toBe('invoices: 51 records, 60 s, changes up to 2026-03-02\uFFFD[2J \n')
})

test('a failed attempt is a line with its reason and the time of the next one', () => {
  const { written, progress } = create()
  progress.retry({ attempt: 2, delayMs: 1400, error })
  expect(written).toEqual([`invoices: ${reason}; retry 2 of 5 in 1 s\n`])
})
