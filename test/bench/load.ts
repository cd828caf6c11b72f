import { once } from 'node:events'
import autocannon from 'autocannon'
import { basePath } from '../../src/api/paths.js'
import type { ProductDatabase } from '../product/index.js'
import { workspaceId } from './fill.js'

/**
 * What callers ask for: a page of 25 records, one of 100, a record, a record that does not exist, and a page behind the last
 * change.
 */
export const kinds = ['list', 'page', 'record', 'missing', 'poll'] as const
export type Kind = (typeof kinds)[number]

/** Paths at Vitrine and at the plain handler, by kind. */
export type Paths = Readonly<Record<'vitrine' | 'plain', Readonly<Record<Kind, readonly string[]>>>>

/** What was seen of one contender in one turn. */
export interface Slice {
  /** Expected answers. */
  readonly requests: number
  readonly seconds: number
  readonly errors: number
}

/** Beyond every row; a poll says when it was last here, and finds nothing. */
const lastChange = '2027-01-01T00:00:00.000'

/** Requests for 500 records and the pages behind them, at even distances. */
export async function listPaths(database: ProductDatabase, origin: string, key: string): Promise<Paths> {
  const rows = await database.query(
    'SELECT id, updated_at AS at FROM event_registrations WHERE workspace_id = ? AND archived_at IS NULL ORDER BY updated_at, id',
    [workspaceId],
  )
  const made = Array.from({ length: 500 }, async (_, index) => {
    const { id, at } = rows[Math.floor((index * (rows.length - 30)) / 500)] as { id: string; at: string }
    const since = at.replace(' ', 'T')
    const list = `${basePath}/registrations`
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${origin}${list}?limit=1&updatedSince=${since}Z`, { headers })
    const { data, meta } = (await answer.json()) as { data: { id: string }[]; meta: { cursor: string } }
    const plainList = `/registrations?since=${since}&after=${data[0]!.id}`
    return {
      vitrine: {
        list: `${list}?limit=25&cursor=${meta.cursor}`,
        page: `${list}?limit=100&cursor=${meta.cursor}`,
        record: `${list}/${id}`,
        missing: `${list}/MISSING${id.slice(7)}`,
        poll: `${list}?updatedSince=${lastChange}Z`,
      },
      plain: {
        list: plainList,
        page: `${plainList}&limit=100`,
        record: `/registrations/${id}`,
        missing: `/registrations/MISSING${id.slice(7)}`,
        poll: `/registrations?since=${lastChange}&after=`,
      },
    }
  })
  const all = await Promise.all(made)
  const pick = (who: keyof Paths): Record<Kind, string[]> =>
    Object.fromEntries(kinds.map((kind) => [kind, all.map((one) => one[who][kind])])) as Record<
      Kind,
      string[]
    >
  return { vitrine: pick('vitrine'), plain: pick('plain') }
}

/** Every caller sends its next request as soon as it has the answer. */
export async function applyLoad(
  url: string,
  paths: readonly string[],
  options: { readonly key: string; readonly connections: number; readonly seconds: number },
): Promise<Slice> {
  const { key, connections, seconds } = options
  const headers = { authorization: `Bearer ${key}` }
  let caller = 0
  let [requests, errors] = [0, 0]
  const startMs = performance.now()
  const run = autocannon(
    {
      ...{ url, connections, duration: seconds, sampleInt: 100, timeout: 30 },
      setupClient: (client) => {
        const own = caller++
        // No two callers ask for the same at the same moment.
        const toPath = (at: number): string => paths[((at * connections + own) * 31) % paths.length]!
        client.setRequests(Array.from({ length: 100 }, (_, at) => ({ path: toPath(at), headers })))
      },
    },
    () => undefined,
  )
  run.on('response', (_client, status) => {
    if (status === 200 || status === 404) requests += 1
    else errors += 1
  })
  run.on('reqError', () => (errors += 1))
  await once(run, 'done')
  return { requests, seconds: (performance.now() - startMs) / 1000, errors }
}
