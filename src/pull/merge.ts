import type { AnyRecord } from './copy.js'
import type { Write } from './durable-file.js'
import { readPages } from './journal.js'
import { readLines, toLine } from './lines.js'

interface MergeInput {
  readonly journalFile: string
  /** The copy so far; undefined before there was one. */
  readonly copyFile: string | undefined
  /** The pages are all there is: what is in the copy alone has vanished. */
  readonly full: boolean
  /** From `findLast`. */
  readonly last: ReadonlyMap<string, number>
}

/**
 * Writes the copy that results from the pages of a journal: one line for each record, as it came last.
 * What comes later is newer whatever its `updatedAt` says: a transaction that commits late may turn that back.
 * Only ids are held in memory.
 */
export async function mergePages(
  input: MergeInput,
  write: Write,
): Promise<{ readonly total: number; readonly removed: number }> {
  const { last } = input
  const { kept, removed } = await passOldLines(input, write)
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
  return { total: kept + written, removed }
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

/** Writes what stays of the old copy: after a full sync nothing does. */
async function passOldLines(
  { copyFile, full, last }: MergeInput,
  write: Write,
): Promise<{ readonly kept: number; readonly removed: number }> {
  let kept = 0
  let removed = 0
  if (copyFile === undefined) return { kept, removed }
  for await (const { text } of readLines(copyFile)) {
    const old = parseRecord(text)
    const cameAgain = old !== undefined && last.has(old.id)
    if (full) {
      removed += cameAgain ? 0 : 1
    } else if (!cameAgain) {
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
