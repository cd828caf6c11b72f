import { setTimeout as delay } from 'node:timers/promises'
import { base } from '../support/client.js'

/** What became of the copy of a caller. */
export interface SyncResult {
  readonly syncs: number
  readonly requests: number
  /** Requests without an answer of 200. */
  readonly failed: number
  /** Records of the table that the copy does not have, or has in another version. */
  readonly missing: number
  readonly stale: number
}

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly meta: { readonly cursor: string | null; readonly nextUpdatedSince: string }
}

/** Between two tries of a request that failed. */
const retryMs = 200

/** Keeps a copy of the registrations of a key, by nothing but cursors and `nextUpdatedSince`. */
export function startSyncing(api: string, key: string, pauseMs: number) {
  const copy = new Map<string, string>()
  let [going, since, syncs, requests, failed] = [true, '', 0, 0, 0]
  const read = async (path: string): Promise<Page> => {
    for (;;) {
      requests += 1
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${api}${base}${path}`, { headers })
      const text = await answer.text()
      if (answer.status === 200) return JSON.parse(text) as Page
      failed += 1
      await delay(retryMs)
    }
  }
  const sync = async (): Promise<void> => {
    let path = `/registrations?limit=100${since === '' ? '' : `&updatedSince=${encodeURIComponent(since)}`}`
    for (;;) {
      const { data, meta } = await read(path)
      for (const { id, name } of data) copy.set(id, name)
      since = meta.cursor === null ? meta.nextUpdatedSince : since
      if (meta.cursor === null) break
      path = `/registrations?limit=100&cursor=${meta.cursor}`
    }
    syncs += 1
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
      while (syncs === before) {
        wake()
        await delay(20)
      }
    },
    /** Compares the copy with the table. */
    stop: async (stored: readonly Readonly<Record<string, unknown>>[]): Promise<SyncResult> => {
      going = false
      wake()
      await done
      const kept = stored.map(({ id, version }) => [copy.get(String(id)), version] as const)
      const missing = kept.filter(([version]) => version === undefined).length
      const stale = kept.filter(([mine, version]) => mine !== undefined && mine !== version).length
      return { syncs, requests, failed, missing, stale }
    },
  }
}
