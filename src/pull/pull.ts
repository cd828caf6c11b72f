import { VitrineError } from '../client/index.js'
import type { Client, EpochEvent, MirrorResult } from '../client/index.js'
import type { Removals } from '../client/removals.js'
import type { Copy, Target } from './copy.js'
import type { Progress } from './progress.js'
import type { Waiting } from './waiting.js'

/** The result of one sync. */
export interface PullSummary extends MirrorResult {
  readonly collection: string
  readonly pages: number
  /** Records in the copy. */
  readonly total: number
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
  /** Writes a line for the user. */
  readonly notify: (line: string) => unknown
}

/** Updates a copy once, or continues an interrupted sync. @throws VitrineError, ConfigError */
export async function pullOnce(input: PullInput): Promise<PullSummary> {
  const { copy, full } = input
  const { collection } = input.target
  const held = await copy.begin(full)
  // A full sync reads about as many records as the copy has.
  const progress = input.createProgress(full && held > 0 ? held : undefined)
  try {
    const { pages, records, removed, ...rest } = await mirror(input, progress)
    const total = await copy.commit()
    return { collection, pages, records, removed, total, ...rest }
  } finally {
    progress.end()
  }
}

/** Mirrors the collection into the copy, and reports each page. @throws VitrineError */
async function mirror(
  input: PullInput,
  progress: Progress,
): Promise<MirrorResult & { readonly pages: number }> {
  const { client, copy, target, full, allowRemovals, signal, waiting } = input
  const { collection, eventId, status } = target
  const filters = { eventId: eventId ?? undefined, status: status ?? undefined }
  let writes = 0
  const store: Copy = {
    ...copy,
    // All pages are there: no response follows.
    readIds: () => {
      waiting.stop()
      return copy.readIds()
    },
    write: async (change) => {
      await copy.write(change)
      writes += 1
      if (change.records.length > 0) progress.page({ data: change.records })
      waiting.start()
    },
  }
  waiting.start()
  try {
    const onEpoch = async (event: EpochEvent): Promise<void> => {
      input.notify(`${collection}: ${renderEpoch(event)}\n`)
      await copy.begin(true)
    }
    const options = { ...filters, full, allowRemovals, signal, onEpoch }
    const result = await client.mirror(collection, store, options)
    // The last write has no page, but what follows from all of them.
    return { ...result, pages: Math.max(0, writes - 1) }
  } catch (error) {
    throw error instanceof VitrineError && error.code === 'too_many_removals'
      ? toRemovalsError(error.cause as Removals)
      : error
  } finally {
    waiting.stop()
  }
}

function renderEpoch({ from, to }: EpochEvent): string {
  const epochs = `from ${String(from)} to ${String(to)}`
  return `the service raised its epoch ${epochs}: records changed without updatedAt, so all are read again`
}

function toRemovalsError({ held, removed }: Removals): Error {
  return new Error(
    `the full sync would remove ${String(removed)} of the ${String(held)} records in the copy, ` +
      'so the copy is unchanged; if these records do not exist any more, run it with --full --allow-removals',
  )
}
