import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../client/headers.js'
import { createClient } from '../../client/index.js'
import type { Client, CollectionName, KeyExpiryEvent, ResponseEvent } from '../../client/index.js'
import { ConfigError, isClosedPipe, UsageError } from '../../errors.js'
import { toFileError } from '../../pull/copy.js'
import type { Target } from '../../pull/copy.js'
import { findFormat, requireFormat } from '../../pull/open-copy.js'
import { streamName, updateCopies } from '../../pull/update.js'
import type { PullJob } from '../../pull/update.js'
import { createWaiting } from '../../pull/waiting.js'
import type { Waiting } from '../../pull/waiting.js'
import { serviceAddress } from './forms.js'
import type { Variables } from './run-command.js'

/** The command line of `vitrine pull`. */
interface PullInput {
  readonly collections: readonly CollectionName[]
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
  /** The share of the copy that is compared, in percent. */
  readonly scrub: number | undefined
  readonly full: boolean
  readonly allowRemovals: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

/** Of the client, which are its defaults too: the notices on stderr name them. */
const limits = { timeoutMs: 30_000, retries: 5 }

/** The status of a process that SIGPIPE ends: the reader of stdout has closed it. */
const closedPipeStatus = 141

/**
 * Updates copies, one for each collection, once or with --watch until a signal.
 *
 * @returns the exit status: 0, or that of the signal that interrupted a single pull.
 * @throws UsageError, ConfigError, VitrineError
 */
export async function pull(args: PullInput, variables: Variables): Promise<number> {
  const jobs = parseInput(args, variables)
  if (isFolder(args) && !args.dryRun) await makeFolder(args.to)
  const isWatch = args.watch !== undefined
  const stop = new AbortController()
  let status = 0
  for (const [signal, number] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    // Once: a second signal ends the process immediately, and the copy stays consistent.
    process.once(signal, () => {
      // A signal is the normal end of --watch.
      status = isWatch ? 0 : number
      stop.abort()
    })
  }
  try {
    await updateCopies(jobs, stop.signal)
    // Also after a signal that came when the sync was already complete.
    return 0
  } catch (error) {
    if (args.to === streamName && isClosedPipe(error)) return closedPipeStatus
    if (!stop.signal.aborted) throw error
    if (status !== 0) process.stderr.write(renderInterruption(args))
    return status
  }
}

function renderInterruption({ to, dryRun, full }: PullInput): string {
  // A full sync starts again.
  const isContinued = to !== streamName && !dryRun && !full
  return `Interrupted${isContinued ? '; the next pull continues from here' : ''}.\n`
}

/** @throws UsageError, ConfigError */
function parseInput(args: PullInput, variables: Variables): readonly PullJob[] {
  const { collections, full, allowRemovals, dryRun, json, updatedSince, watch: pauseMs } = args
  const { url = variables['VITRINE_URL'] ?? '', keyEnv = 'VITRINE_KEY' } = args
  const toFile = requireDestination(args)
  const scrub = chooseScrub(args, pauseMs)
  const about = { collection: collections.join(' and '), ...limits, isWatch: pauseMs !== undefined }
  const waiting = createWaiting(process.stderr, about)
  const client = connect({ url, key: variables[keyEnv] ?? '', keyEnv, waiting })
  const notify = (line: string): unknown => process.stderr.write(line)
  const shared = { client, waiting, notify, updatedSince, full, allowRemovals, dryRun, scrub, json, pauseMs }
  return collections.map((one) => ({ ...shared, target: toTarget(one, url, args), to: toFile(one) }))
}

/** Whether each collection has a file of its own in what `--to` names. */
function isFolder({ to, collections }: PullInput): boolean {
  return collections.length > 1 && findFormat(to) === undefined
}

/** @throws ConfigError */
async function makeFolder(name: string): Promise<void> {
  try {
    await mkdir(name, { recursive: true })
  } catch {
    throw toFileError('--to', name, 'a folder, which is made where it does not exist')
  }
}

/** @returns the file of each collection. @throws UsageError */
function requireDestination(args: PullInput): (collection: CollectionName) => string {
  const { to, collections, full, dryRun, updatedSince } = args
  if (collections.length > 1) {
    if (to === streamName || findFormat(to)?.isShared === false)
      throw new UsageError('--all needs a folder, or a file that ends in .sqlite or .db')
    return (collection) => (isFolder(args) ? join(to, `${collection}.ndjson`) : to)
  }
  if (to === streamName) {
    if (dryRun) throw new UsageError('--dry-run needs a file')
    if (full)
      throw new UsageError('--full needs a file; --to - always reads everything without --updated-since')
  } else {
    if (updatedSince !== undefined)
      throw new UsageError('--updated-since needs --to -: a file has its own state')
    requireFormat(to)
  }
  return () => to
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
    const [path, text, found, allowed] = isUrl
      ? ['--url or VITRINE_URL', url, 'another form', serviceAddress.allowed]
      : [keyEnv, key, 'a text that is not a key', 'an API key']
    throw new ConfigError([{ path, found: text === '' ? 'nothing' : found, allowed }])
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
function chooseScrub({ scrub, to, dryRun }: PullInput, pauseMs = hourMs): number {
  const isUnused = dryRun || to === streamName
  if (isUnused && scrub !== undefined) throw new UsageError('--scrub needs a file, and no --dry-run')
  return scrub ?? (isUnused ? 0 : Math.min(5, (100 * pauseMs) / hourMs))
}
