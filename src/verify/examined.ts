import type { Caller } from './caller.js'
import { readQuery, toObject } from './exchange.js'
import type { Exchange } from './exchange.js'
import { readId, readPage } from './pages.js'
import type { Page } from './pages.js'
import type { Examined } from './report.js'
import type { Collection } from './run.js'

/** What the key got of a collection, in lists and as single records. */
export function toExamined({ name, path }: Collection, { exchanges }: Caller): Examined {
  const own = exchanges.filter(({ call, status }) => (call.from ?? 'key') === 'key' && status === 200)
  const pages = own.flatMap((one) => (one.call.path === path ? (readPage(one) ?? []) : []))
  const singles = own.filter(({ call }) => call.path.startsWith(`${path}/`))
  const records = [...pages.flatMap((page) => page.records), ...singles.map(({ json }) => toObject(json))]
  return { collection: name, records: new Set(records.map(readId)).size, isComplete: hasEnd(pages) }
}

/** Whether a crawl of the whole collection came to its end. */
function hasEnd(pages: readonly Page[]): boolean {
  const cursors = new Set<string | null>([''])
  for (const { exchange, cursor } of pages)
    if (!isFiltered(exchange) && cursors.has(readQuery(exchange).get('cursor') ?? '')) cursors.add(cursor)
  return cursors.has(null)
}

function isFiltered(exchange: Exchange): boolean {
  return ['eventId', 'status', 'updatedSince'].some((filter) => readQuery(exchange).has(filter))
}
