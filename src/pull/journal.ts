import { truncate } from 'node:fs/promises'
import type { Page } from '../client/index.js'
import type { AnyRecord, Target } from './copy.js'
import { appendDurably, readLines, replaceFile, toLine, writeTemporary } from './text-file.js'
import type { Digest } from './text-file.js'

/*
 * The state of an NDJSON copy, in a file beside it. The first line describes the copy. Each further line is a page of the
 * current sync: its records and its cursor, which are written in one step. When the sync is complete, the pages are merged
 * into the copy, and the journal starts again with one line.
 */

/** The first line. */
export interface JournalHead {
  readonly vitrine: 1
  readonly target: Target
  readonly full: boolean
  /** What the last complete sync returned. */
  readonly since: string | null
  /** The tag of the page for `since`; missing in files of earlier releases. */
  readonly etag?: string | null | undefined
  /** The digest of the copy after that sync; null before the first. */
  readonly base: Digest | null
  /** The number of records in the copy after that sync. */
  readonly total: number
}

/** The copy after the pages are merged into it. */
export type Merged = Pick<JournalHead, 'base' | 'total'>

/** The content of the file. */
export interface Journal {
  readonly head: JournalHead
  /** The last complete page, without its records. */
  readonly last: Omit<Page<AnyRecord>, 'data'> | undefined
  /** The copy that these pages were merged into; it may not have replaced the old one yet. */
  readonly merged: Merged | undefined
}

type Entry = Partial<JournalHead & Pick<Journal, 'merged'>> & { readonly page?: Page<AnyRecord> }

/** Reads the journal and truncates it after its last complete entry; undefined for a file that is not a journal. */
export async function readJournal(file: string): Promise<Journal | undefined> {
  let journal: Journal | undefined
  let completeBytes = 0
  for await (const { text, end } of readLines(file)) {
    const entry = parseEntry(text)
    const next = entry === undefined ? undefined : addEntry(journal, entry)
    if (next === undefined) break
    journal = next
    completeBytes = end
  }
  // The next entry must start on a new line; a page that is cut off here is read again.
  if (journal !== undefined) await truncate(file, completeBytes)
  return journal
}

/** The pages of a journal, in their order. */
export async function* readPages(file: string): AsyncGenerator<Page<AnyRecord>, void, undefined> {
  for await (const { text } of readLines(file)) {
    const page = parseEntry(text)?.page
    if (page !== undefined) yield page
  }
}

/** Starts a journal again with its first line. */
export async function writeHead(file: string, head: JournalHead): Promise<void> {
  const { temporaryFile } = await writeTemporary(file, (write) => write(toLine(head)))
  await replaceFile(temporaryFile, file)
}

/** Appends a page, or the copy that results from the pages. */
export function appendEntry(file: string, entry: Pick<Entry, 'page' | 'merged'>): Promise<void> {
  return appendDurably(file, toLine(entry))
}

function addEntry(journal: Journal | undefined, entry: Entry): Journal | undefined {
  const { page, merged } = entry
  if (journal === undefined) return isHead(entry) ? { head: entry, last: undefined, merged } : undefined
  if (merged !== undefined) return { ...journal, merged }
  if (page === undefined) return undefined
  const { cursor, nextUpdatedSince } = page
  return { ...journal, last: { cursor, nextUpdatedSince } }
}

function isHead(entry: Entry): entry is JournalHead {
  return entry.vitrine === 1 && entry.target !== undefined && entry.total !== undefined
}

function parseEntry(text: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
