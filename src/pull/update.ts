import { setTimeout as delay } from 'node:timers/promises'
import { toPrintable } from '../client/printable.js'
import { VitrineError } from '../client/index.js'
import type { Copy } from './copy.js'
import { toPrintableLine } from './files.js'
import { openCopy } from './open-copy.js'
import { createStreamCopy } from './stream-copy.js'
import { syncCopy } from './sync-copy.js'
import type { PullSummary, SyncInput } from './sync-copy.js'

/** One copy; those of `--all` share the client and the progress. */
export interface PullJob extends Omit<SyncInput, 'copy' | 'signal'> {
  readonly to: string
  /** Where a stream starts; a file has a position of its own. */
  readonly updatedSince: string | undefined
  readonly json: boolean
}

/** `--to -`: records are written to stdout, and everything else to stderr. */
export const streamName = '-'

/** A copy that is open. */
interface Update extends Omit<PullJob, 'full'> {
  readonly copy: Copy
  /** Whether the next sync is a full one. */
  full: boolean
}

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
      print(update, await syncCopy({ ...update, signal }))
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
  try {
    for (const job of jobs) updates.push({ ...job, copy: await open(job) })
    for (;;) {
      for (const update of updates) await run(update)
      if (pauseMs === undefined) return
      await delay(pauseMs, undefined, { signal })
    }
  } finally {
    for (const { copy } of updates) await copy.close()
  }
}

async function open({ to, target, updatedSince }: PullJob): Promise<Copy> {
  return to === streamName ? createStreamCopy(process.stdout, updatedSince) : openCopy(to, target)
}

/** SQLite and Node name no file; SQLITE_FULL is 13. */
function nameFullDisk(error: unknown, to: string): unknown {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code !== 'ENOSPC' && errcode !== 13) return error
  const what = 'its disk is full, or the disk of temporary files'
  return new Error(`${to}: ${what}; what was stored before is intact`, { cause: error })
}

function print({ to, json }: Update, summary: PullSummary): void {
  const { collection, records, total, removed, nextUpdatedSince, notModified, cycle } = summary
  const next = toPrintable(nextUpdatedSince)
  const read = notModified && records === 0 ? 'unchanged' : `${records.toLocaleString('en')} read`
  const removals = summary.full || cycle !== null ? `, ${removed.toLocaleString('en')} removed` : ''
  const compared =
    cycle === null
      ? ''
      : `, ${String(Math.floor(cycle * 100))}% of the copy compared in this cycle of the scrub`
  // An unchanged copy is newer than the instant that the next sync starts from.
  const until = notModified ? '' : `, changes up to ${next}`
  const end =
    to === streamName
      ? `continue with --updated-since ${next}`
      : `${to} holds ${total.toLocaleString('en')}${until}`
  const output = to === streamName ? process.stderr : process.stdout
  output.write(
    json ? toPrintableLine({ ...summary, to }) : `${collection}: ${read}${removals}${compared}; ${end}\n`,
  )
}
