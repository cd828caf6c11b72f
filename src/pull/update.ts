import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { toPrintable } from '../client/printable.js'
import { VitrineError } from '../client/index.js'
import type { Client } from '../client/index.js'
import { createDryCopy, createStreamCopy, renderChanges } from './copy.js'
import type { Copy, Target } from './copy.js'
import { openCopy } from './open-copy.js'
import { createProgress, renderCycle } from './progress.js'
import { pullOnce } from './pull.js'
import type { PullSummary } from './pull.js'
import { hasFile, toPrintableLine } from './text-file.js'
import type { Waiting } from './waiting.js'

/** One copy; those of `--all` share the client and its notices. */
export interface PullJob {
  readonly client: Client
  readonly waiting: Waiting
  readonly notify: (line: string) => unknown
  readonly target: Target
  readonly to: string
  /** Where a stream starts; a file has a position of its own. */
  readonly updatedSince: string | undefined
  readonly full: boolean
  readonly allowRemovals: boolean
  readonly dryRun: boolean
  readonly scrub: number
  readonly json: boolean
  /** Milliseconds between two syncs; undefined for a single one. */
  readonly pauseMs: number | undefined
}

/** `--to -`: records are written to stdout, and everything else to stderr. */
export const streamName = '-'

/** Opens the copies, and updates each once, or with --watch until the signal. @throws VitrineError, ConfigError */
export async function updateCopies(jobs: readonly PullJob[], signal: AbortSignal): Promise<void> {
  const updates: Update[] = []
  try {
    for (const job of jobs) updates.push(await (job.dryRun ? openComparison(job) : openUpdate(job)))
    await runRepeatedly(updates, signal)
  } finally {
    for (const { close } of updates) await close()
  }
}

/** A copy that is open. */
interface Update {
  readonly job: PullJob
  readonly copy: Copy
  /** Syncs it once. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly close: () => Promise<void>
}

async function openUpdate(job: PullJob): Promise<Update> {
  const copy =
    job.to === streamName
      ? createStreamCopy(process.stdout, job.updatedSince ?? null)
      : await openCopy(job.to, job.target)
  let { full } = job
  return {
    job,
    copy,
    run: async (signal) => {
      print(job, await pullOnce({ ...job, copy, full, signal, createProgress: showProgress(job) }))
      full = false
    },
    close: copy.close,
  }
}

/** Compares what a sync reads with the copy, and changes nothing. */
async function openComparison(job: PullJob): Promise<Update> {
  const isNew = !(await hasFile(job.to))
  const copy = createDryCopy(await openCopy(job.to, job.target))
  return {
    job,
    copy,
    run: async (signal) => {
      const createProgress = showProgress(job)
      const summary = await pullOnce({ ...job, allowRemovals: true, copy, signal, createProgress })
      const { collection, total, records } = summary
      const changes = copy.countChanges()
      const text = `${collection}: ${records.toLocaleString('en')} read; ${renderChanges(changes, total)}\n`
      process.stdout.write(
        job.json ? toPrintableLine({ ...summary, ...changes, dryRun: true, to: job.to }) : text,
      )
    },
    close: async () => {
      await copy.close()
      // SQLite creates its file when it is opened.
      if (isNew) await rm(job.to, { force: true })
    },
  }
}

/** Syncs each copy, and with --watch again after each pause. With --watch, a transient failure is retried by the next sync. */
async function runRepeatedly(updates: readonly Update[], signal: AbortSignal): Promise<void> {
  const withheld = new Set<Update>()
  for (;;) {
    for (const update of updates) {
      const { waiting, pauseMs } = update.job
      try {
        await update.run(signal)
        withheld.delete(update)
      } catch (error) {
        if (!(error instanceof VitrineError)) throw nameFullDisk(error, update.job)
        if (pauseMs !== undefined && error.isTransient) waiting.fail(error)
        else await withhold(update, error)
      }
    }
    const [pauseMs] = updates.map(({ job }) => job.pauseMs)
    if (pauseMs === undefined) return
    await delay(pauseMs, undefined, { signal })
  }

  /** Goes on without a collection that the key may not read, or that the service does not have, while there is another. */
  async function withhold(update: Update, error: VitrineError): Promise<void> {
    const isNew = !withheld.has(update)
    withheld.add(update)
    const isWithheld = error.code === 'insufficient_scope' || error.code === 'not_found'
    // A copy that has records would become stale.
    if (!isWithheld || withheld.size === updates.length || (await update.copy.begin(false)) > 0) throw error
    if (isNew)
      update.job.notify(`${update.job.target.collection}: not copied: ${toPrintable(error.message)}\n`)
  }
}

/** SQLite and Node name no file; SQLITE_FULL is 13. */
function nameFullDisk(error: unknown, { to }: PullJob): unknown {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code !== 'ENOSPC' && errcode !== 13) return error
  const what = 'its disk is full, or the disk of temporary files'
  const text = `${to}: ${what}; what was stored before is intact, and the next pull continues`
  return new Error(text, { cause: error })
}

function showProgress({
  target,
  to,
}: PullJob): (expected: number | undefined) => ReturnType<typeof createProgress> {
  // No bar between the records on the same terminal.
  const isShared = to === streamName && process.stdout.isTTY
  const { isTTY, columns } = process.stderr
  const write = (text: string): boolean => process.stderr.write(text)
  const output = { isTTY: isTTY && !isShared, columns, write }
  return (expected) => createProgress(output, { collection: target.collection, expected })
}

function print({ to, json }: PullJob, summary: PullSummary): void {
  const { collection, records, total, removed, nextUpdatedSince, notModified, cycle } = summary
  const next = toPrintable(nextUpdatedSince)
  const read = notModified && records === 0 ? 'unchanged' : `${records.toLocaleString('en')} read`
  const removals = summary.full || cycle !== null ? `, ${removed.toLocaleString('en')} removed` : ''
  const compared = cycle === null ? '' : `, ${renderCycle({ cycle })}`
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
