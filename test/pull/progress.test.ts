import { expect, test } from 'vitest'
import { createProgress } from '../../src/pull/progress.js'

/** The text that is written for pages of 100 records, one each second. */
function show(isTTY: boolean, pages: number, expected?: number): string {
  let text = ''
  let now = 0
  const output = { isTTY, columns: 100, write: (part: string) => (text += part) }
  const progress = createProgress(output, { collection: 'invoices', expected, clock: () => now })
  const record = { id: 'a', updatedAt: '2026-03-02T12:34:56.000Z' }
  for (let page = 0; page < pages; page += 1) {
    now += 1000
    progress.page({ data: Array.from({ length: 100 }, () => record as never) })
  }
  progress.end()
  return text
}

test('a terminal shows one line with the records, their rate and the time', () => {
  expect(show(true, 2).split('\r\x1b[2K')).toEqual([
    '',
    'invoices: 100 records, 100/s, 1 s, changes up to 2026-03-02 12:34',
    'invoices: 200 records, 100/s, 2 s, changes up to 2026-03-02 12:34\n',
  ])
})

test('the rest is shown where the number of records is known', () => {
  const [, first, , last] = show(true, 3, 12_300).split('\r\x1b[2K')
  expect(first).toContain('100 records, 100/s, 1 s, of about 12,300, 2 min 2 s left, changes')
  expect(last).toContain('300 records, 100/s, 3 s, of about 12,300, 2 min 0 s left, changes')
  expect(show(true, 2, 150)).toContain('of about 150, 0 s left')
})

test('other outputs get one line for each 50 pages, without control characters', () => {
  expect(show(false, 49)).toBe('')
  expect(show(false, 100)).toBe(
    'invoices: 5,000 records, 100/s, 50 s, changes up to 2026-03-02 12:34\n' +
      'invoices: 10,000 records, 100/s, 1 min 40 s, changes up to 2026-03-02 12:34\n',
  )
})
