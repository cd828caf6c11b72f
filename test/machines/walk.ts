import type { View } from '../product/index.js'
import { base } from '../support/client.js'
import { toVersion } from '../torture/table.js'
import { servedByHeader } from './reverse-proxy.js'

/** One way through a list, by nothing but its cursor. */
export interface Walk {
  /** What it showed: versions by id, as they came last. */
  readonly seen: ReadonlyMap<string, string>
  /** Who gave each page. */
  readonly servedBy: readonly string[]
  /** Every `nextUpdatedSince` that came. */
  readonly instants: ReadonlySet<string>
  /** Reads the next page. Returns who gave it; any refusal is an error, and so is a walk that was over before. */
  readonly readPage: () => Promise<string>
  /** Reads so many pages, one after the other. Returns who gave them. */
  readonly readPages: (count: number) => Promise<readonly string[]>
  /** Reads on to the last page. */
  readonly readOut: () => Promise<void>
}

interface Page {
  readonly data: readonly View[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** A walk from the very first registration. */
export function createWalk(origin: string, key: string, limit: number): Walk {
  const seen = new Map<string, string>()
  const servedBy: string[] = []
  const instants = new Set<string>()
  let cursor: string | null = ''

  const readPage = async (): Promise<string> => {
    if (cursor === null) throw new Error('The walk is over')
    const query = new URLSearchParams({ limit: String(limit), ...(cursor === '' ? {} : { cursor }) })
    const answer = await fetch(`${origin}${base}/registrations?${query.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`Page ${servedBy.length}: ${answer.status} ${text}`)
    const { data, meta } = JSON.parse(text) as Page
    for (const view of data) seen.set(String(view['id']), toVersion(view))
    cursor = meta.cursor
    instants.add(meta.nextUpdatedSince)
    servedBy.push(answer.headers.get(servedByHeader) ?? '')
    return servedBy.at(-1)!
  }

  return {
    seen,
    servedBy,
    instants,
    readPage,
    readPages: async (count) => {
      const before = servedBy.length
      while (servedBy.length < before + count) await readPage()
      return servedBy.slice(before)
    },
    readOut: async () => {
      while (cursor !== null) await readPage()
    },
  }
}
