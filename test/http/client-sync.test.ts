import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { SyncResult } from '../../src/client/index.js'
import { json, notModified, page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

interface State {
  readonly since?: string | Date | null
  readonly etag?: string | null
  readonly cursor?: string | null
  readonly epoch?: number
}

interface Outcome {
  readonly result: SyncResult
  readonly seen: readonly string[]
  /** The query, without its limit, and `If-None-Match` of each request. */
  readonly requests: readonly (readonly [query: string, ifNoneMatch: string | undefined])[]
}

/** A sync from a state against a scripted server. */
async function syncFrom(state: State, ...scripts: readonly Script[]): Promise<Outcome> {
  const { url, requests, headers } = await startScript(...scripts)
  const seen: string[] = []
  const onPage = ({ data }: { data: readonly { id: string }[] }) => seen.push(...data.map(({ id }) => id))
  const result = await createClient({ url, key: 'k' }).sync('invoices', { ...state, onPage })
  const queries = requests.map(([path]) => path.replace(/^.*limit=100&?/, ''))
  return { result, seen, requests: queries.map((query, at) => [query, headers[at]?.['if-none-match']]) }
}

const tag = (etag: string) => ({ etag })
const whole = page(['a'], null, 'N', tag('W/"2"'))
const advanced = { since: 'N', etag: null, epoch: 0, notModified: false }

test('after a list of one page without a tag, since stays, and the tag of the page is kept', async () => {
  expect(await syncFrom({ since: 'S' }, whole)).toEqual({
    result: { since: 'S', etag: 'W/"2"', epoch: 0, notModified: false },
    seen: ['a'],
    requests: [['updatedSince=S', undefined]],
  })
})

test('after 304, since and tag stay, and onPage is not called', async () => {
  expect(await syncFrom({ since: 'S', etag: 'W/"1"' }, notModified)).toEqual({
    result: { since: 'S', etag: 'W/"1"', epoch: 0, notModified: true },
    seen: [],
    requests: [['updatedSince=S', 'W/"1"']],
  })
})

test('after a list of one page with a tag, since advances, and the tag is dropped', async () => {
  expect(await syncFrom({ since: 'S', etag: 'W/"1"' }, whole)).toEqual({
    result: advanced,
    seen: ['a'],
    requests: [['updatedSince=S', 'W/"1"']],
  })
})

test.each([undefined, 'W/"1"'])('after a list of several pages, since advances; tag: %s', async (etag) => {
  const first = page(['a'], 'c', 'N', tag('W/"2"'))
  expect(await syncFrom({ since: 'S', etag: etag ?? null }, first, whole)).toEqual({
    result: advanced,
    seen: ['a', 'a'],
    requests: [
      ['updatedSince=S', etag],
      ['updatedSince=S&cursor=c', undefined],
    ],
  })
})

test.each<[string, State, string]>([
  ['the first sync', {}, ''],
  ['the first sync, with a tag', { since: null, etag: 'W/"1"' }, ''],
  ['a sync that continues', { since: 'S', cursor: 'c' }, 'updatedSince=S&cursor=c'],
  [
    'a sync that continues, with a tag',
    { since: 'S', cursor: 'c', etag: 'W/"1"' },
    'updatedSince=S&cursor=c',
  ],
])('%s sends no tag and keeps none', async (_, state, query) => {
  const { result, requests } = await syncFrom(state, whole)
  expect([result, requests]).toEqual([advanced, [[query, undefined]]])
})

test('a sync that restarts after a rejected cursor keeps no tag', async () => {
  const rejected = problem('invalid_cursor', 400)
  const first = page(['a'], 'c', 'N0', tag('W/"0"'))
  const interrupted = await syncFrom({ since: 'S', etag: 'W/"1"' }, first, rejected, whole)
  expect(interrupted.result).toEqual(advanced)
  expect(interrupted.requests.at(-1)).toEqual(['updatedSince=S', undefined])
  expect((await syncFrom({ since: 'S', cursor: 'c' }, rejected, whole)).result).toEqual(advanced)
})

test('since advances if the response has no tag, as behind a proxy that removes it', async () => {
  expect((await syncFrom({ since: 'S' }, page(['a'], null, 'N'))).result).toEqual(advanced)
})

test('a Date is kept as text, so that the state can be stored as JSON', async () => {
  const since = new Date('2026-03-01')
  const { result } = await syncFrom({ since }, whole)
  expect(result).toMatchObject({ since: '2026-03-01T00:00:00.000Z', etag: 'W/"2"' })
})

test('a sync that fails returns no state, so that the next one starts from the old one', async () => {
  const failing = syncFrom({ since: 'S', etag: 'W/"1"' }, page(['a'], 'c'), problem('invalid_key', 401))
  await expect(failing).rejects.toMatchObject({ code: 'invalid_key' })
})

test('a sync awaits onPage before it fetches the next page', async () => {
  const { url, requests } = await startScript(page(['a'], 'c1'), page(['b'], null))
  const countsAtEnd: number[] = []
  await createClient({ url, key: 'k' }).sync('invoices', {
    onPage: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      countsAtEnd.push(requests.length)
    },
  })
  expect(countsAtEnd).toEqual([1, 2])
})

