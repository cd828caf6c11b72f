import { LRUCache } from 'lru-cache'
import type { Entry } from './entry.js'
import { createLimit } from './hosts.js'
import type { QueryContext } from './statement.js'
import { takeOut } from '../values/short-lived.js'

/** The rows of a statement get more memory in steps, in bytes. */
export const memoryStep = 65_536

/** The most workspaces and tables whose size of pages is known; all others have small pages. */
const knownMax = 1000

/**
 * The memory for results: their rows while they arrive, and their answers until they are sent. One workspace holds at most
 * half. While it is used up, the statement that reads for the longest time goes on all the same, so that the others do not
 * wait for each other, if without it the limit holds. So at most one result is held beyond the limit.
 */
export class Memory {
  readonly #bytesMax: number
  readonly #resultMax: number
  readonly #held
  /** The statements that read, the oldest first. */
  readonly #readers: Entry[] = []
  /** The results that are held until their answers are sent, the oldest first. */
  readonly #settled: Entry[] = []
  /** The bytes of the last page of a workspace and table, where it has more than `memoryStep`. */
  readonly #sizes = new LRUCache<string, number>({ max: knownMax })

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

  /** Whether there is room for what a statement probably needs. Statements of no workspace need no memory. */
  hasRoom(entry: Entry): boolean {
    const { workspaceId } = entry.context
    return workspaceId === undefined || this.#held.hasRoom({ workspaceId }, this.#expect(entry), true)
  }

  /** Begins to hold that much. */
  take(entry: Entry): void {
    if (entry.context.workspaceId === undefined) return
    entry.settledAt = undefined
    this.#hold(entry, this.#expect(entry))
    this.#readers.push(entry)
  }

  /**
   * The same in place of results of workspaces that hold more: the oldest of those that were settled before an instant,
   * whose answers are dropped.
   *
   * @returns whether they are large enough.
   */
  takeInstead(entry: Entry, settledBefore: number): boolean {
    const expected = this.#expect(entry)
    const needed = this.total() + expected - this.#bytesMax
    const own = this.#held.countOfWorkspace(entry.context) + expected
    const old = this.#settled.filter(
      ({ context, settledAt = Infinity }) =>
        settledAt < settledBefore && this.#held.countOfWorkspace(context) > own,
    )
    if (!this.#held.hasWorkspaceRoom(entry.context, expected)) return false
    if (needed <= 0 || old.reduce((sum, { held = 0 }) => sum + held, 0) < needed) return false
    // Before the others are dropped, so that the room is not given to what waits.
    this.take(entry)
    for (const one of old) if (this.total() > this.#bytesMax) one.dropAnswers()
    return true
  }

  /**
   * The rows have so many bytes until now.
   *
   * @param resume called when reading may go on; only where this returns false.
   * @returns whether reading may go on now; 'never' where the result is too large.
   */
  grow(entry: Entry, bytes: number, resume: () => void): boolean | 'never' {
    if (bytes > this.#resultMax) return 'never'
    if (bytes <= (entry.held ?? 0) || this.#tryGrow(entry, bytes)) return true
    entry.paused = { bytes, resume }
    return false
  }

  /** No more rows arrive, or an answer has ended: what the answers that are left hold is held from now on. */
  settle(entry: Entry): void {
    if (entry.held === undefined) return
    if (entry.settledAt === undefined) this.#noteSize(entry)
    this.#keep(entry, entry.countHeld())
  }

  /** The statement has failed, and holds no memory. */
  release(entry: Entry): void {
    if (entry.held !== undefined) this.#keep(entry, 0)
  }

  #keep(entry: Entry, bytes: number): void {
    if (entry.settledAt === undefined) {
      takeOut(this.#readers, entry)
      if (bytes > 0) this.#settled.push(entry)
      entry.settledAt = performance.now()
    } else if (bytes === 0) takeOut(this.#settled, entry)
    entry.paused = undefined
    this.#hold(entry, bytes)
    if (bytes === 0) entry.held = undefined
    for (const reader of [...this.#readers]) {
      const { paused } = reader
      if (paused !== undefined && this.#tryGrow(reader, paused.bytes)) reader.resume()
    }
  }

  #tryGrow(entry: Entry, bytes: number): boolean {
    const { workspaceId } = entry.context
    const { held = 0 } = entry
    const more = Math.ceil((bytes - held) / memoryStep) * memoryStep
    const isFirst = this.#readers[0] === entry && this.total() - held <= this.#bytesMax
    if (!isFirst && !this.#held.hasRoom({ workspaceId }, more, true)) return false
    this.#hold(entry, held + more)
    return true
  }

  #hold(entry: Entry, bytes: number): void {
    const { workspaceId } = entry.context
    this.#held.add({ workspaceId }, bytes - (entry.held ?? 0))
    entry.held = bytes
  }

  /**
   * The bytes of a result, as the last one had. A quarter of the memory at most, so that a workspace whose pages are large
   * can begin to read beside an answer that is not sent.
   */
  #expect(entry: Entry): number {
    const size = entry.isPage() && this.#sizes.size > 0 ? this.#sizes.get(toPlace(entry.context)) : undefined
    return Math.min(size ?? memoryStep, this.#bytesMax / 4)
  }

  #noteSize(entry: Entry): void {
    if (!entry.isPage()) return
    if (entry.bytes > memoryStep) this.#sizes.set(toPlace(entry.context), entry.bytes)
    else if (this.#sizes.size > 0) this.#sizes.delete(toPlace(entry.context))
  }
}

function toPlace({ workspaceId = '', table = '' }: QueryContext): string {
  return `${table} ${workspaceId}`
}
