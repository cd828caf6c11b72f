import type { Client } from '../client/index.js'
import type { Copy, Target } from './copy.js'
import type { Progress } from './progress.js'

/** The result of one sync. */
export interface PullSummary {
  readonly collection: string
  readonly full: boolean
  readonly pages: number
  /** Records that were read; a record that was read twice counts twice. */
  readonly records: number
  readonly removed: number
  /** Records in the copy. */
  readonly total: number
  /** Where the next sync starts. */
  readonly nextUpdatedSince: string
}

interface PullInput {
  readonly client: Client
  readonly copy: Copy
  readonly target: Target
  readonly full: boolean
  readonly allowRemovals: boolean
  readonly signal: AbortSignal
  readonly createProgress: (since: string | null) => Progress
}

/** Updates a copy once, or continues an interrupted sync. @throws VitrineError, RemovalsError */
export async function pullOnce(input: PullInput): Promise<PullSummary> {
  const { client, copy, target, full, signal } = input
  const { since, cursor } = await copy.begin(full, input.allowRemovals)
  const progress = input.createProgress(cursor === null ? since : null)
  let pages = 0
  let records = 0
  try {
    const { since: nextUpdatedSince } = await client.sync(target.collection, {
      since,
      cursor,
      signal,
      eventId: target.eventId ?? undefined,
      status: target.status ?? undefined,
      onPage: async (page) => {
        await copy.save(page)
        pages += 1
        records += page.data.length
        progress.page(page)
      },
    })
    const { total, removed } = await copy.count()
    return { collection: target.collection, full, pages, records, removed, total, nextUpdatedSince }
  } finally {
    progress.end()
  }
}
