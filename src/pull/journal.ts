import { truncate } from 'node:fs/promises'
import type { MirrorChange } from '../client/index.js'
import type { ConfigError } from '../errors.js'
import { toFileError } from './copy.js'
import type { AnyRecord } from './copy.js'
import { hasFile, parseLine, readLines, replaceFile, toLine, writeTemporary } from './text-file.js'

/*
 * The state of an NDJSON copy, in a file beside it. The first line describes the copy. Each further line is a change of the
 * current sync. When the sync is complete, the changes are merged into the copy, and the journal is one line again.
 */

/** Of the file. */
export const format = 2

/** The first line. */
export interface JournalHead {
  /** The `format`. */
  readonly vitrine: number
  readonly target: string
  /** Whether the changes are of a full sync: no later sync continues them. */
  readonly full: boolean
  /** After the last complete sync, as the other fields; null before the first. */
  readonly state: string | null
  /** Of the copy. */
  readonly digest: string | null
  /** Records in the copy. */
  readonly total: number
}

/** The content of the file, without the records. */
export interface Journal {
  readonly head: JournalHead
  /** The state of the last change; undefined without changes. */
  readonly state: string | undefined
}

/**
 * Reads a journal, and truncates it after its last complete line.
 *
 * @returns undefined if there is no file.
 * @throws ConfigError for a file that is not a journal.
 */
export async function readJournal(file: string): Promise<Journal | undefined> {
  if (!(await hasFile(file))) return undefined
  let head: JournalHead | undefined
  let state: string | undefined
  let completeBytes = 0
  for await (const { text, end } of readLines(file)) {
    const line = parseLine(text)
    if (head === undefined && isHead(line)) head = line
    else if (head !== undefined && isChange(line)) state = line.state
    else break
    completeBytes = end
  }
  if (head === undefined) throw await toStateError(file)
  // The next change must start on a new line; a page that is cut off here is read again.
  await truncate(file, completeBytes)
  return { head, state }
}

/** The error of a file that is no journal of this release. */
async function toStateError(file: string): Promise<ConfigError> {
  for await (const { text } of readLines(file)) {
    const line = parseLine(text)
    if (line !== undefined && 'vitrine' in line)
      return toFileError(file, 'the state of a pull of another release', 'another name for --to')
    break
  }
  return toFileError(file, 'a file that is not the state of a pull', 'another name for --to')
}

/** What a change does to a record: its new version, or undefined where it is removed. */
export interface RecordChange {
  readonly id: string
  readonly record: AnyRecord | undefined
}

/** What a journal does to each record, in its order. */
export async function* readChanges(file: string): AsyncGenerator<RecordChange, void, undefined> {
  for await (const { text } of readLines(file)) {
    const line = parseLine(text)
    if (!isChange(line)) continue
    for (const record of line.records) yield { id: record.id, record }
    for (const id of line.removedIds) yield { id, record: undefined }
  }
}

/** Starts a journal again with its first line. */
export async function writeHead(file: string, head: JournalHead): Promise<void> {
  await writeTemporary(file, (write) => write(toLine(head)))
  await replaceFile(file)
}

function isHead(line: object | undefined): line is JournalHead {
  return line !== undefined && 'vitrine' in line && line.vitrine === format
}

function isChange(line: object | undefined): line is MirrorChange<AnyRecord> {
  return line !== undefined && 'records' in line
}
