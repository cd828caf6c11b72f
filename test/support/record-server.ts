import { json, problem } from './scripted-server.js'
import type { Script } from './scripted-server.js'

/** A record of the server. */
export interface ServedRecord {
  readonly id: string
  readonly updatedAt: string
  readonly status: string
}

/** A service in memory, whose records a test changes. */
export interface RecordServer {
  readonly set: (...records: readonly ServedRecord[]) => void
  readonly remove: (...ids: readonly string[]) => void
  readonly ids: () => readonly string[]
  /** Of its answers. */
  epoch: number
  /** Responds to every route of a collection. */
  readonly script: Script
}

/** The instant that many milliseconds after the start of a day. */
export function toTime(ms: number): string {
  return new Date(Date.UTC(2026, 2, 1) + ms).toISOString()
}

/** Creates one. Its list is in the order of `updatedAt`, and then of the number in the id, which is not that of the text. */
export function createRecordServer(): RecordServer {
  const records = new Map<string, ServedRecord>()
  let sorted: readonly ServedRecord[] | undefined
  const listSorted = () => (sorted ??= [...records.values()].toSorted(compare))
  const server: RecordServer = {
    set: (...changed) => {
      for (const one of changed) records.set(one.id, one)
      sorted = undefined
    },
    remove: (...ids) => {
      for (const id of ids) records.delete(id)
      sorted = undefined
    },
    ids: () => [...records.keys()],
    epoch: 0,
    script: (response, request) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://a.test')
      const [, id] = /\/(?:registrations|invoices)\/(.+)$/.exec(pathname) ?? []
      const record = records.get(id ?? '')
      const missing = id !== undefined && record === undefined
      const nextUpdatedSince = toTime(1e9)
      const { data, cursor } = list(listSorted(), searchParams)
      const page = { data, meta: { cursor, nextUpdatedSince, epoch: server.epoch } }
      const answer = missing ? problem('not_found', 404) : json(record ?? page)
      answer(response, request)
    },
  }
  return server
}

function list(
  records: readonly ServedRecord[],
  query: URLSearchParams,
): { readonly data: readonly ServedRecord[]; readonly cursor: string | null } {
  const [since, status, behind] = ['updatedSince', 'status', 'cursor'].map((name) => query.get(name))
  const [updatedAt = '', id = ''] = behind?.split(' ') ?? []
  const last = { id, updatedAt, status: '' }
  const start = behind === null ? 0 : records.findIndex((one) => compare(last, one) < 0)
  const matching = start === -1 ? [] : records.slice(start)
  const rest = matching.filter(
    (one) => one.updatedAt >= (since ?? '') && (status === null || one.status === status),
  )
  const data = rest.slice(0, Number(query.get('limit')))
  const end = data.at(-1)
  return { data, cursor: end && rest.length > data.length ? `${end.updatedAt} ${end.id}` : null }
}

function compare(one: ServedRecord, other: ServedRecord): number {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt < other.updatedAt ? -1 : 1
  return Number(one.id) - Number(other.id)
}
