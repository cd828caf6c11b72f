import type { Removals } from '../client/mirror.js'
import type { AnyRecord } from './copy.js'
import { readPages } from './journal.js'
import { readLines, toLine } from './text-file.js'
import type { Write } from './text-file.js'

/** The last position of each id among the records of a journal, counted from 1. */
type LastPositions = ReadonlyMap<string, number>

interface MergeInput {
  readonly journalFile: string
  /** The copy whose other records are kept; undefined to keep none. */
  readonly copyFile: string | undefined
  readonly lastPositions: LastPositions
}

/**
 * Merges the pages of a journal into a copy: one line for each record, in its last version. The last version is the newest
 * whatever its `updatedAt` is, since a transaction that commits late can set it back. Only ids are held in memory.
 *
 * @returns the number of records.
 */
export async function mergePages(input: MergeInput, write: Write): Promise<number> {
  let total = await keepOldLines(input, write)
  let position = 0
  for await (const { data } of readPages(input.journalFile)) {
    for (const record of data) {
      position += 1
      if (input.lastPositions.get(record.id) !== position) continue
      await write(toLine(record))
      total += 1
    }
  }
  return total
}

/** What a full sync with these ids would remove from a copy. */
export async function countRemovals(copyFile: string, lastPositions: LastPositions): Promise<Removals> {
  let held = 0
  let removed = 0
  for await (const { text } of readLines(copyFile)) {
    held += 1
    if (!hasNewVersion(text, lastPositions)) removed += 1
  }
  return { held, removed }
}

/** Finds the last position of each id of a journal. */
export async function findLastPositions(journalFile: string): Promise<LastPositions> {
  const lastPositions = new Map<string, number>()
  let position = 0
  for await (const { data } of readPages(journalFile)) {
    for (const { id } of data) {
      position += 1
      lastPositions.set(id, position)
    }
  }
  return lastPositions
}

async function keepOldLines({ copyFile, lastPositions }: MergeInput, write: Write): Promise<number> {
  let kept = 0
  if (copyFile === undefined) return kept
  for await (const { text } of readLines(copyFile)) {
    if (hasNewVersion(text, lastPositions)) continue
    await write(`${text}\n`)
    kept += 1
  }
  return kept
}

/** A line that is not a record, which a full sync can find in a changed copy, has no new version. */
function hasNewVersion(line: string, lastPositions: LastPositions): boolean {
  try {
    return lastPositions.has((JSON.parse(line) as AnyRecord).id)
  } catch {
    return false
  }
}
