import type { Client } from '../client/index.js'
import type { Copy, Position, Target } from './copy.js'
import type { Progress } from './progress.js'
import type { Waiting } from './waiting.js'

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
  /** Changes before this instant are in the copy; the `updatedSince` of a program that continues from here. */
  readonly nextUpdatedSince: string
  /** Whether the service answered that nothing changed since the last sync. */
  readonly notModified: boolean
}

interface PullInput {
  readonly client: Client
  readonly copy: Copy
  readonly target: Target
  readonly full: boolean
  readonly allowRemovals: boolean
  readonly signal: AbortSignal
  readonly waiting: Pick<Waiting, 'start' | 'stop'>
  /** @param expected about how many records the sync reads; undefined if that is not known */
  readonly createProgress: (expected: number | undefined) => Progress
}

/** Updates a copy once, or continues an interrupted sync. @throws VitrineError, RemovalsError */
export async function pullOnce(input: PullInput): Promise<PullSummary> {
  const { client, copy, target, full, signal, waiting } = input
  const position = await copy.begin(full, input.allowRemovals)
  const progress = input.createProgress(await estimateRecords(copy, full, position))
  let pages = 0
  let records = 0
  let nextUpdatedSince = position.since ?? ''
  waiting.start()
  try {
    const { notModified, ...state } = await client.sync(target.collection, {
      ...position,
      signal,
      eventId: target.eventId ?? undefined,
      status: target.status ?? undefined,
      onPage: async (page) => {
        await copy.save(page)
        pages += 1
        records += page.data.length
        nextUpdatedSince = page.nextUpdatedSince
        progress.page(page)
        if (page.cursor !== null) waiting.start()
      },
    })
    if (!notModified && state.etag !== null) await copy.keep(state)
    const { total, removed } = await copy.count()
    const { collection } = target
    return { collection, full, pages, records, removed, total, nextUpdatedSince, notModified }
  } finally {
    waiting.stop()
    progress.end()
  }
}

/** A full sync from the start reads about as many records as the copy has. */
async function estimateRecords(copy: Copy, full: boolean, { cursor }: Position): Promise<number | undefined> {
  if (!full || cursor !== null) return undefined
  const { total } = await copy.count()
  return total === 0 ? undefined : total
}
