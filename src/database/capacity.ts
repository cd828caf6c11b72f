import { countHeld, dropAnswers, isBatched } from './entry.js'
import type { Entry } from './entry.js'
import type { Host } from './hosts.js'
import { createPageSizes, Memory, memoryStep, resume } from './memory.js'
import { createSlots } from './slots.js'
import type { Slots } from './slots.js'

/** The slots and the memory that there are. */
export interface CapacityConfig {
  readonly hosts: readonly Host[]
  /** The longest time that a statement waits, in milliseconds. */
  readonly queryTimeoutMs: number
  /** The most bytes of all results, and of one; see `Memory`. */
  readonly resultBytesMax: number
  readonly oneResultBytesMax: number
}

/** What a statement takes to run: a slot of a host until it is answered, and memory until its answers are sent. */
export class Capacity {
  readonly slots: Slots
  readonly memory: Memory
  readonly #queryTimeoutMs: number
  readonly #sizes = createPageSizes()

  constructor({ hosts, resultBytesMax, oneResultBytesMax, queryTimeoutMs }: CapacityConfig) {
    this.slots = createSlots(hosts)
    this.memory = new Memory(resultBytesMax, oneResultBytesMax)
    this.#queryTimeoutMs = queryTimeoutMs
  }

  /** Takes both, or none. Statements of no workspace need no memory. */
  take(entry: Entry): Host | undefined {
    const { context, tried } = entry
    if (context.workspaceId === undefined) return this.slots.take(context, tried)
    const expected = this.#expect(entry)
    entry.lacksMemory = !this.memory.hasRoom(context, expected)
    if (entry.lacksMemory) return undefined
    const host = this.slots.take(context, tried)
    if (host !== undefined) entry.hold = this.memory.hold(toOwner(entry), expected)
    return host
  }

  /** The same in place of answers that were not read within the time limit. */
  takeInstead(entry: Entry): Host | undefined {
    const { context, tried } = entry
    const host = this.slots.take(context, tried)
    if (host === undefined) return undefined
    const settledBefore = performance.now() - this.#queryTimeoutMs
    entry.hold = this.memory.holdInstead(toOwner(entry), this.#expect(entry), settledBefore)
    if (entry.hold !== undefined) return host
    this.slots.giveBack(host, context)
    return undefined
  }

  /** No more rows arrive: the memory of a result is held until its answers are sent. */
  settle(entry: Entry): void {
    if (entry.hold !== undefined) this.memory.settle(entry.hold, countHeld(entry))
    if (entry.present === 0) entry.hold = undefined
  }

  /** The statement has failed, and holds no memory. */
  release(entry: Entry): void {
    if (entry.hold !== undefined) this.memory.settle(entry.hold, 0)
    entry.hold = undefined
  }

  /** Lets a statement that waits for memory find that all its callers have left. */
  wake({ hold }: Entry): void {
    if (hold !== undefined) resume(hold)
  }

  /** Notes how large the result of a statement was. */
  noteSize(entry: Entry): void {
    if (!isBatched(entry)) this.#sizes.note(entry.context, entry.bytes)
  }

  /** The bytes of a result, as the last one had. */
  #expect(entry: Entry): number {
    return isBatched(entry) ? memoryStep : this.#sizes.expect(entry.context)
  }
}

function toOwner(entry: Entry): Parameters<Memory['hold']>[0] {
  return {
    context: entry.context,
    drop: () => {
      dropAnswers(entry)
    },
  }
}
