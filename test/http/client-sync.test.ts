import { expect, test } from 'vitest'
import { createClient } from '../../src/client/index.js'
import type { SyncResult } from '../../src/client/index.js'
import { N, nameInstants, notModified, page, problem, startScript } from '../support/scripted-server.js'
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
  const queries = requests.map(([path]) => nameInstants(path.replace(/^.*limit=100&?/, '')))
  return { result, seen, requests: queries.map((query, at) => [query, headers[at]?.['if-none-match']]) }
}

const tag = { etag: 'W/"2"' }
const whole = page(['a'], null, N, tag)
const first = page(['a'], 'c', N, tag)
const rejected = problem('invalid_cursor', 400)
const tagged: State = { since: 'S', etag: 'W/"1"' }
const advanced = { since: N, etag: null, epoch: 0, notModified: false }
const kept = { since: 'S', etag: 'W/"2"', epoch: 0, notModified: false }

/** What is synced from which state, the result, and the requests with their tags. */
type Row = [string, State, readonly Script[], object, ...(readonly [string, (string | undefined)?])[]]
test.each<Row>([
  ['one page without a tag keeps since', { since: 'S' }, [whole], kept, ['updatedSince=S']],
  ['a 304 keeps all', tagged, [notModified], { ...tagged, notModified: true }, ['updatedSince=S', 'W/"1"']],
  ['one page that changed advances', tagged, [whole], advanced, ['updatedSince=S', 'W/"1"']],
  [
    'several pages advance',
    tagged,
    [first, whole],
    advanced,
    ['updatedSince=S', 'W/"1"'],
    ['updatedSince=S&cursor=c'],
  ],
  ['the first sync has no tag', { since: null, etag: 'W/"1"' }, [whole], advanced, ['']],
  [
    'a cursor that is rejected begins the sync anew, without a tag',
    tagged,
    [first, rejected, whole],
    advanced,
    ['updatedSince=S', 'W/"1"'],
    ['updatedSince=S&cursor=c'],
    ['updatedSince=S'],
  ],
  ...[{}, { etag: 'yesterday' }].map((headers): Row => [
    'a proxy removes or breaks the tag',
    { since: 'S' },
    [page(['a'], null, N, headers)],
    advanced,
    ['updatedSince=S'],
  ]),
  // Epochs and errors are in client-mirror.test.ts.
])('%s', async (_, state, scripts, result, ...requests) => {
  const outcome = await syncFrom(state, ...scripts)
  expect(outcome.result).toMatchObject(result)
  if (requests.length > 0) expect(outcome.requests).toEqual(requests.map(([query, etag]) => [query, etag]))
  expect(outcome.seen.length > 0).toBe(!outcome.result.notModified)
})

test('a sync awaits onPage before it reads the next page, and ends with the error of onPage', async () => {
  const { url, requests } = await startScript(page(['a'], 'c1'), page(['b'], null))
  const client = createClient({ url, key: 'k' })
  const counts: number[] = []
  await client.sync('invoices', {
    onPage: async () => {
      await new Promise(setImmediate)
      counts.push(requests.length)
    },
  })
  expect(counts).toEqual([1, 2])
  const full = new Error('disk full')
  await expect(client.sync('invoices', { onPage: () => Promise.reject(full) })).rejects.toBe(full)
  expect(requests).toHaveLength(3)
})
