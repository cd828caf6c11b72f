import { setTimeout as delay } from 'node:timers/promises'
import { toPrintable } from '../client/text.js'
import { VitrineError } from '../client/index.js'
import type { Client, EpochEvent, MirrorResult, MirrorStore } from '../client/index.js'
import type { Removals } from '../client/scrub.js'
import { toErrorText } from '../errors.js'
import type { AnyRecord, Copy, Target } from './copy.js'
import { toFileError, toPrintableLine } from './copy.js'
import { openCopy } from './open-copy.js'
import type { Progress } from './progress.js'

/** One copy; those of `--all` share the client and the progress. */
export interface PullJob {
  readonly client: Client
  readonly target: Target
  readonly to: string
  readonly full: boolean
  readonly allowRemovals: boolean
  /** Percent of the copy that is compared too. */
  readonly scrub: number
  readonly json: boolean
  readonly pageSize: number | undefined
  readonly progress: Progress
}

/** A copy that is open; only the first sync can be a full one. */
type Update = Omit<PullJob, 'full'> & { readonly copy: Copy; full: boolean }

/**
 * Opens the copies, and updates each once, or again after each pause until the signal.
 *
 * @param pauseMs undefined for a single update.
 * @throws VitrineError, ConfigError
 */
export async function updateCopies(
  jobs: readonly PullJob[],
  pauseMs: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const updates: Update[] = []
  const withheld = new Set<Update>()
  const run = async (update: Update): Promise<void> => {
    try {
      print(update, await syncCopy(update, signal))
      update.full = false
      withheld.delete(update)
    } catch (error) {
      if (!(error instanceof VitrineError)) throw nameFullDisk(error, update.to)
      // The next sync is another attempt.
      if (pauseMs !== undefined && error.isTransient) update.progress.fail(error)
      else await withhold(update, error)
    }
  }
  /** Goes on without a collection that the key may not read, or that the service does not have, while there is another. */
  const withhold = async (update: Update, error: VitrineError): Promise<void> => {
    const isNew = !withheld.has(update)
    withheld.add(update)
    const isWithheld = error.code === 'insufficient_scope' || error.code === 'not_found'
    // A copy that has records would become stale.
    if (!isWithheld || withheld.size === updates.length || (await update.copy.begin(false)).held > 0)
      throw error
    if (isNew) update.progress.print(`not copied: ${toPrintable(error.message)}`)
  }
  /** A copy that cannot be updated ends the pull after the others. The command prints the first error. */
  const runAll = async (): Promise<void> => {
    const errors: unknown[] = []
    for (const update of updates)
      await run(update).catch((error: unknown) => {
        if (signal.aborted) throw error
        const reason = errors.length > 0 ? `: ${toPrintable(toErrorText(error))}` : ''
        if (updates.length > 1) update.progress.print(`not updated${reason}`)
        errors.push(error)
      })
    if (errors.length > 0) throw errors[0]
  }
  try {
    for (const job of jobs) updates.push({ ...job, copy: await openCopy(job.to, job.target) })
    for (;;) {
      await runAll()
      if (pauseMs === undefined) return
      await delay(pauseMs, undefined, { signal })
    }
  } finally {
    for (const { copy } of updates) copy.close()
  }
}

/** The result of one sync. */
interface PullSummary extends MirrorResult {
  readonly collection: string
  /** Records in the copy. */
  readonly total: number
}

/** Updates a copy once, or continues an interrupted sync. @throws VitrineError, ConfigError */
async function syncCopy(update: Update, signal: AbortSignal): Promise<PullSummary> {
  const { client, copy, progress, allowRemovals, scrub, pageSize } = update
  const { collection, eventId, status } = update.target
  let { full } = update
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
  if (sync.missing.length > 0) {
    progress.print(`the copy lacks ${sync.missing.join(', ')}, so all records are read again`)
    full = true
    sync = await copy.begin(full)
  }
  try {
    const options = { eventId, status, full, allowRemovals, scrub, pageSize, signal, onEpoch }
    const result = await client.mirror(collection, store, options)
    progress.succeed()
    return { collection, total: await sync.commit(), ...result }
  } catch (error) {
    // What was received is complete up to its state, and the next pull continues there. Storing it can fail for the same reason.
    if (!full) await sync.commit().catch(() => undefined)
    throw toPullError(error, update.to, full)
  } finally {
    progress.end()
  }
}

/** An error of `mirror` in the words of a command line. */
function toPullError(error: unknown, to: string, full: boolean): unknown {
  if (!(error instanceof VitrineError)) return error
  if (error.code === 'too_many_removals') return toRemovalsError(error.cause as Removals, full)
  if (error.code !== 'invalid_state') return error
  return toFileError(to, error.detail, 'the state as pull wrote it, or --full, which reads everything anew')
}

function toRemovalsError({ held, removed }: Removals, full: boolean): Error {
  const numbers = `would remove ${String(removed)} of the ${String(held)} records`
  const what = full ? `the full sync ${numbers} in the copy` : `the scrub ${numbers} that it compared`
  return new Error(
    `${what}, so it removed none; use the key, address and filters of the copy, or, if that is right, --full --allow-removals`,
  )
}

/** SQLite and Node name no file; SQLITE_FULL is 13. */
function nameFullDisk(error: unknown, to: string): unknown {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code !== 'ENOSPC' && errcode !== 13) return error
  const what = 'its disk is full, or the disk of temporary files'
  return new Error(`${to}: ${what}; what was stored before is intact`, { cause: error })
}

function print({ to, json }: Update, summary: PullSummary): void {
  const { collection, records, total, removed, nextUpdatedSince, notModified, full, cycle } = summary
  const parts = [
    notModified && records === 0 ? 'unchanged' : `${records.toLocaleString('en')} read`,
    ...(full || cycle !== null ? [`${removed.toLocaleString('en')} removed`] : []),
    ...(cycle === null
      ? []
      : [`${String(Math.floor(cycle * 100))}% of the copy compared in this cycle of the scrub`]),
  ]
  // An unchanged copy is newer than the instant that the next sync starts from.
  const until = notModified ? '' : `, changes up to ${toPrintable(nextUpdatedSince)}`
  const text = `${collection}: ${parts.join(', ')}; ${to} holds ${total.toLocaleString('en')}${until}\n`
  process.stdout.write(json ? toPrintableLine({ ...summary, to }) : text)
}
