import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { toPrintable } from '../client/printable.js'
import { version } from '../client/headers.js'
import { createClient, VitrineError } from '../client/index.js'
import type { Client, CollectionName, KeyExpiryEvent, ResponseEvent } from '../client/index.js'
import { ConfigError, isClosedPipe, UsageError } from '../errors.js'
import type { Copy, Target } from '../pull/copy.js'
import { createDryCopy, renderChanges } from '../pull/dry-copy.js'
import { openCopy, requireFormat } from '../pull/open-copy.js'
import { createProgress, renderCycle } from '../pull/progress.js'
import { pullOnce } from '../pull/pull.js'
import type { PullSummary } from '../pull/pull.js'
import { createStreamCopy } from '../pull/stream-copy.js'
import { hasFile, toPrintableLine } from '../pull/text-file.js'
import { createWaiting } from '../pull/waiting.js'
import type { Waiting } from '../pull/waiting.js'
import { serviceAddress } from './forms.js'

/** The command line of `vitrine pull`. */
interface PullInput {
  readonly collection: CollectionName
  /** VITRINE_URL if it is not given. */
  readonly url: string | undefined
  /** VITRINE_KEY if it is not given. */
  readonly keyEnv: string | undefined
  readonly to: string
  readonly eventId: string | undefined
  readonly status: string | undefined
  readonly updatedSince: string | undefined
  /** The pause between two syncs, in milliseconds. */
  readonly watch: number | undefined
  readonly scrub: string | undefined
  readonly full: boolean
  readonly allowRemovals: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

interface PullJob {
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

/** Of the client, which are its defaults too: the notices on stderr name them. */
const limits = { timeoutMs: 30_000, retries: 5 }

/** `--to -`: records are written to stdout, and everything else to stderr. */
const streamName = '-'

/** The status of a process that SIGPIPE ends: the reader of stdout has closed it. */
const closedPipeStatus = 141

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Updates a copy of a collection, once or with --watch until a signal.
 *
 * @returns the exit status: 0, or that of the signal that interrupted a single pull.
 * @throws UsageError, ConfigError, VitrineError
 */
export async function pull(args: PullInput, variables: Variables): Promise<number> {
  const job = parseInput(args, variables)
  const stop = new AbortController()
  let status = 0
  for (const [signal, number] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // Once: a second signal ends the process immediately, and the copy stays consistent.
    process.once(signal, () => {
      // A signal is the normal end of --watch.
      status = job.pauseMs === undefined ? number : 0
      stop.abort()
    })
  }
  try {
    await (job.dryRun ? compareOnce(job, stop.signal) : updateCopy(job, stop.signal))
    // Also after a signal that came when the sync was already complete.
    return 0
  } catch (error) {
    if (job.to === streamName && isClosedPipe(error)) return closedPipeStatus
    if (!stop.signal.aborted) throw error
    if (status !== 0) process.stderr.write(renderInterruption(job))
    return status
  }
}

function renderInterruption({ to, dryRun, full }: PullJob): string {
  // A full sync starts again.
  const isContinued = to !== streamName && !dryRun && !full
  return `Interrupted${isContinued ? '; the next pull continues from here' : ''}.\n`
}

async function updateCopy(job: PullJob, signal: AbortSignal): Promise<void> {
  const copy =
    job.to === streamName
      ? createStreamCopy(process.stdout, job.updatedSince ?? null)
      : await openCopy(job.to, job.target)
  try {
    await syncRepeatedly(job, copy, signal)
  } finally {
    await copy.close()
  }
}

/** Compares what a sync reads with the copy, and changes nothing. */
async function compareOnce(job: PullJob, signal: AbortSignal): Promise<void> {
  const isNew = !(await hasFile(job.to))
  const copy = createDryCopy(await openCopy(job.to, job.target))
  try {
    const createProgress = showProgress(job)
    const summary = await pullOnce({ ...job, allowRemovals: true, copy, signal, createProgress })
    const { collection, total, records } = summary
    const changes = copy.countChanges()
    const text = `${collection}: ${records.toLocaleString('en')} read; ${renderChanges(changes, total)}\n`
    process.stdout.write(
      job.json ? toPrintableLine({ ...summary, ...changes, dryRun: true, to: job.to }) : text,
    )
  } finally {
    await copy.close()
    // SQLite creates its file when it is opened.
    if (isNew) await rm(job.to, { force: true })
  }
}

/** Syncs, and with --watch again after each pause. With --watch, a transient failure is retried by the next sync. */
async function syncRepeatedly(job: PullJob, copy: Copy, signal: AbortSignal): Promise<void> {
  let { full } = job
  for (;;) {
    try {
      print(job, await pullOnce({ ...job, copy, full, signal, createProgress: showProgress(job) }))
      full = false
    } catch (error) {
      if (job.pauseMs === undefined || !(error instanceof VitrineError) || !error.isTransient) throw error
      job.waiting.fail(error)
    }
    if (job.pauseMs === undefined) return
    await delay(job.pauseMs, undefined, { signal })
  }
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

/** @throws UsageError, ConfigError */
function parseInput(args: PullInput, variables: Variables): PullJob {
  const { collection, to, full, allowRemovals, dryRun, json } = args
  const { url = variables['VITRINE_URL'] ?? '', keyEnv = 'VITRINE_KEY' } = args
  requireDestination(to, args)
  const pauseMs = args.watch
  const waiting = createWaiting(process.stderr, { collection, ...limits, isWatch: pauseMs !== undefined })
  const client = connect({ url, key: variables[keyEnv] ?? '', keyEnv, waiting })
  const target = toTarget(collection, url, args)
  const { updatedSince } = args
  const scrub = parseScrub(args, pauseMs)
  const notify = (line: string): unknown => process.stderr.write(line)
  return {
    client,
    waiting,
    notify,
    target,
    to,
    updatedSince,
    full,
    allowRemovals,
    dryRun,
    scrub,
    json,
    pauseMs,
  }
}

/** @throws UsageError */
function requireDestination(to: string, args: PullInput): void {
  const { full, dryRun, updatedSince } = args
  if (to === streamName) {
    if (dryRun) throw new UsageError('--dry-run needs a file')
    if (full)
      throw new UsageError('--full needs a file; --to - always reads everything without --updated-since')
    return
  }
  if (updatedSince !== undefined)
    throw new UsageError('--updated-since needs --to -: a file has its own state')
  requireFormat(to)
}

/** The client checks both values; the error names the option or the variable. @throws ConfigError */
function connect({
  url,
  key,
  keyEnv,
  waiting,
}: {
  url: string
  key: string
  keyEnv: string
  waiting: Waiting
}): Client {
  const onKeyExpiry = ({ expiresAt, daysLeft }: KeyExpiryEvent): unknown =>
    process.stderr.write(
      `The API key in ${keyEnv} expires in ${String(daysLeft)} days, at ${expiresAt}: ask for a new one.\n`,
    )
  try {
    const onResponse = ({ status }: ResponseEvent): void => {
      waiting.stop()
      if (status < 400) waiting.succeed()
    }
    const hooks = { onRetry: waiting.retry, onResponse, onKeyExpiry }
    return createClient({ url, key, ...limits, ...hooks, appInfo: { name: 'vitrine-pull', version } })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const isUrl = error.message.startsWith('The url')
    const path = isUrl ? '--url or VITRINE_URL' : keyEnv
    const found = isUrl
      ? url === ''
        ? 'nothing'
        : 'another form'
      : key === ''
        ? 'nothing'
        : 'a text that is not a key'
    const allowed = isUrl ? 'an http or https address without account, query and fragment' : 'an API key'
    throw new ConfigError([{ path, found, allowed }])
  }
}

function toTarget(
  collection: CollectionName,
  url: string,
  { eventId, status }: Pick<PullInput, 'eventId' | 'status'>,
): Target {
  const filters = { eventId: eventId ?? null, status: status ?? null }
  return { collection, url: serviceAddress.parse(url) ?? url, ...filters }
}

const hourMs = 3_600_000

/** With --watch, no more than what makes a cycle an hour. @throws UsageError */
function parseScrub({ scrub, to, dryRun }: PullInput, pauseMs = hourMs): number {
  const isUnused = dryRun || to === streamName
  if (scrub === undefined) return isUnused ? 0 : Math.min(5, (100 * pauseMs) / hourMs)
  if (isUnused) throw new UsageError('--scrub needs a file, and no --dry-run')
  const share = /^\d{1,3}(\.\d+)?$/.test(scrub) ? Number(scrub) : Number.NaN
  if (!(share <= 100)) throw new UsageError('--scrub is a percentage from 0 to 100')
  return share
}
