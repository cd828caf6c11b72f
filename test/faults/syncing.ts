import { setTimeout as delay } from 'node:timers/promises'
import { base } from '../support/client.js'

/** What became of the copy of a caller. */
export interface SyncResult {
  readonly syncs: number
  readonly requests: number
  /** Requests that were answered by 503, or not at all. */
  readonly failed: number
  /** Records of the table that the copy does not have, or has in another version. */
  readonly missing: number
  readonly stale: number
  /** Records that came behind one with a later time in the same crawl. */
  readonly disordered: number
}

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string; readonly updatedAt: string }[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** Between two tries of a request that failed. */
const retryMs = 200

/** Keeps a copy of the registrations of a key, by nothing but cursors and `nextUpdatedSince`, by pages of any size. */
export function startSyncing(toApi: () => string, key: string, pauseMs: number) {
  const copy = new Map<string, string>()
  let [going, since, syncs, requests, failed, disordered] = [true, '', 0, 0, 0, 0]
  const read = async (search: string): Promise<Page> => {
    for (;;) {
      requests += 1
      const url = `${toApi()}${base}/registrations?limit=${1 + Math.floor(Math.random() * 100)}&${search}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer?.status === 200 && text !== undefined) return JSON.parse(text) as Page
      if (answer !== undefined && ![200, 503].includes(answer.status))
        throw new Error(`${url}: ${answer.status}: ${String(text)}`)
      failed += 1
      await delay(retryMs)
    }
  }
  const sync = async (): Promise<void> => {
    let search = since === '' ? '' : `updatedSince=${encodeURIComponent(since)}`
    let last = ''
    for (;;) {
      const { data, meta } = await read(search)
      for (const { id, name, updatedAt } of data) {
        if (updatedAt < last) disordered += 1
        last = updatedAt
        copy.set(id, name)
      }
      if (meta.cursor === null) {
        since = meta.nextUpdatedSince
        syncs += 1
        return
      }
      search = `cursor=${meta.cursor}`
    }
  }
  let wake = (): void => undefined
  const run = async (): Promise<void> => {
    while (going) {
      await sync()
      await Promise.race([
        delay(pauseMs, undefined, { ref: false }),
        new Promise<void>((resolve) => (wake = resolve)),
      ])
    }
  }
  const done = run()
  return {
    /** Ends the pause, and resolves after the sync that follows, or after the one that is in progress. */
    syncNow: async () => {
      const before = syncs
      const next = async (): Promise<void> => {
        while (syncs === before) {
          wake()
          await delay(20)
        }
      }
      // What ended the caller is its error.
      await Promise.race([next(), done])
    },
    /** Compares the copy with the table. */
    stop: async (stored: readonly Readonly<Record<string, unknown>>[]): Promise<SyncResult> => {
      going = false
      wake()
      await done
      const kept = stored.map(({ id, version }) => [copy.get(String(id)), version] as const)
      const missing = kept.filter(([version]) => version === undefined).length
      const stale = kept.filter(([mine, version]) => mine !== undefined && mine !== version).length
      return { syncs, requests, failed, missing, stale, disordered }
    },
  }
}
