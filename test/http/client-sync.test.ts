import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import { page, problem, startScript } from '../support/scripted-server.js'
import type { Script } from '../support/scripted-server.js'

/** A sync against a scripted server, and the ids that `onPage` received. */
async function syncAgainst(
  scripts: readonly Script[],
  options: { since?: string; cursor?: string; onPage?: (ids: readonly string[]) => unknown } = {},
): Promise<{ outcome: unknown; seen: readonly string[]; requests: readonly string[] }> {
  const { url, requests } = await startScript(...scripts)
  const seen: string[] = []
  const { onPage, ...rest } = options
  const outcome = await createClient({ url, key: 'k' })
    .sync('registrations', {
      ...rest,
      onPage: ({ data }) => {
        seen.push(...data.map(({ id }) => id))
        return onPage?.(seen)
      },
    })
    .catch((error: unknown) => error)
  return { outcome, seen, requests: requests.map(([path]) => path.replace(/^.*limit=100&?/, '')) }
}

describe('a sync', () => {
  test('passes every page to onPage and returns the instant of its crawl', async () => {
    const scripts = [page(['a'], 'c1', 'N1'), page(['b'], null, 'N1')]
    expect(await syncAgainst(scripts, { since: 'S' })).toEqual({
      outcome: { since: 'N1', etag: null, notModified: false },
      seen: ['a', 'b'],
      requests: ['updatedSince=S', 'updatedSince=S&cursor=c1'],
    })
  })

  test('awaits onPage before it fetches the next page', async () => {
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

  test('rejects with the error of onPage, and sends no further request', async () => {
    const full = new Error('disk full')
    const { outcome, requests } = await syncAgainst([page(['a'], 'c1'), page(['b'], null)], {
      onPage: () => Promise.reject(full),
    })
    expect([outcome, requests.length]).toEqual([full, 1])
  })

  test('continues from the cursor of the last stored page', async () => {
    const { outcome, seen, requests } = await syncAgainst([page(['b'], null, 'N1')], {
      since: 'S',
      cursor: 'c1',
    })
    expect([outcome, seen, requests]).toEqual([
      { since: 'N1', etag: null, notModified: false },
      ['b'],
      ['updatedSince=S&cursor=c1'],
    ])
  })
})

describe('a cursor that the service rejects', () => {
  const rejected = problem('invalid_cursor', 400)

  test('restarts the sync from its instant, and the sync returns the instant of the new crawl', async () => {
    const scripts = [page(['a'], 'c1', 'N1'), rejected, page(['a', 'b'], 'c2', 'N2'), page(['c'], null, 'N2')]
    expect(await syncAgainst(scripts, { since: 'S' })).toEqual({
      outcome: { since: 'N2', etag: null, notModified: false },
      seen: ['a', 'a', 'b', 'c'],
      requests: ['updatedSince=S', 'updatedSince=S&cursor=c1', 'updatedSince=S', 'updatedSince=S&cursor=c2'],
    })
  })

  test('is an error the second time', async () => {
    const scripts = [page(['a'], 'c1'), rejected, page(['a'], 'c1'), rejected, page(['a'], null)]
    const { outcome, requests } = await syncAgainst(scripts)
    expect([outcome, requests.length]).toEqual([expect.objectContaining({ code: 'invalid_cursor' }), 4])
  })

  test('other than by invalid_cursor is an error at once', async () => {
    const scripts = [page(['a'], 'c1'), problem('cursor_mismatch', 400)]
    expect((await syncAgainst(scripts)).outcome).toMatchObject({ code: 'cursor_mismatch', status: 400 })
  })
})