test('a sync rejects with the error of onPage, and sends no further request', async () => {
  const { url, requests } = await startScript(page(['a'], 'c1'), page(['b'], null))
  const full = new Error('disk full')
  const failing = createClient({ url, key: 'k' }).sync('invoices', { onPage: () => Promise.reject(full) })
  await expect(failing).rejects.toBe(full)
  expect(requests).toHaveLength(1)
})

test('a cursor that the service rejects restarts the sync from its instant, and is an error the second time', async () => {
  const rejected = problem('invalid_cursor', 400)
  const first = page(['a'], 'c1', 'N1')
  const again = [page(['a', 'b'], 'c2', 'N'), page(['c'], null, 'N')] as const
  expect(await syncFrom({ since: 'S' }, first, rejected, ...again)).toMatchObject({
    result: advanced,
    seen: ['a', 'a', 'b', 'c'],
    requests: [
      ['updatedSince=S', undefined],
      ['updatedSince=S&cursor=c1', undefined],
      ['updatedSince=S', undefined],
      ['updatedSince=S&cursor=c2', undefined],
    ],
  })
  const twice = syncFrom({}, first, rejected, first, rejected, whole)
  await expect(twice).rejects.toMatchObject({ code: 'invalid_cursor' })
  const mismatch = syncFrom({}, first, problem('cursor_mismatch', 400))
  await expect(mismatch).rejects.toMatchObject({ code: 'cursor_mismatch', status: 400 })
})

describe('the epoch of a sync', () => {
  const inEpoch = (epoch: number, cursor: string | null) =>
    json({ data: [{ id: 'a' }], meta: { cursor, nextUpdatedSince: 'N', epoch } }, 200, tag('W/"2"'))

  test('is that of its pages, and after 304 that of the last sync', async () => {
    expect((await syncFrom({}, inEpoch(2, null))).result).toMatchObject({ since: 'N', epoch: 2 })
    const unchanged = await syncFrom({ since: 'S', etag: 'W/"1"', epoch: 2 }, notModified)
    expect(unchanged.result).toEqual({ since: 'S', etag: 'W/"1"', epoch: 2, notModified: true })
    expect((await syncFrom({ since: 'S', epoch: 2 }, inEpoch(3, null))).result.epoch).toBe(3)
  })

  test('is the lowest of a first sync, whose later pages are of a process before the change', async () => {
    const { result } = await syncFrom({}, inEpoch(2, 'c'), inEpoch(1, 'd'), inEpoch(2, null))
    expect(result).toEqual({ ...advanced, epoch: 1 })
    const continued = await syncFrom({ cursor: 'c', epoch: 1 }, inEpoch(2, null))
    expect(continued.result.epoch).toBe(1)
  })

  test('never becomes lower: what a process before the change returned is read again', async () => {
    const { result } = await syncFrom(
      { since: 'S', etag: 'W/"1"', epoch: 2 },
      inEpoch(2, 'c'),
      inEpoch(1, null),
    )
    expect(result).toEqual({ since: 'S', etag: null, epoch: 2, notModified: false })
  })

  test('that is no whole number is not of Vitrine', async () => {
    await expect(syncFrom({}, inEpoch(1.5, null))).rejects.toMatchObject({ code: 'unexpected_answer' })
  })
})
