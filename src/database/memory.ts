import { LRUCache } from 'lru-cache'
import { createLimit } from './limit.js'
import type { Limit } from './limit.js'
import type { QueryContext } from './statement.js'

/** The bytes that one statement holds: its rows while they arrive, and its result until the answers are sent. */
export interface Hold {
  /**
   * The rows have so many bytes until now.
   *
   * @param resume called when reading may go on; only where this returns false.
   * @returns whether reading may go on now; 'never' where one result is larger than the whole memory.
   */
  readonly grow: (bytes: number, resume: () => void) => boolean | 'never'
  /** Whether reading waits for memory. */
  readonly isPaused: () => boolean
  /** Calls `resume` where reading waits, although there is no memory: it will ask again. */
  readonly wake: () => void
  /** No more rows arrive; so many bytes are held. */
  readonly settle: (bytes: number) => void
  readonly release: () => void
}

/** The bytes that all statements hold. */
export interface Memory {
  /** Whether there is room for what a statement probably needs. */
  readonly hasRoom: (context: QueryContext, expected: number) => boolean
  /** Begins to hold that much. */
  readonly hold: (context: QueryContext, expected: number) => Hold
  readonly total: () => number
}

interface Reader {
  readonly context: QueryContext
  bytes: number
  /** Set while reading is paused: what it needs, and how it goes on. */
  paused: { readonly bytes: number; readonly resume: () => void } | undefined
}

/** Rows get more memory in steps, in bytes. */
export const memoryStep = 65_536

const binding = { table: false, workspace: true }

/**
 * Memory of which one workspace holds at most half. While it is used up, the statement that reads for the longest time
 * goes on all the same, so that the others do not wait for each other, if without it the limit holds. So at most one
 * result is held beyond the limit.
 */
export function createMemory(bytesMax: number): Memory {
  const held = createLimit(bytesMax)
  const { add, tryGrow, end } = createReaders(held, bytesMax)
  // A quarter at most, so that a workspace whose pages are large can begin to read beside an answer that is not sent.
  const toFirst = (expected: number): number => Math.min(expected, bytesMax / 4)
  return {
    hasRoom: (context, expected) => held.hasRoom(context, toFirst(expected), binding),
    hold: (context, expected) => {
      const reader = add(context, toFirst(expected))
      return {
        grow: (bytes, resume) => {
          if (bytes > bytesMax) return 'never'
          if (bytes <= reader.bytes || tryGrow(reader, bytes)) return true
          reader.paused = { bytes, resume }
          return false
        },
        isPaused: () => reader.paused !== undefined,
        wake: () => {
          const { paused } = reader
          reader.paused = undefined
          paused?.resume()
        },
        settle: (bytes) => {
          end(reader, bytes)
        },
        release: () => {
          end(reader, 0)
        },
      }
    },
    total: held.total,
  }
}

/** The statements that read, the oldest first. */
function createReaders(held: Limit, bytesMax: number) {
  const readers: Reader[] = []
  const change = (reader: Reader, by: number): void => {
    reader.bytes += by
    held.add(reader.context, by)
  }
  const tryGrow = (reader: Reader, bytes: number): boolean => {
    const more = Math.ceil((bytes - reader.bytes) / memoryStep) * memoryStep
    const isFirst = readers[0] === reader && held.total() - reader.bytes <= bytesMax
    if (!isFirst && !held.hasRoom(reader.context, more, binding)) return false
    change(reader, more)
    return true
  }
  const resumePaused = (): void => {
    for (const reader of [...readers]) {
      const { paused } = reader
      if (paused === undefined || !tryGrow(reader, paused.bytes)) continue
      reader.paused = undefined
      paused.resume()
    }
  }
  return {
    add: (context: QueryContext, bytes: number): Reader => {
      const reader: Reader = { context, bytes: 0, paused: undefined }
      change(reader, bytes)
      readers.push(reader)
      return reader
    },
    tryGrow,
    /** No more rows arrive; so many bytes are held from now on. */
    end: (reader: Reader, bytes: number): void => {
      const at = readers.indexOf(reader)
      if (at !== -1) readers.splice(at, 1)
      reader.paused = undefined
      change(reader, bytes - reader.bytes)
      resumePaused()
    },
  }
}

/** The most workspaces and tables whose size of pages is known; all others have small pages. */
const knownMax = 1000

/** How many bytes the pages of a workspace had last, for each table. */
export interface PageSizes {
  readonly expect: (context: QueryContext) => number
  readonly note: (context: QueryContext, bytes: number) => void
}

/** No size is known yet: a page has probably at most `memoryStep` bytes. */
export function createPageSizes(): PageSizes {
  const known = new LRUCache<string, number>({ max: knownMax })
  const toKey = ({ workspaceId = '', table = '' }: QueryContext): string => `${table} ${workspaceId}`
  return {
    expect: (context) => (known.size === 0 ? memoryStep : (known.get(toKey(context)) ?? memoryStep)),
    note: (context, bytes) => {
      if (bytes > memoryStep) known.set(toKey(context), bytes)
      else if (known.size > 0) known.delete(toKey(context))
    },
  }
}
