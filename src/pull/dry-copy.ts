import { needsPermission } from '../client/mirror.js'
import type { Comparison, Copy, FileCopy } from './copy.js'

/** What a sync would do to a copy. */
export interface Changes {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

/** A copy that pages are compared with, and that stays as it is. */
export interface DryCopy extends Copy {
  readonly countChanges: () => Changes
}

/** Creates a dry copy of a copy; both have the same position. Only ids are held in memory. */
export function createDryCopy(copy: FileCopy): DryCopy {
  const comparisons = new Map<string, Comparison>()
  let held = 0
  let full = false
  const countChanges = (): Changes => {
    const count = { added: 0, changed: 0, unchanged: 0 }
    for (const comparison of comparisons.values()) count[comparison] += 1
    return { ...count, removed: full ? held - count.changed - count.unchanged : 0 }
  }
  return {
    begin: async (isFull) => {
      full = isFull
      const position = await copy.begin(isFull)
      held = (await copy.count()).total
      return position
    },
    save: async ({ data }) => {
      for (const record of data) comparisons.set(record.id, await copy.compare(record))
    },
    keep: () => Promise.resolve(),
    count: () => {
      const { added, removed } = countChanges()
      return Promise.resolve({ total: held + added - removed, removed })
    },
    close: copy.close,
    countChanges,
  }
}

/** The changes in words. @param total records in the copy after the sync */
export function renderChanges({ added, changed, unchanged, removed }: Changes, total: number): string {
  const [more, other, same, less] = [added, changed, unchanged, removed].map((count) =>
    count.toLocaleString('en'),
  )
  const permission = needsPermission({ held: total - added + removed, removed })
    ? ', which needs --allow-removals'
    : ''
  return `would add ${more}, change ${other}, leave ${same} unchanged and remove ${less}${permission}; nothing was written`
}
