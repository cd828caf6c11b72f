import type { CollectionName, Collections, MirrorStore } from '../client/index.js'
import { ConfigError } from '../errors.js'

/** A record of either collection, with the fields that later releases add. */
export type AnyRecord = Collections[CollectionName]

/** What a copy contains; a copy keeps its target. */
export interface Target {
  readonly collection: CollectionName
  readonly url: string
  readonly eventId: string | undefined
  readonly status: string | undefined
}

/** One sync of a copy. The process can end at any moment: the stored state is never ahead of the stored records. */
export interface CopySync extends MirrorStore<AnyRecord> {
  /** Records in the copy at the start. */
  readonly held: number
  /** Stores what was written. @returns the number of records then */
  readonly commit: () => Promise<number>
}

/** Where pulls keep records and state. */
export interface Copy {
  /**
   * Starts a sync, and drops what another one has written but not committed.
   *
   * @param full it changes the copy only with `commit`.
   * @throws ConfigError
   */
  readonly begin: (full: boolean) => Promise<CopySync>
  readonly close: () => Promise<unknown>
}

/** @throws ConfigError if what was found in a file is not of this target */
export function requireTarget(file: string, found: string, expected: string): void {
  // Earlier releases kept the base path where the url had it.
  if (found.replace(/\/api\/public\/v1(?= |$)/, '') !== expected)
    throw toFileError(file, `a copy of ${found}`, expected)
}

/** The error of a file that cannot be used as the copy. */
export function toFileError(path: string, found: string, allowed: string): ConfigError {
  return new ConfigError([{ path, found, allowed }])
}

/** A target as command-line options. */
export function renderTarget({ collection, url, eventId, status }: Target): string {
  const filters = Object.entries({ 'event-id': eventId, status }).filter(([, value]) => value !== undefined)
  return [collection, `--url ${url}`, ...filters.map(([name, value = '']) => `--${name} ${value}`)].join(' ')
}
