import { VitrineError } from '../client/index.js'
import type { Client, EpochEvent, MirrorResult, ScrubEvent } from '../client/index.js'
import type { Removals } from '../client/scrub.js'
import type { AnyRecord, Copy, Target } from './copy.js'
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
  /** Percent of the copy that is compared too. */
  readonly scrub: number
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
  const { client, copy, target, full, allowRemovals, scrub, signal, waiting } = input
  const { collection, eventId, status } = target
  const filters = { eventId: eventId ?? undefined, status: status ?? undefined }
  let pages = 0
  let isFull = full
  const store = createStore(input, (records) => {
    pages += 1
    if (records.length > 0) progress.page({ data: records })
  })
  waiting.start()
  try {
    const onEpoch = async (event: EpochEvent): Promise<void> => {
      input.notify(`${collection}: ${renderEpoch(event)}\n`)
      isFull = true
      await copy.begin(true)
    }
    const onScrub = (event: ScrubEvent): void => {
      progress.scrub(event)
      waiting.start()
    }
    const options = { ...filters, full, allowRemovals, scrub, signal, onEpoch, onScrub }
    const result = await client.mirror(collection, store, options)
    // The last write has no page, but what follows from all of them; another one is that of the scrub.
    return { ...result, pages: Math.max(0, pages - (result.cycle === null ? 1 : 2)) }
  } catch (error) {
    if (!(error instanceof VitrineError && error.code === 'too_many_removals')) throw error
    // The sync before the scrub was complete.
    if (!isFull) await copy.commit()
    throw toRemovalsError(error.cause as Removals, isFull)
  } finally {
    waiting.stop()
  }
}

/** @param onWrite receives the records of each change */
function createStore({ copy, waiting }: PullInput, onWrite: (records: readonly AnyRecord[]) => void): Copy {
  const { readRange } = copy
  return {
    ...copy,
    // All pages are there: no response follows.
    readIds: () => {
      waiting.stop()
      return copy.readIds()
    },
    readRange:
      readRange &&
      ((range) => {
        waiting.stop()
        return readRange(range)
      }),
    write: async (change) => {
      await copy.write(change)
      onWrite(change.records)
      waiting.start()
    },
  }
}

function renderEpoch({ from, to }: EpochEvent): string {
  const epochs = `from ${String(from)} to ${String(to)}`
  return `the service raised its epoch ${epochs}: records changed without updatedAt, so all are read again`
}

function toRemovalsError({ held, removed }: Removals, isFull: boolean): Error {
  const numbers = `would remove ${String(removed)} of the ${String(held)} records`
  const what = isFull
    ? `the full sync ${numbers} in the copy, so the copy is unchanged`
    : `the scrub ${numbers} that it compared in this cycle, so it removed none of them in this run`
  return new Error(`${what}; if these records do not exist any more, run it with --full --allow-removals`)
}
