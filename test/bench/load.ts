import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { basePath } from '../../src/client/forms.js'
import type { ProductDatabase } from '../product/index.js'
import type { Contender } from './contenders.js'
import { toWorkspaceId } from './fill.js'

/** Pages of 25 and of 100 records, a record, a record that does not exist, and a page behind the last change. */
export const kinds = ['list', 'page', 'record', 'missing', 'poll'] as const
export type Kind = (typeof kinds)[number]
type Paths = Readonly<Record<Kind, string>>

/** What callers ask for. */
export interface Load {
  readonly name: string
  readonly kind: Kind
  readonly connections: number
}

/** What was seen of one contender in one turn. */
export interface Slice {
  /** Expected answers. */
  readonly requests: number
  readonly seconds: number
  readonly errors: number
}

/** A place in the list of a workspace, whose requests have this key. */
export interface Place {
  readonly id: string
  /** A time of UTC without a zone. */
  readonly since: string
  readonly workspaceId: string
  readonly key: string
}

/** Places at even distances in the list of the first workspace. */
export async function listPlaces(database: ProductDatabase, places: number): Promise<readonly Place[]> {
  const sql =
    'SELECT id, updated_at AS at FROM event_registrations WHERE workspace_id = ? AND archived_at IS NULL ORDER BY updated_at, id'
  const workspaceId = toWorkspaceId(0)
  const rows = (await database.query(sql, [workspaceId])) as readonly { id: string; at: string }[]
  const columns = { label: 'bench' }
  const key = await database.mintKey({ workspace: workspaceId, scopes: ['registration.read'], columns })
  return Array.from({ length: places }, (_, place) => {
    const { id, at } = rows[Math.floor((place * (rows.length - 30)) / places)]!
    return { id, since: at.replace(' ', 'T'), workspaceId, key }
  })
}

/** Beyond every row; a poll says when it was last here, and finds nothing. */
const lastChange = '2027-01-01T00:00:00.000'

type ToPaths = (place: Place, origin: string) => Paths | Promise<Paths>

/** What each contender is asked for; a list begins behind the place. */
export async function listPaths(
  { name, origin }: Contender,
  places: readonly Place[],
): Promise<readonly Paths[]> {
  const toPaths = apis[name] ?? toVitrine
  const all: Paths[] = []
  for (const place of places) all.push(await toPaths(place, origin))
  return all
}

async function toVitrine({ id, since, key }: Place, origin: string): Promise<Paths> {
  const list = `${basePath}/registrations`
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${origin}${list}?limit=1&updatedSince=${since}Z`, { headers })
  const { cursor } = ((await answer.json()) as { meta: { cursor: string } }).meta
  const toPage = (limit: number): string => `${list}?limit=${limit}&cursor=${cursor}`
  const [record, missing] = [`${list}/${id}`, `${list}/MISSING${id.slice(7)}`]
  return { list: toPage(25), page: toPage(100), record, missing, poll: `${list}?updatedSince=${lastChange}Z` }
}

const apis: Readonly<Record<string, ToPaths | undefined>> = {
  'plain-handler': ({ id, since }) => ({
    list: `/registrations?since=${since}&after=${id}`,
    page: `/registrations?since=${since}&after=${id}&limit=100`,
    record: `/registrations/${id}`,
    missing: `/registrations/MISSING${id.slice(7)}`,
    poll: `/registrations?since=${lastChange}&after=`,
  }),
  // Archived records too: it compares no DATETIME with NULL.
  platformatic: ({ id, since, workspaceId }) => {
    const fields = 'fields=id,eventId,regStatus,attendeeName,attendeeEmail,checkedInAt,createdAt,updatedAt'
    const own = `${fields}&where.workspaceId.eq=${workspaceId}`
    const list = (time: string, limit: number): string =>
      `/eventRegistrations/?${own}&where.updatedAt.gte=${time}Z&orderby.updatedAt=asc&orderby.id=asc&limit=${limit}`
    const record = (one: string): string => `/eventRegistrations/${one}?${fields}`
    const [page, missing] = [list(since, 100), record(`MISSING${id.slice(7)}`)]
    return { list: list(since, 25), page, record: record(id), missing, poll: list(lastChange, 25) }
  },
}

/** A caller sends its next request as soon as it has the answer; no two callers ask for the same at the same moment. */
export async function applyLoad(
  origin: string,
  requests: readonly { readonly path: string; readonly key: string }[],
  load: Pick<Load, 'kind' | 'connections'> & { readonly seconds: number; readonly script: string },
): Promise<Slice> {
  const { kind, connections, seconds, script } = load
  const asked = requests.map(({ path, key }) => `{"${path}", {["Authorization"] = "Bearer ${key}"}},\n`)
  const lua = `local all, at = {}, 0
    init = function() for i, one in ipairs({${asked.join('')}}) do all[i] = wrk.format("GET", one[1], one[2]) end end
    request = function() at = at % #all + 1 return all[at] end
    done = function(sum) local e = sum.errors io.write(string.format("RESULT %d %d %d %d",
      sum.requests, sum.duration, e.status, e.connect + e.read + e.write + e.timeout)) end`
  writeFileSync(script, lua)
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin]
  const { stdout } = await promisify(execFile)('wrk', args)
  const [, all = 0, micros = 0, notOk = 0, lost = 0] = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(stdout) ?? []
  const errors = Number(lost) + (kind === 'missing' ? Number(all) - Number(notOk) : Number(notOk))
  return { requests: Number(all) - errors, seconds: Number(micros) / 1e6, errors }
}
