import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { json, startScript } from '../support/scripted-server.js'
import type { ScriptedServer } from '../support/scripted-server.js'

type Crawl = (url: string, cursor?: string) => Promise<unknown>

const crawls: readonly (readonly [name: string, crawl: Crawl])[] = [
  [
    'a list',
    async (url, cursor) => {
      for await (const _ of createClient({ url, key: 'k' }).invoices.list({ cursor }));
    },
  ],
  [
    'a sync',
    (url, cursor) => createClient({ url, key: 'k' }).sync('invoices', { cursor, onPage: () => undefined }),
  ],
]

/** A server whose page number n leads to the page that `next` names; null is the end. */
async function startCrawl(
  next: (page: number) => number | null,
  hasRecord: (page: number) => boolean,
): Promise<ScriptedServer> {
  return startScript((response, request) => {
    const page = Number(new URL(request.url ?? '', 'http://a.test').searchParams.get('cursor'))
    const following = next(page)
    const cursor = following === null ? null : String(following)
    const data = hasRecord(page) ? [{ id: `r${String(page)}` }] : []
    json({ data, meta: { cursor, nextUpdatedSince: 'N' } })(response, request)
  })
}

describe.each(crawls)('%s', (_, crawl) => {
  test.each([
    ['to the first page at once', 0, 1],
    ['to the same page, later', 20, 1],
    ['to the page before', 0, 2],
    ['to an earlier page', 5, 7],
    ['to a much earlier page', 40, 30],
  ])('ends with an error when its cursors lead back %s', async (_name, tail, cycle) => {
    const { url, requests } = await startCrawl(
      (page) => (page === tail + cycle ? tail + 1 : page + 1),
      () => true,
    )
    const outcome = crawl(url)
    await expect(outcome).rejects.toMatchObject({ code: 'unexpected_answer', isTransient: false })
    await expect(outcome).rejects.toThrow(/cursor was repeated/)
    expect(requests.length).toBeLessThan(4 * (tail + cycle) + 4)
  })

  test('ends with an error when a cursor leads back to the first one', async () => {
    const { url, requests } = await startCrawl(
      (page) => (page === 9 ? 7 : page + 1),
      () => true,
    )
    await expect(crawl(url, '7')).rejects.toMatchObject({ code: 'unexpected_answer' })
    expect(requests.length).toBeLessThan(8)
  })

  test('ends with an error after 1,000 empty pages in a row', async () => {
    const { url, requests } = await startCrawl(
      (page) => page + 1,
      () => false,
    )
    const outcome = crawl(url)
    await expect(outcome).rejects.toMatchObject({ code: 'unexpected_answer' })
    await expect(outcome).rejects.toThrow(/1000 pages in a row/)
    expect(requests).toHaveLength(1000)
  })

  test('is read to its end with any number of empty pages, if fewer than 1,000 are in a row', async () => {
    const { url, requests } = await startCrawl(
      (page) => (page === 1500 ? null : page + 1),
      (page) => page === 900,
    )
    await crawl(url)
    expect(requests).toHaveLength(1501)
  })
})
