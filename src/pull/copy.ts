import type { CollectionName, Collections, MirrorStore } from '../client/index.js'
import { ConfigError } from '../errors.js'

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
