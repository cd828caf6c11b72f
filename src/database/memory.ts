import { LRUCache } from 'lru-cache'
import { createLimit } from './limit.js'
import type { QueryContext } from './statement.js'
import { takeOut } from '../values/short-lived.js'

/** The rows of a statement get more memory in steps, in bytes. */
export const memoryStep = 65_536

/** The bytes that one statement holds: its rows while they arrive, and its result until the answers are sent. */
export interface Hold {
  readonly context: QueryContext
  /** Ends the answers that are not sent yet. */
  readonly drop: () => void
  bytes: number
  /** Set while reading waits for memory: what it needs, and how it goes on. */
  paused: { readonly bytes: number; readonly resume: () => void } | undefined
  /** When the last row had arrived, by `performance.now()`. */
  settledAt: number | undefined
}

type Owner = Pick<Hold, 'context' | 'drop'>

/**
 * The memory for results, of which one workspace holds at most half. While it is used up, the statement that reads for
 * the longest time goes on all the same, so that the others do not wait for each other, if without it the limit holds. So
 * at most one result is held beyond the limit.
 */
export class Memory {
  readonly #bytesMax: number
  readonly #resultMax: number
  readonly #held
  /** The statements that read, the oldest first. */
  readonly #readers: Hold[] = []
  /** The results that are held until their answers are sent, the oldest first. */
  readonly #settled: Hold[] = []

  /** @param resultMax the largest result. */
  constructor(bytesMax: number, resultMax: number) {
    this.#bytesMax = bytesMax
    this.#resultMax = resultMax
    this.#held = createLimit(bytesMax)
  }

  /** All bytes that are held. */
  total(): number {
    return this.#held.total()
  }

  /** Whether there is room for what a statement probably needs. */
  hasRoom({ workspaceId }: QueryContext, expected: number): boolean {
    return this.#held.hasRoom({ workspaceId }, this.#toFirst(expected), true)
  }

  /** Begins to hold that much. */
  hold(owner: Owner, expected: number): Hold {
    const hold = { ...owner, bytes: 0, paused: undefined, settledAt: undefined }
    this.#change(hold, this.#toFirst(expected))
    this.#readers.push(hold)
    return hold
  }

  /**
   * The same in place of results of workspaces that hold more: the oldest of those that were settled before an instant,
   * whose answers are dropped.
   *
   * @returns undefined where they are not large enough.
   */
  holdInstead(owner: Owner, expected: number, settledBefore: number): Hold | undefined {
    const first = this.#toFirst(expected)
    const needed = this.total() + first - this.#bytesMax
    const own = this.#held.countOfWorkspace(owner.context) + first
    const old = this.#settled.filter(
      ({ context, settledAt = Infinity }) =>
        settledAt < settledBefore && this.#held.countOfWorkspace(context) > own,
    )
    if (!this.#held.hasWorkspaceRoom(owner.context, first)) return undefined
    if (needed <= 0 || old.reduce((sum, { bytes }) => sum + bytes, 0) < needed) return undefined
    // Before the others are dropped, so that the room is not given to what waits.
    const hold = this.hold(owner, expected)
    for (const { drop } of old) if (this.total() > this.#bytesMax) drop()
    return hold
  }

  /**
   * The rows have so many bytes until now.
   *
   * @param resume called when reading may go on; only where this returns false.
   * @returns whether reading may go on now; 'never' where the result is too large.
   */
  grow(hold: Hold, bytes: number, resume: () => void): boolean | 'never' {
    if (bytes > this.#resultMax) return 'never'
    if (bytes <= hold.bytes || this.#tryGrow(hold, bytes)) return true
    hold.paused = { bytes, resume }
    return false
  }

  /** No more rows arrive, and so many bytes are held from now on: 0 where the answers have ended. */
  settle(hold: Hold, bytes: number): void {
    if (hold.settledAt === undefined) {
      takeOut(this.#readers, hold)
      if (bytes > 0) this.#settled.push(hold)
    } else if (bytes === 0) takeOut(this.#settled, hold)
    hold.settledAt ??= performance.now()
    hold.paused = undefined
    this.#change(hold, bytes - hold.bytes)
    for (const reader of [...this.#readers]) {
      const { paused } = reader
      if (paused !== undefined && this.#tryGrow(reader, paused.bytes)) resume(reader)
    }
  }

  /** A quarter at most, so that a workspace whose pages are large can begin to read beside an answer that is not sent. */
  #toFirst(expected: number): number {
    return Math.min(expected, this.#bytesMax / 4)
  }

  #change(hold: Hold, by: number): void {
    const { workspaceId } = hold.context
    hold.bytes += by
    this.#held.add({ workspaceId }, by)
  }

  #tryGrow(hold: Hold, bytes: number): boolean {
    const { workspaceId } = hold.context
    const more = Math.ceil((bytes - hold.bytes) / memoryStep) * memoryStep
    const isFirst = this.#readers[0] === hold && this.total() - hold.bytes <= this.#bytesMax
    if (!isFirst && !this.#held.hasRoom({ workspaceId }, more, true)) return false
    this.#change(hold, more)
    return true
  }
}

/** Lets a statement read on that waits for memory: where it has none, it asks again. */
export function resume(hold: Hold): void {
  const { paused } = hold
  hold.paused = undefined
  paused?.resume()
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
