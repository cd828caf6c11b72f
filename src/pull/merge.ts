import type { AnyRecord } from './copy.js'
import type { Write } from './durable-file.js'
import { readPages } from './journal.js'
import { readLines, toLine } from './lines.js'
import type { Removals } from './removals.js'

interface MergeInput {
  readonly journalFile: string
  /** The copy of which other records stay; undefined where none do, because there was none or the pages are all there is. */
  readonly copyFile: string | undefined
  /** From `findLast`. */
  readonly last: ReadonlyMap<string, number>
}

/**
 * Writes the copy that results from the pages of a journal: one line for each record, as it came last.
 * What comes later is newer whatever its `updatedAt` says: a transaction that commits late may turn that back.
 * Only ids are held in memory.
 *
 * @returns how many records it has.
 */
export async function mergePages(input: MergeInput, write: Write): Promise<number> {
  const { last } = input
  const kept = await passOldLines(input, write)
  let written = 0
  let place = 0
  for await (const { data } of readPages(input.journalFile)) {
    for (const record of data) {
      place += 1
      if (last.get(record.id) !== place) continue
      await write(toLine(record))
      written += 1
    }
  }
  return kept + written
}

/** What a full sync with these ids would remove from a copy. */
export async function countRemovals(copyFile: string, last: ReadonlyMap<string, number>): Promise<Removals> {
  let held = 0
  let removed = 0
  for await (const { text } of readLines(copyFile)) {
    held += 1
    if (!hasCome(text, last)) removed += 1
  }
  return { held, removed }
}

/** Every id of a journal's pages, and where it stands last. */
export async function findLast(journalFile: string): Promise<ReadonlyMap<string, number>> {
  const last = new Map<string, number>()
  let place = 0
  for await (const { data } of readPages(journalFile)) {
    for (const { id } of data) {
      place += 1
      last.set(id, place)
    }
  }
  return last
}

/** Writes what stays of the old copy. */
async function passOldLines({ copyFile, last }: MergeInput, write: Write): Promise<number> {
  let kept = 0
  if (copyFile === undefined) return kept
  for await (const { text } of readLines(copyFile)) {
    if (hasCome(text, last)) continue
    await write(`${text}\n`)
    kept += 1
  }
  return kept
}

/** Whether the record of a line came again; a line that no pull wrote, which a full sync may find, did not. */
function hasCome(line: string, last: ReadonlyMap<string, number>): boolean {
  try {
    return last.has((JSON.parse(line) as AnyRecord).id)
  } catch {
    return false
  }
}
