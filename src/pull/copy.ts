import { chmod, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CollectionName, Collections, MirrorStore } from '../client/index.js'
import { ConfigError } from '../errors.js'
import { escapeUnprintable } from '../client/text.js'
import { isRecord, parseJson } from '../client/forms.js'

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
  /** Fields that a copy of an earlier release does not have: all records are to be read anew. */
  readonly missing: readonly string[]
  /** Records in the copy at the start. */
  readonly held: number
  /** Stores what was written. @returns the number of records then */
  readonly commit: () => Promise<number>
}

/** The lock of a copy. */
export interface Lock {
  /** A part of the names of its temporary files, which `release` removes. */
  readonly token: string
  /** To be called before each change of the copy. @throws ConfigError if another process has taken over */
  readonly verify: () => void
  readonly release: () => void
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
  readonly close: () => unknown
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

/** A copy that pull can make, in words. */
export const writableFile = 'a file in a folder that this user may write to'

/** A target as command-line options. */
export function renderTarget({ collection, url, eventId, status }: Target): string {
  const filters = Object.entries({ 'event-id': eventId, status }).filter(([, value]) => value !== undefined)
  return [collection, `--url ${url}`, ...filters.map(([name, value = '']) => `--${name} ${value}`)].join(' ')
}

/** Only the owner can read the files of a pull: they contain personal data. */
export const privateMode = 0o600

const batchChars = 1 << 20

/** The path of the temporary file that replaces `file` later. */
function toTemporary(file: string, { token }: Lock): string {
  return `${file}.${token}.tmp`
}

/** Creates an empty file. One that an earlier sync left is removed, not opened. */
export async function createPrivate(file: string): Promise<void> {
  await rm(file, { force: true })
  await writeFile(file, '', { flag: 'wx', mode: privateMode })
}

/** Writes and syncs the temporary file of `file`. @returns the number of lines */
export async function writeTemporary(
  file: string,
  lines: Iterable<string> | AsyncIterable<string>,
  lock: Lock,
): Promise<number> {
  const temporary = toTemporary(file, lock)
  let count = 0
  async function* toBatches(): AsyncGenerator<string, void, undefined> {
    let batch = ''
    for await (const line of lines) {
      batch += line
      count += 1
      if (batch.length < batchChars) continue
      yield batch
      batch = ''
    }
    yield batch
  }
  await createPrivate(temporary)
  await writeFile(temporary, toBatches(), { flush: true })
  // The owner may have changed the mode of the file that is replaced.
  const found = await stat(file).catch(nullIfMissing)
  if (found !== null) await chmod(temporary, found.mode & 0o777)
  return count
}

/** Replaces a file by its temporary file in one durable step. @throws Error if another pull has taken over */
export async function replaceFile(file: string, lock: Lock): Promise<void> {
  lock.verify()
  await rename(toTemporary(file, lock), file)
  // Windows cannot sync a folder, and does not need it.
  if (process.platform === 'win32') return
  const folder = await open(dirname(file), 'r')
  await folder.sync().finally(() => folder.close())
}

/** The lines of a file that `toLine` wrote; none if it does not exist. */
export async function* readLines(file: string): AsyncGenerator<string, void, undefined> {
  const handle = await open(file, 'r').catch(nullIfMissing)
  if (handle === null) return
  try {
    yield* handle.readLines()
  } finally {
    await handle.close()
  }
}

/** Null for the error of a file that does not exist. @throws any other error */
export function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

/** Line ends, within a JSON text, of other programs such as Python's `splitlines` and of Node's `readLines`. */
const otherLineEnds = /[\u0085\u2028\u2029]/g

/** A value as one line of JSON, for every definition of a line. */
export function toLine(value: unknown): string {
  return `${JSON.stringify(value).replace(otherLineEnds, escapeUnprintable)}\n`
}

/** The object that a line of JSON contains; empty for any other text. */
export function parseLine(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}

/** A value as one line of JSON that is safe to print. */
export function toPrintableLine(value: unknown): string {
  return `${escapeUnprintable(JSON.stringify(value))}\n`
}
