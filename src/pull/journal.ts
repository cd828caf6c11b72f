import { truncate } from 'node:fs/promises'
import type { Page } from '../client/index.js'
import type { AnyRecord } from './copy.js'
import { appendDurably, isMissing, moveInto, writeBeside } from './durable-file.js'
import type { Digest } from './durable-file.js'
import { readLines, toLine } from './lines.js'
import type { Target } from './target.js'

/*
 * The state of an NDJSON copy: a file of lines beside it. The first says what the copy is; each line after it is a
 * page of the sync under way, its records and its cursor together, so that one step writes both. When the sync is
 * complete they are merged into the copy, and the file starts again with one line.
 */

/** The first line. */
export interface JournalHead {
  readonly vitrine: 1
  readonly target: Target
  readonly full: boolean
  /** What the last complete sync returned. */
  readonly since: string | null
  /** What the copy held then; null before there was one. */
  readonly base: Digest | null
  /** How many records that is. */
  readonly total: number
}

/** What the copy becomes once the pages are merged into it. */
export type Merged = Pick<JournalHead, 'base' | 'total'>

/** What the file says. */
export interface Journal {
  readonly head: JournalHead
  /** The last page that was stored whole, without its records. */
  readonly last: Omit<Page<AnyRecord>, 'data'> | undefined
  /** The copy that all these pages were merged into, if it took its place. */
  readonly merged: Merged | undefined
}

type Entry = Partial<JournalHead & Pick<Journal, 'merged'>> & { readonly page?: Page<AnyRecord> }

/** The journal, cut behind its last whole line; undefined where there is none, or it is of something else. */
export async function readJournal(file: string): Promise<Journal | undefined> {
  let journal: Journal | undefined
  let wholeBytes = 0
  for await (const { text, end } of readLines(file)) {
    const entry = parseEntry(text)
    const next = entry === undefined ? undefined : addEntry(journal, entry)
    if (next === undefined) break
    journal = next
    wholeBytes = end
  }
  // What comes next is appended to a whole line; what was torn off is read again.
  if (journal !== undefined) await truncate(file, wholeBytes)
  return journal
}

/** The pages of a journal in their order. */
export async function* readPages(file: string): AsyncGenerator<Page<AnyRecord>, void, undefined> {
  for await (const { text } of readLines(file)) {
    const page = parseEntry(text)?.page
    if (page !== undefined) yield page
  }
}

/** Starts a journal again with its head. */
export async function writeHead(file: string, head: JournalHead): Promise<void> {
  const { besideFile } = await writeBeside(file, (write) => write(toLine(head)))
  await moveInto(besideFile, file)
}

/** Adds a page. */
export function appendPage(file: string, page: Page<AnyRecord>): Promise<void> {
  return appendDurably(file, toLine({ page }))
}

/** Adds what the copy will hold once the pages are merged into it. */
export function appendMerged(file: string, merged: Merged): Promise<void> {
  return appendDurably(file, toLine({ merged }))
}

/** Whether there is a file of this name. */
export async function hasFile(file: string): Promise<boolean> {
  try {
    for await (const _ of readLines(file)) return true
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
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
