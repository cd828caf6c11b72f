import { VitrineError } from '../client/index.js'
import type { Client, EpochEvent, MirrorResult, MirrorStore } from '../client/index.js'
import type { Removals } from '../client/scrub.js'
import type { AnyRecord, Copy, Target } from './copy.js'
import type { Progress } from './progress.js'

/** The result of one sync. */
export interface PullSummary extends MirrorResult {
  readonly collection: string
  /** Records in the copy. */
  readonly total: number
}

/** What a sync needs. */
export interface SyncInput {
  readonly client: Client
  readonly copy: Copy
  readonly target: Target
  readonly full: boolean
  readonly allowRemovals: boolean
  /** Percent of the copy that is compared too. */
  readonly scrub: number
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Updates a copy once, or continues an interrupted sync. @throws VitrineError, ConfigError */
export async function syncCopy(input: SyncInput): Promise<PullSummary> {
  const { client, copy, progress, allowRemovals, scrub, signal } = input
  const { collection, eventId, status } = input.target
  let { full } = input
  let sync = await copy.begin(full)
  const store: MirrorStore<AnyRecord> = {
    readState: () => sync.readState(),
    readIds: () => sync.readIds(),
    readRange: (range) => sync.readRange?.(range) ?? Promise.resolve([]),
    write: async (change) => {
      await sync.write(change)
      progress.page(change.records)
    },
  }
  const onEpoch = async ({ from, to }: EpochEvent): Promise<void> => {
    const epochs = `from ${String(from)} to ${String(to)}`
    progress.print(
      `the service raised its epoch ${epochs}: records changed without updatedAt, so all are read again`,
    )
    full = true
    sync = await copy.begin(full)
  }
  progress.start(collection)
  try {
    const options = { eventId, status, full, allowRemovals, scrub, signal, onEpoch }
    const result = await client.mirror(collection, store, options)
    return { collection, total: await sync.commit(), ...result }
  } catch (error) {
    // What was received is complete up to its state, and the next pull continues there. Storing it can fail for the same reason.
    if (!full) await sync.commit().catch(() => undefined)
    throw error instanceof VitrineError && error.code === 'too_many_removals'
      ? toRemovalsError(error.cause as Removals, full)
      : error
  } finally {
    progress.end()
  }
}

function toRemovalsError({ held, removed }: Removals, full: boolean): Error {
  const numbers = `would remove ${String(removed)} of the ${String(held)} records`
  const what = full
    ? `the full sync ${numbers} in the copy, so the copy is unchanged`
    : `the scrub ${numbers} that it compared in this cycle, so it removed none of them in this run`
  return new Error(`${what}; if these records do not exist any more, run it with --full --allow-removals`)
}
