import type { CollectionName, Collections, MirrorStore } from '../client/index.js'
import { renderStart } from '../client/mirror.js'
import { needsPermission } from '../client/scrub.js'
import { ConfigError } from '../errors.js'
import { toPrintableLine } from './text-file.js'

/** A record of either collection, with the fields that later releases add. */
export type AnyRecord = Collections[CollectionName]

/** What a copy contains; a copy keeps its target. */
export interface Target {
  readonly collection: CollectionName
  readonly url: string
  readonly eventId: string | null
  readonly status: string | null
}

/**
 * Where a sync keeps its records and state. The process can end at any moment: the state is never ahead of the records. A
 * full sync changes the copy only when it is committed.
 */
export interface Copy extends MirrorStore<AnyRecord> {
  /** Starts a sync. @returns the number of records. @throws ConfigError */
  readonly begin: (full: boolean) => Promise<number>
  /** Applies what a complete sync has written. @returns the number of records then. */
  readonly commit: () => Promise<number>
  /** Drops what a full sync has written that was not committed. */
  readonly close: () => Promise<void>
}

/** What a record would be in a copy. */
export type Comparison = 'added' | 'changed' | 'unchanged'

/** A copy in a file, with which records can be compared. */
export interface FileCopy extends Copy {
  readonly compare: (record: AnyRecord) => Promise<Comparison>
}

/** @throws ConfigError if what was found in a file is not of this target */
export function requireTarget(file: string, what: string, found: string, expected: string): void {
  // Earlier releases kept the base path where the url had it.
  if (found.replace(/\/api\/public\/v1(?= |$)/, '') !== expected)
    throw toFileError(file, `${what} of ${found}`, expected)
}

/** The error of a file that cannot be used as the copy. */
export function toFileError(path: string, found: string, allowed: string): ConfigError {
  return new ConfigError([{ path, found, allowed }])
}

/** A target as command-line options. */
export function renderTarget({ collection, url, eventId, status }: Target): string {
  const filters = [
    ...(eventId === null ? [] : [`--event-id ${eventId}`]),
    ...(status === null ? [] : [`--status ${status}`]),
  ]
  return [collection, `--url ${url}`, ...filters].join(' ')
}

/** What a sync would do to a copy. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

/** A copy that records are compared with, and that stays as it is. */
interface DryCopy extends Copy {
  readonly countChanges: () => Changes
}

/** Creates a dry copy of a copy; both have the same state. Only ids are held in memory. */
export function createDryCopy(copy: FileCopy): DryCopy {
  const comparisons = new Map<string, Comparison>()
  let held = 0
  let removed = 0
  const countChanges = (): Changes => {
    const count = { added: 0, changed: 0, unchanged: 0, removed }
    for (const comparison of comparisons.values()) count[comparison] += 1
    return count
  }
  return {
    ...copy,
    begin: async (full) => (held = await copy.begin(full)),
    write: async ({ records, removedIds }) => {
      for (const record of records) comparisons.set(record.id, await copy.compare(record))
      removed += removedIds.length
    },
    commit: () => Promise.resolve(held + countChanges().added - removed),
    countChanges,
  }
}

/** The changes in words. @param total records in the copy after the sync */
export function renderChanges({ added, changed, unchanged, removed }: Changes, total: number): string {
  const [more, other, same, less] = [added, changed, unchanged, removed].map((count) =>
    count.toLocaleString('en'),
  )
  const permission = needsPermission(total - added + removed, removed) ? ', which needs --allow-removals' : ''
  return `would add ${more}, change ${other}, leave ${same} unchanged and remove ${less}${permission}; nothing was written`
}

/** A stream that records are written to. */
export interface Output {
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown
  readonly on: (event: 'error', listener: () => void) => unknown
}

/**
 * Writes records to a stream as NDJSON, in the order in which they are read. The state is kept in memory only, for the
 * next sync of --watch. Control characters are escaped: the stream can be a terminal.
 *
 * @param since where the first sync starts; null for all records.
 */
export function createStreamCopy(output: Output, since: string | null): Copy {
  let state = since === null ? null : renderStart(since)
  let total = 0
  // The callback of a write reports the error; without a listener it would end the process too.
  output.on('error', () => undefined)
  return {
    begin: () => Promise.resolve(total),
    readState: () => Promise.resolve(state),
    // There is no full sync of a stream.
    readIds: () => Promise.resolve([]),
    write: async (change) => {
      if (change.records.length > 0) await write(output, change.records.map(toPrintableLine).join(''))
      total += change.records.length
      state = change.state
    },
    commit: () => Promise.resolve(total),
    close: () => Promise.resolve(),
  }
}

function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
