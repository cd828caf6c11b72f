import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { VitrineError } from '../../src/client/index.js'
import { createWaiting } from '../../src/pull/waiting.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function create(isTTY = false, isWatch = false) {
  const lines: string[] = []
  const output = { isTTY, write: (text: string) => lines.push(text) }
  const waiting = createWaiting(output, {
    collection: 'invoices',
    timeoutMs: 30_000,
    retries: 5,
    isWatch,
    clock: Date.now,
  })
  return { lines, waiting }
}

const error = new VitrineError('overloaded', 'Too many requests.', { status: 503, requestId: 'r-1' })

test('a late response is reported within 2 seconds, then every 10 seconds', () => {
  const { lines, waiting } = create()
  waiting.start()
  vi.advanceTimersByTime(1400)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(600)
  expect(lines).toEqual(['invoices: waiting for the first response for 2 s, time limit 30 s\n'])
  vi.advanceTimersByTime(18_000)
  expect(lines.slice(1)).toEqual([
    'invoices: waiting for the first response for 10 s, time limit 30 s\n',
    'invoices: waiting for the first response for 20 s, time limit 30 s\n',
  ])
})

test('nothing is reported once the response is here, or before a later one is late too', () => {
  const { lines, waiting } = create()
  waiting.start()
  waiting.stop()
  vi.advanceTimersByTime(60_000)
  waiting.start()
  vi.advanceTimersByTime(1400)
  waiting.start()
  vi.advanceTimersByTime(1400)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(100)
  expect(lines).toEqual(['invoices: waiting for the next response for 2 s, time limit 30 s\n'])
})

test.each([
  [250, '1 s'],
  [7400, '7 s'],
])('a retry is reported at once, with its reason and its delay of %i ms', (delayMs, text) => {
  const { lines, waiting } = create()
  waiting.start()
  waiting.retry({ attempt: 1, delayMs, error })
  expect(lines).toEqual([
    `invoices: overloaded: Too many requests. (status 503, request r-1); retry 1 of 5 in ${text}\n`,
  ])
  // The next attempt can be late too, from its own start.
  vi.advanceTimersByTime(delayMs + 1400)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(100)
  expect(lines).toHaveLength(2)
})

test('on a terminal, a notice replaces the bar of the progress', () => {
  const { lines, waiting } = create(true)
  waiting.retry({ attempt: 2, delayMs: 1000, error })
  expect(lines.join('')).toMatch(/^\r\x1b\[2Kinvoices: overloaded: .* retry 2 of 5 in 1 s\n$/)
})

test('with --watch, an outage is one line when it begins, and one with the count when it ends', () => {
  const { lines, waiting } = create(false, true)
  for (let sync = 0; sync < 20; sync += 1) {
    waiting.start()
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      waiting.retry({ attempt, delayMs: 1000, error })
      vi.advanceTimersByTime(11_000)
    }
    waiting.fail(error)
  }
  const reason = 'overloaded: Too many requests. (status 503, request r-1)'
  expect(lines).toEqual([`invoices: ${reason}; trying again until it works\n`])
  waiting.stop()
  waiting.succeed()
  waiting.succeed()
  expect(lines.slice(1)).toEqual(['invoices: works again after 120 failed attempts in 18 min 20 s\n'])
})
