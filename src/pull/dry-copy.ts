import { needsPermission } from '../client/removals.js'
import type { Comparison, Copy, FileCopy } from './copy.js'

/** What a sync would do to a copy. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

/** A copy that records are compared with, and that stays as it is. */
export interface DryCopy extends Copy {
  readonly countChanges: () => Changes
}

/** Creates a dry copy of a copy; both have the same state. Only ids are held in memory. */
export function createDryCopy(copy: FileCopy): DryCopy {
  const comparisons = new Map<string, Comparison>()
  let held = 0
  let removed = 0
  const countChanges = (): Changes => {
    const count = { added: 0, changed: 0, unchanged: 0, removed }
    for (const comparison of comparisons.values()) count[comparison] += 1
    return count
  }
  return {
    ...copy,
    begin: async (full) => (held = await copy.begin(full)),
    write: async ({ records, removedIds }) => {
      for (const record of records) comparisons.set(record.id, await copy.compare(record))
      removed += removedIds.length
    },
    commit: () => Promise.resolve(held + countChanges().added - removed),
    countChanges,
  }
}

/** The changes in words. @param total records in the copy after the sync */
export function renderChanges({ added, changed, unchanged, removed }: Changes, total: number): string {
  const [more, other, same, less] = [added, changed, unchanged, removed].map((count) =>
    count.toLocaleString('en'),
  )
  const permission = needsPermission(total - added + removed, removed) ? ', which needs --allow-removals' : ''
  return `would add ${more}, change ${other}, leave ${same} unchanged and remove ${less}${permission}; nothing was written`
}
