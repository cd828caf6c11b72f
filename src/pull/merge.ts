import type { AnyRecord } from './copy.js'
import { isAtLeastAsNew } from './copy.js'
import type { Write } from './durable-file.js'
import { readPages } from './journal.js'
import { readLines, toLine } from './lines.js'

interface MergeInput {
  readonly journalFile: string
  /** The copy so far; undefined before there was one. */
  readonly copyFile: string | undefined
  /** The pages are all there is: what is in the copy alone has vanished. */
  readonly full: boolean
  /** From `findNewest`; used up here. */
  readonly newest: Map<string, Newest>
}

/** Where the newest version of a record stands in the journal. */
interface Newest {
  readonly updatedAt: string
  readonly place: number
}

/**
 * Writes the copy that results from the pages of a journal: one line for each record, the newest version of it.
 * Only ids are held in memory.
 */
export async function mergePages(
  input: MergeInput,
  write: Write,
): Promise<{ readonly total: number; readonly removed: number }> {
  const { newest } = input
  const { kept, removed } = await passOldLines(input, write)
  let written = 0
  let place = 0
  for await (const { data } of readPages(input.journalFile)) {
    for (const record of data) {
      place += 1
      if (newest.get(record.id)?.place !== place) continue
      await write(toLine(record))
      written += 1
    }
  }
  return { total: kept + written, removed }
}

/** Every id of a journal's pages, and where its newest version stands. */
export async function findNewest(journalFile: string): Promise<Map<string, Newest>> {
  const newest = new Map<string, Newest>()
  let place = 0
  for await (const { data } of readPages(journalFile)) {
    for (const { id, updatedAt } of data) {
      place += 1
      if (isAtLeastAsNew(updatedAt, newest.get(id)?.updatedAt)) newest.set(id, { updatedAt, place })
    }
  }
  return newest
}

/** Writes what stays of the old copy, and takes from `newest` what is older than that. */
async function passOldLines(
  { copyFile, full, newest }: MergeInput,
  write: Write,
): Promise<{ readonly kept: number; readonly removed: number }> {
  let kept = 0
  let removed = 0
  if (copyFile === undefined) return { kept, removed }
  for await (const { text } of readLines(copyFile)) {
    const old = parseRecord(text)
    const next = old === undefined ? undefined : newest.get(old.id)
    if (full) {
      removed += next === undefined ? 1 : 0
    } else if (old === undefined || next === undefined || !isAtLeastAsNew(next.updatedAt, old.updatedAt)) {
      if (old !== undefined) newest.delete(old.id)
      await write(`${text}\n`)
      kept += 1
    }
  }
  return { kept, removed }
}

/** Undefined for a line that no pull wrote, which a full sync may find. */
function parseRecord(text: string): AnyRecord | undefined {
  try {
    return JSON.parse(text) as AnyRecord
  } catch {
    return undefined
  }
}
