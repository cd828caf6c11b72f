import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VitrineError } from '../../src/client/index.js'
import { createProgress } from '../../src/pull/progress.js'
import { record } from '../support/copies.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function create(isLoop = false) {
  const written: string[] = []
  const progress = createProgress((text) => written.push(text), { retries: 5, isLoop })
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

test('a loop says once that the service is gone, each hour, and that it is back', () => {
  const { written, progress } = create(true)
  /** Half a minute, in which the service does not answer the requests of a sync. */
  const failSync = (collection: string): void => {
    progress.start(collection)
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      progress.retry({ attempt, delayMs: 1000, error })
      vi.advanceTimersByTime(3000)
    }
    progress.fail(error)
    progress.end()
    vi.advanceTimersByTime(15_000)
  }
  progress.end()
  for (let minute = 0; minute < 150; minute += 1)
    for (const one of ['invoices', 'registrations']) failSync(one)
  for (const one of ['invoices', 'registrations']) {
    progress.start(one)
    progress.page([])
    progress.succeed()
    progress.end()
  }
  expect(written).toEqual([
    `invoices: ${reason}; trying until it answers\n`,
    `invoices: ${reason}; trying until it answers, for 60 minutes\n`,
    `invoices: ${reason}; trying until it answers, for 120 minutes\n`,
    'registrations: the service answers again, after 150 minutes\n',
  ])
})

test('a loop is quiet about a single attempt, and about a sync that succeeds', () => {
  const { written, progress } = create(true)
  progress.retry({ attempt: 1, delayMs: 1400, error })
  progress.page([record('a')])
  progress.succeed()
  expect(written).toEqual([])
})
