import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findKeyMistake, trimKey } from '../../client/forms.js'
import { version } from '../../client/headers.js'
import { collectionNames } from '../../client/records.js'
import { createClient } from '../../client/index.js'
import type { CollectionName } from '../../client/index.js'
import { ConfigError, UsageError } from '../../errors.js'
import { toFileError } from '../../pull/copy.js'
import { findFormat } from '../../pull/open-copy.js'
import { createProgress } from '../../pull/progress.js'
import { updateCopies } from '../../pull/update.js'
import type { PullJob } from '../../pull/update.js'
import { defineCommand, flag, hintWord, option, required } from './command.js'
import type { Values, Variables } from './command.js'
import { anyText, keyVariable, oneOf, pause, percentage, serviceAddress, wholeNumber } from './forms.js'

const collectionName = oneOf(...collectionNames)

const options = {
  all: flag('in place of COLLECTION: every collection that the key may read'),
  url: option('U', 'the public address of the service; VITRINE_URL without it', anyText),
  keyEnv: option(
    'NAME',
    'the environment variable that holds the API key; VITRINE_KEY without it',
    keyVariable,
  ),
  to: required(
    'FILE',
    '.ndjson, with its state in FILE.state; or .sqlite, with Node 22.13 or later;\nwith --all a folder, for NDJSON, or .sqlite',
    anyText,
  ),
  eventId: option('E', 'only records of this event; a copy keeps its filters', anyText),
  status: option('S', 'only records with this status', anyText),
  full: flag(
    'read everything again, and remove records that were archived;\nit exits with 1 instead of removing more than 100 records and more than half of the copy',
  ),
  scrub: option(
    'PERCENT',
    'also compare this share of the copy with the service, and remove records that were archived:\n5, with --watch as much as makes a cycle an hour; 0 turns it off',
    percentage,
  ),
  allowRemovals: flag('with --full: remove any number of records'),
  pageSize: option('N', 'records of each request, 100 without it', wholeNumber('a whole number', 1, 100)),
  watch: option('PAUSE', 'repeat for ever, with this pause, such as 30s, 5m or 1h', pause),
  json: flag('print the summary as JSON'),
}

/** `pull`, a command of `vitrine` and the program `vitrine-pull` of the integrators' package. */
export const pullCommand = defineCommand({
  name: 'pull',
  argument: 'COLLECTION',
  summary: 'update a copy of the registrations or the invoices, over HTTP',
  options,
  run: async (values, args) => {
    const collections = values.all ? collectionNames : args.flatMap((one) => collectionName.parse(one) ?? [])
    if (collections.length === 0 || args.length !== (values.all ? 0 : 1))
      throw new UsageError(
        `pull needs registrations, invoices or --all${hintWord(args.join(), collectionName)}`,
      )
    process.exitCode = await pull({ ...values, collections }, process.env)
  },
})

interface PullInput extends Values<typeof options> {
  readonly collections: readonly CollectionName[]
}

/** Of each request, which take about a minute; the lines about failed attempts name their number. */
const retries = 8

/**
 * Updates copies, one for each collection, once or with --watch until a signal.
 *
 * @returns the exit status: 0, or that of the signal that interrupted a single pull.
 * @throws UsageError, ConfigError, VitrineError
 */
async function pull(args: PullInput, variables: Variables): Promise<number> {
  const jobs = toJobs(args, variables)
  if (isFolder(args))
    await mkdir(args.to, { recursive: true }).catch(() => {
      throw toFileError('--to', args.to, 'a folder, which is made where it does not exist')
    })
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
    if (!stop.signal.aborted) throw error
    // A full sync starts again.
    const next = args.full ? '' : '; the next pull continues from here'
    if (status !== 0) process.stderr.write(`Interrupted${next}.\n`)
    return status
  }
}

const hourMs = 3_600_000

/** One for each collection. With --watch, each compares no more than what makes a cycle an hour. @throws UsageError, ConfigError */
function toJobs(args: PullInput, variables: Variables): readonly PullJob[] {
  requirePossible(args)
  const { full, allowRemovals, json, eventId, status, to, pageSize, watch = hourMs } = args
  const { keyEnv = 'VITRINE_KEY' } = args
  const { url, key } = requireService({ ...args, keyEnv }, variables)
  const progress = createProgress((text) => process.stderr.write(text), {
    retries,
    isLoop: args.watch !== undefined,
  })
  const client = createClient({
    ...{ url, key, retries, onRetry: progress.retry },
    headers: { 'user-agent': `vitrine-pull/${version} Node.js/${process.version}` },
    onKeyExpiry: ({ expiresAt, daysLeft }) =>
      process.stderr.write(
        `The API key in ${keyEnv} expires in ${String(daysLeft)} days, at ${expiresAt}: ask for a new one.\n`,
      ),
  })
  const scrub = args.scrub ?? Math.min(5, (100 * watch) / hourMs)
  const shared = { client, progress, full, allowRemovals, json, scrub, pageSize }
  return args.collections.map((collection) => ({
    ...shared,
    target: { collection, url, eventId, status },
    to: isFolder(args) ? join(to, `${collection}.ndjson`) : to,
  }))
}

/** The address and the key, neither of which is in a message: one can stand in the place of the other. @throws ConfigError */
function requireService(
  { url: given, keyEnv }: { readonly url: string | undefined; readonly keyEnv: string },
  variables: Variables,
): { readonly url: string; readonly key: string } {
  const { VITRINE_URL: address = '', [keyEnv]: text = '' } = variables
  const [url, key] = [serviceAddress.parse(given ?? address), trimKey(text)]
  const mistake = findKeyMistake(key)
  if (mistake !== undefined) throw new ConfigError([{ path: keyEnv, found: mistake, allowed: 'an API key' }])
  if (url !== undefined) return { url, key }
  const found = (given ?? address) === '' ? 'nothing' : 'another form'
  throw new ConfigError([{ path: '--url or VITRINE_URL', found, allowed: serviceAddress.allowed }])
}

/** Whether each collection has a file of its own in what `--to` names. */
function isFolder({ to, all }: PullInput): boolean {
  return all && findFormat(to) === undefined
}

/** @throws UsageError for options that cannot be together */
function requirePossible({ all, to, full, allowRemovals, status }: PullInput): void {
  const format = findFormat(to)
  if (allowRemovals && !full) throw new UsageError('--allow-removals needs --full')
  if (all && status !== undefined) throw new UsageError('--all takes no --status')
  if (all && format === 'ndjson')
    throw new UsageError('--all needs a folder, or a file that ends in .sqlite or .db')
  if (!all && format === undefined)
    throw new UsageError('--to is a file that ends in .ndjson, .jsonl, .sqlite or .db')
}
