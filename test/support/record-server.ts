import { createHash } from 'node:crypto'
import { json, problem } from './scripted-server.js'
import type { Script } from './scripted-server.js'

/** A record of the server. */
export interface ServedRecord {
  readonly id: string
  readonly updatedAt: string
  readonly status: string
}

/** A service in memory, whose records a test changes. */
export type RecordServer = ReturnType<typeof createRecordServer>

/** The instant that many milliseconds after the start of a day. */
export function toTime(ms: number): string {
  return new Date(Date.UTC(2026, 2, 1) + ms).toISOString()
}

/** Creates one. Its list is in the order of `updatedAt`, and then of the number in the id, which is not that of the text. */
export function createRecordServer() {
  const records = new Map<string, ServedRecord>()
  let sorted: Sorted | undefined
  const sort = (): Sorted => {
    const list = [...records.values()].toSorted(compare)
    return { list, places: new Map(list.map((one, at) => [toCursor(one), at])) }
  }
  const server = {
    set: (...changed: readonly ServedRecord[]): void => {
      for (const one of changed) records.set(one.id, one)
      sorted = undefined
    },
    remove: (...ids: readonly string[]): void => {
      for (const id of ids) records.delete(id)
      sorted = undefined
    },
    ids: (): readonly string[] => [...records.keys()],
    /** Of its answers. */
    epoch: 0,
    /** Responds to every route of a collection. */
    script: (...[response, request]: Parameters<Script>): void => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://a.test')
      const [, id] = /\/(?:registrations|invoices)\/(.+)$/.exec(pathname) ?? []
      const record = records.get(id ?? '')
      const missing = id !== undefined && record === undefined
      const nextUpdatedSince = toTime(1e9)
      const { data, cursor } = list((sorted ??= sort()), searchParams)
      const page = { data, meta: { cursor, nextUpdatedSince, epoch: server.epoch } }
      // As of the service: without the instants of `meta`.
      const etag = `W/"${createHash('sha256')
        .update(JSON.stringify([data, cursor, server.epoch]))
        .digest('hex')}"`
      if (id === undefined && request.headers['if-none-match'] === etag) {
        response.writeHead(304, { etag }).end()
        return
      }
      const answer = missing ? problem('not_found', 404) : json(record ?? page, 200, { etag })
      answer(response, request)
    },
  }
  return server
}

/** The records in their order, and the place of each cursor. */
interface Sorted {
  readonly list: readonly ServedRecord[]
  readonly places: ReadonlyMap<string, number>
}

function list(
  { list, places }: Sorted,
  query: URLSearchParams,
): { readonly data: readonly ServedRecord[]; readonly cursor: string | null } {
  const read = (name: string): string => query.get(name) ?? ''
  const [since, status, cursor] = [read('updatedSince'), read('status'), read('cursor')]
  const start = cursor === '' ? 0 : (places.get(cursor) ?? findPlace(list, cursor)) + 1
  const data: ServedRecord[] = []
  const matches = (one: ServedRecord): boolean =>
    one.updatedAt >= since && (status === '' || one.status === status)
  for (const one of list.slice(start)) {
    if (!matches(one)) continue
    const last = data.at(-1)
    if (last && data.length === Number(query.get('limit'))) return { data, cursor: toCursor(last) }
    data.push(one)
  }
  return { data, cursor: null }
}

/** The place of the last record that is not behind a cursor, whose own record has changed since. */
function findPlace(list: readonly ServedRecord[], cursor: string): number {
  const [updatedAt = '', id = ''] = cursor.split('_')
  return list.findLastIndex((one) => compare(one, { id, updatedAt, status: '' }) < 0)
}

function toCursor({ id, updatedAt }: ServedRecord): string {
  return `${updatedAt}_${id}`
}

function compare(one: ServedRecord, other: ServedRecord): number {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt < other.updatedAt ? -1 : 1
  return Number(one.id) - Number(other.id)
}
