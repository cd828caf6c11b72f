import type { MirrorStore, Registration } from '../../src/client/index.js'

/** A store of a mirror of registrations, in memory. */
export interface MemoryStore {
  readonly records: Map<string, Registration>
  readonly store: MirrorStore<Registration>
}

/** Nothing is stored. */
export function createMemoryStore(): MemoryStore {
  const records: MemoryStore['records'] = new Map()
  let stored: string | null = null
  return {
    records,
    store: {
      readState: () => Promise.resolve(stored),
      readIds: () => Promise.resolve([...records.keys()]),
      readRange: ({ from, to }) =>
        Promise.resolve([...records.values()].filter(({ updatedAt }) => from <= updatedAt && updatedAt < to)),
      write: ({ records: written, removedIds, state }) => {
        for (const one of written) records.set(one.id, one)
        for (const id of removedIds) records.delete(id)
        stored = state
        return Promise.resolve()
      },
    },
  }
}
