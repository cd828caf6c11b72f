import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../../client/headers.js'
import { createClient } from '../../client/index.js'
import type { Client, CollectionName, KeyExpiryEvent, ResponseEvent } from '../../client/index.js'
import { ConfigError, isClosedPipe, UsageError } from '../../errors.js'
import { toFileError } from '../../pull/copy.js'
import { findFormat } from '../../pull/open-copy.js'
import { createProgress } from '../../pull/progress.js'
import type { Progress } from '../../pull/progress.js'
import { streamName, updateCopies } from '../../pull/update.js'
import type { PullJob } from '../../pull/update.js'
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
  readonly json: boolean
}

/** Of the client; the lines about failed attempts name their number. */
const retries = 5

/** The status of a process that SIGPIPE ends: the reader of stdout has closed it. */
const closedPipeStatus = 141

/**
 * Updates copies, one for each collection, once or with --watch until a signal.
 *
 * @returns the exit status: 0, or that of the signal that interrupted a single pull.
 * @throws UsageError, ConfigError, VitrineError
 */
export async function pull(args: PullInput, variables: Variables): Promise<number> {
  const jobs = toJobs(args, variables)
  if (isFolder(args)) await makeFolder(args.to)
  const stop = new AbortController()
  let status = 0
  for (const [signal, number] of Object.entries({ SIGINT: 130, SIGTERM: 143 })) {
    // Once: a second signal ends the process immediately, and the copy stays consistent.
    process.once(signal, () => {
      // A signal is the normal end of --watch.
      status = args.watch === undefined ? number : 0
      stop.abort()
    })
  }
  try {
    await updateCopies(jobs, args.watch, stop.signal)
    // Also after a signal that came when the sync was already complete.
    return 0
  } catch (error) {
    if (args.to === streamName && isClosedPipe(error)) return closedPipeStatus
    if (!stop.signal.aborted) throw error
    // A full sync starts again, and a stream has no state.
    const isContinued = args.to !== streamName && !args.full
    if (status !== 0)
      process.stderr.write(`Interrupted${isContinued ? '; the next pull continues from here' : ''}.\n`)
    return status
  }
}

/** @throws UsageError, ConfigError */
function toJobs(args: PullInput, variables: Variables): readonly PullJob[] {
  const { collections, full, allowRemovals, json, updatedSince, eventId, status, watch, to } = args
  requireDestination(args)
  const url = args.url ?? variables['VITRINE_URL'] ?? ''
  const keyEnv = args.keyEnv ?? 'VITRINE_KEY'
  const { isTTY, columns } = process.stderr
  const output = {
    // No line of progress between the records on the same terminal.
    isTTY: isTTY && !(to === streamName && process.stdout.isTTY),
    columns,
    write: (text: string): boolean => process.stderr.write(text),
  }
  const progress = createProgress(output, { retries, isWatch: watch !== undefined })
  const client = connect({ url, key: variables[keyEnv] ?? '', keyEnv, progress })
  const shared = { client, progress, updatedSince, full, allowRemovals, json, scrub: chooseScrub(args) }
  return collections.map((collection) => ({
    ...shared,
    target: { collection, url: serviceAddress.parse(url) ?? url, eventId, status },
    to: isFolder(args) ? join(to, `${collection}.ndjson`) : to,
  }))
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

/** @throws UsageError */
function requireDestination({ to, collections, full, updatedSince }: PullInput): void {
  if (collections.length > 1) {
    if (to === streamName || findFormat(to) === 'ndjson')
      throw new UsageError('--all needs a folder, or a file that ends in .sqlite or .db')
  } else if (to === streamName) {
    if (full)
      throw new UsageError('--full needs a file; --to - always reads everything without --updated-since')
  } else {
    if (findFormat(to) === undefined)
      throw new UsageError('--to is a file that ends in .ndjson, .jsonl, .sqlite or .db, or - for stdout')
    if (updatedSince !== undefined)
      throw new UsageError('--updated-since needs --to -: a file has its own state')
  }
}

interface ConnectInput {
  readonly url: string
  readonly key: string
  readonly keyEnv: string
  readonly progress: Progress
}

/** The client checks both values; the error names the option or the variable. @throws ConfigError */
function connect({ url, key, keyEnv, progress }: ConnectInput): Client {
  const onKeyExpiry = ({ expiresAt, daysLeft }: KeyExpiryEvent): unknown =>
    process.stderr.write(
      `The API key in ${keyEnv} expires in ${String(daysLeft)} days, at ${expiresAt}: ask for a new one.\n`,
    )
  const onResponse = ({ status }: ResponseEvent): void => {
    if (status < 400) progress.succeed()
  }
  try {
    const headers = { 'user-agent': `vitrine-pull/${version} Node.js/${process.version}` }
    return createClient({ url, key, retries, headers, onRetry: progress.retry, onResponse, onKeyExpiry })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [path, text, found, allowed] = error.message.startsWith('The url')
      ? ['--url or VITRINE_URL', url, 'another form', serviceAddress.allowed]
      : [keyEnv, key, 'a text that is not a key', 'an API key']
    throw new ConfigError([{ path, found: text === '' ? 'nothing' : found, allowed }])
  }
}

const hourMs = 3_600_000

/** With --watch, no more than what makes a cycle an hour. @throws UsageError */
function chooseScrub({ scrub, to, watch = hourMs }: PullInput): number {
  if (to !== streamName) return scrub ?? Math.min(5, (100 * watch) / hourMs)
  if (scrub !== undefined) throw new UsageError('--scrub needs a file')
  return 0
}
