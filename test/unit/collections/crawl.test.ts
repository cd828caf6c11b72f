import { expect, test } from 'vitest'
import { continueCrawl, toNextUpdatedSince } from '../../../src/collections/cursor.js'
import { readProof } from '../../../src/database/heartbeat.js'
import type { Proof } from '../../../src/database/heartbeat.js'
import type { Instant } from '../../../src/values/instant.js'

/* What beats prove, and the earliest page of a crawl, are in test/database/heartbeat.test.ts. */

const filters = { updatedSince: undefined, eventId: undefined, status: undefined }
/** 2026-03-01T09:30:00.000500Z */
const now: Instant = { seconds: Date.UTC(2026, 2, 1, 9, 30) / 1000, micros: 500 }
const at = (seconds: number): Instant => ({ seconds: now.seconds + seconds, micros: 0 })
const toCell = ({ seconds }: Instant, separator = ' '): string =>
  new Date(seconds * 1000).toISOString().replace('T', separator).slice(0, 19)

/** The proof of a page with a beat, and an oldest transaction, in seconds from the clock. */
function prove(beat: number | null, oldestOpen?: number): Proof {
  const times = [beat, oldestOpen].flatMap((one) => (typeof one === 'number' ? toCell(at(one)) : []))
  const list = beat === null ? [null] : [times.join('|')]
  return readProof({ beats: `2026-03-01 09:30:00.000500 1 ${JSON.stringify(list)}` })!
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

test.each<[string, Proof]>([
  ['NULL', prove(null)],
  // By MariaDB, beyond group_concat_max_len.
  ['cut behind a beat', readProof({ beats: `2026-03-01 09:30:00.000500 2 ["${toCell(now)}"]` })!],
  ['cut in a beat', readProof({ beats: `2026-03-01 09:30:00.000500 1 ["${toCell(now)}]` })!],
  ['without the oldest transaction, of a page by another mapping', prove(-1, -1)],
])('a heartbeat that is %s lets the next sync repeat this one', (_, proof) => {
  const updatedSince = at(-1000)
  for (const pages of [
    [prove(-1), proof],
    [proof, prove(-1)],
  ]) {
    expect(nextOf(...pages)).toBe('1970-01-01T00:00:00.000Z')
    const since = pages.reduce<ReturnType<typeof continueCrawl> | undefined>(
      (before, one) => continueCrawl({ ...filters, updatedSince }, before, one, now),
      undefined,
    )!
    expect(toNextUpdatedSince(since, 120)).toBe(`${toCell(updatedSince, 'T')}.000Z`)
  }
})

test('a page without a proof, of a process without a heartbeat, lets the crawl keep what it has', () => {
  const before = crawlOf(prove(-5, -600))
  expect(continueCrawl(filters, before, undefined, now)).toBe(before)
})
