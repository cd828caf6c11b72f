import { expect, test } from 'vitest'
import { continueCrawl, toNextUpdatedSince } from '../../../src/collections/cursor.js'
import { readProof } from '../../../src/database/heartbeat.js'
import type { Proof } from '../../../src/database/heartbeat.js'
import type { Instant } from '../../../src/values/instant.js'

const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
/** 2026-03-01T09:30:00.000500Z */
const now: Instant = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 500 }
const at = (seconds: number): Instant => ({ seconds: now.seconds + seconds, micros: 0 })
const toCell = ({ seconds }: Instant, separator = ' '): string =>
  new Date(seconds * 1000).toISOString().replace('T', separator).slice(0, 19)

/** The proof of a page with these beats of its writers, in seconds from the clock. */
function prove(earliest: number | string | null, latest = earliest, oldestOpen?: number): Proof {
  const toBeat = (beat: number | string | null) => (typeof beat === 'number' ? toCell(at(beat)) : beat)
  const oldest = oldestOpen === undefined ? [] : [toCell(at(oldestOpen))]
  const beats = ['2026-03-01 09:30:00.000500', toBeat(earliest), toBeat(latest), ...oldest]
  return readProof({ beats: JSON.stringify(beats) })!
}

const crawlOf = (...proofs: readonly Proof[]) =>
  proofs.reduce<ReturnType<typeof continueCrawl> | undefined>(
    (before, proof) => continueCrawl(filters, before, proof, undefined),
    undefined,
  )!
const nextOf = (...proofs: readonly Proof[]): string => toNextUpdatedSince(crawlOf(...proofs), 120)

test('without a heartbeat a crawl begins at the clock of its first page', () => {
  const proof = readProof({ startedAt: '2026-03-01 09:30:00.000500' })!
  expect(crawlOf(proof).startedAt).toEqual(now)
  expect(nextOf(proof)).toBe('2026-03-01T09:28:00.000Z')
})

test('a first page without rows and heartbeat begins at the lower bound of the clock', () => {
  expect(continueCrawl(filters, undefined, undefined, now).startedAt).toEqual(now)
})

test.each<[string, readonly Proof[], Instant]>([
  ['the earliest beat of all writers', [prove(-600, -1)], at(-600)],
  ['the clock where the beats are ahead of it', [prove(3)], now],
  ['the earliest page', [prove(-5), prove(-600)], at(-600)],
  ['the earliest page, whichever it is', [prove(-600), prove(-5)], at(-600)],
])('with a heartbeat a crawl begins at %s', (_, proofs, expected) => {
  expect(crawlOf(...proofs).startedAt).toEqual(expected)
})

test.each<[string, Proof]>([
  ['missing or NULL', prove(null)],
  ['NULL for one writer', prove(null, -1)],
  ['unreadable', prove('soon', -1)],
  ['unreadable for another writer', prove(-1, 'soon')],
  ['six seconds ahead', prove(-1, 7)],
])(
  'a heartbeat that is %s lets the next sync repeat this one, whatever the other pages prove',
  (_, proof) => {
    const updatedSince = at(-1000)
    for (const pages of [[proof], [prove(-1), proof], [proof, prove(-1)]]) {
      expect(nextOf(...pages)).toBe('1970-01-01T00:00:00.000Z')
      const since = pages.reduce<ReturnType<typeof continueCrawl> | undefined>(
        (before, one) => continueCrawl({ ...filters, updatedSince }, before, one, now),
        undefined,
      )!
      expect(toNextUpdatedSince(since, 120)).toBe(`${toCell(updatedSince, 'T')}.000Z`)
    }
  },
)

test('with the oldest open transaction of each page, the next sync begins 10 seconds before the earliest', () => {
  expect(nextOf(prove(0, 0, -1))).toBe('2026-03-01T09:29:49.000Z')
  expect(nextOf(prove(0, 0, -1), prove(0, 0, -600))).toBe('2026-03-01T09:19:50.000Z')
  expect(nextOf(prove(0, 0, 60))).toBe('2026-03-01T09:29:50.000Z')
})

test('the overlap counts where a page does not know the oldest open transaction', () => {
  expect(nextOf(prove(0, 0, -1), prove(0))).toBe('2026-03-01T09:28:00.000Z')
  expect(nextOf(prove(0), prove(0, 0, -1))).toBe('2026-03-01T09:28:00.000Z')
})
