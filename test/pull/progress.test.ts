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

function create(isTTY: boolean) {
  const written: string[] = []
  const output = { isTTY, columns: 52, write: (text: string) => text !== '' && written.push(text) }
  const progress = createProgress(output, 5)
  progress.start('invoices')
  return { written, progress }
}

const error = new VitrineError('overloaded', 'Too many requests.', { status: 503, requestId: 'r-1' })
const reason = 'overloaded: Too many requests. (status 503, request r-1)'

test('a terminal has one line, which is written again each second', () => {
  const { written, progress } = create(true)
  vi.advanceTimersByTime(2000)
  progress.page([record('a'), { ...record('b'), updatedAt: '2026-03-02\u001b[2JT' }])
  vi.advanceTimersByTime(1000)
  progress.end()
  vi.advanceTimersByTime(9000)
  expect(written.join('').split('\r\x1b[2K')).toEqual([
    '',
    'invoices: 0 records, 1 s',
    'invoices: 0 records, 2 s',
    'invoices: 2 records, 3 s, changes up to 2026-03-02�',
    '',
  ])
})

test('a log has a line every ten seconds, also while the first response is late', () => {
  const { written, progress } = create(false)
  vi.advanceTimersByTime(10_000)
  for (let page = 0; page < 50; page += 1) progress.page([record('a')])
  vi.advanceTimersByTime(59_000)
  progress.end()
  expect(written.slice(0, 2)).toEqual([
    'invoices: 0 records, 10 s\n',
    'invoices: 50 records, 20 s, changes up to 2026-03-01 09:00\n',
  ])
  expect(written).toHaveLength(6)
  expect(written.at(-1)).toContain('50 records, 60 s,')
})

test('a failed attempt is a line with its reason and the time of the next one', () => {
  const { written, progress } = create(false)
  progress.retry({ attempt: 2, delayMs: 1400, error })
  expect(written).toEqual([`invoices: ${reason}; retry 2 of 5 in 1 s\n`])
})
