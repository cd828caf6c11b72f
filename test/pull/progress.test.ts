import { expect, test } from 'vitest'
import { computeShare, createProgress } from '../../src/pull/progress.js'

const end = '2026-03-03T00:00:00.000Z'

function show(
  isTTY: boolean,
  pages: readonly (readonly [updatedAt: string, cursor: string | null])[],
): string {
  let text = ''
  const output = { isTTY, columns: 100, write: (part: string) => (text += part) }
  const progress = createProgress(output, 'invoices', '2026-03-01T00:00:00.000Z')
  for (const [updatedAt, cursor] of pages)
    progress.page({ data: [{ id: 'a', updatedAt } as never], cursor, nextUpdatedSince: end })
  progress.end()
  return text
}

test('a terminal shows one line with the share of the period that is read', () => {
  const text = show(true, [
    ['2026-03-02T00:00:00.000Z', 'c'],
    ['2026-03-02T12:34:00.000Z', null],
  ])
  expect(text.split('\r\x1b[2K')).toEqual([
    '',
    'invoices ████████████░░░░░░░░░░░░  50% 1 records, changes up to 2026-03-02 00:00',
    'invoices ████████████████████████ 100% 2 records, changes up to 2026-03-03 00:00\n',
  ])
})

test('other outputs get one line for each 50 pages, without control characters', () => {
  expect(show(false, [['2026-03-02T00:00:00.000Z', null]])).toBe('')
  const pages = Array.from({ length: 100 }, () => ['2026-03-02T00:00:00.000Z', 'c'] as const)
  expect(show(false, pages)).toBe(
    'invoices: 50 records, changes up to 2026-03-02 00:00\ninvoices: 100 records, changes up to 2026-03-02 00:00\n',
  )
})

test.each([
  ['2026-03-02T00:00:00Z', 0.5],
  ['2026-02-01T00:00:00Z', 0],
  ['2026-04-01T00:00:00Z', 1],
])('%s is at %d of the period', (reached, share) => {
  expect(computeShare('2026-03-01T00:00:00Z', reached, end)).toBe(share)
  expect(computeShare(end, reached, end)).toBe(1)
})
