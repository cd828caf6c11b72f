import { databaseUnavailable, overloaded } from './errors.js'
import type { QueryContext } from './statement.js'

/** How many statements run at once, and what else they share. */
interface SlotsConfig {
  readonly size: number
  /** The most statements that wait. */
  readonly queueLimit: number
  /** The longest time that a statement waits, in milliseconds. */
  readonly waitMs: number
  /** The most bytes of answers that were not sent, beyond which no further page is read. */
  readonly bytesMax: number
}

interface Queued {
  readonly context: QueryContext
  readonly start: () => void
  /** The error is made only where it still waits: most end with their request. */
  readonly reject: (createError: () => Error) => void
}

/** One table, which may be locked, takes at most this part of the slots. */
const tableShare = 0.8

/**
 * The slots of the pool. A statement without a slot waits, in one queue with one limit and one deadline, and is dropped when
 * its caller leaves. A free slot goes to the workspace that holds the fewest, in the order of its requests.
 */
export class Slots {
  readonly #config: SlotsConfig
  readonly #queue: Queued[] = []
  readonly #ofWorkspaces = new Map<string | undefined, number>()
  readonly #ofTables = new Map<string | undefined, number>()
  #active = 0
  #bytes = 0

  /** No statement runs. */
  constructor(config: SlotsConfig) {
    this.#config = config
  }

  /** Runs a task in a slot. @throws Problem `overloaded` or `database_unavailable` where it gets none. */
  async run<Result>(context: QueryContext, task: () => Promise<Result>): Promise<Result> {
    const turn = this.#take(context)
    if (turn !== undefined) await turn
    try {
      return await task()
    } finally {
      this.#count(context, -1)
      this.#startNext()
    }
  }

  /** Counts the bytes of an answer until its caller has it, or has left. */
  hold(bytes: number, { caller }: QueryContext): void {
    if (caller === undefined || caller.hasEnded()) return
    this.#bytes += bytes
    caller.onEnd(() => {
      this.#bytes -= bytes
      this.#startNext()
    })
  }

  /** For the metrics. */
  measure(): { readonly active: number; readonly waiting: number; readonly bytes: number } {
    return { active: this.#active, waiting: this.#queue.length, bytes: this.#bytes }
  }

  #take(context: QueryContext): Promise<void> | undefined {
    const { caller } = context
    if (caller?.hasEnded() === true) throw overloaded()
    if (this.#hasRoom(context)) {
      this.#count(context, 1)
      return undefined
    }
    this.#makeRoom(context)
    return new Promise((resolve, reject) => {
      const leave = (createError: () => Error): void => {
        const at = this.#queue.indexOf(queued)
        if (at === -1) return
        this.#queue.splice(at, 1)
        clearTimeout(timer)
        reject(createError())
      }
      const timer = setTimeout(() => {
        leave(() => databaseUnavailable(new Error('No statement ended in time to make room for another')))
      }, this.#config.waitMs).unref()
      const start = (): void => {
        clearTimeout(timer)
        this.#count(context, 1)
        resolve()
      }
      const queued = { context, start, reject: leave }
      this.#queue.push(queued)
      caller?.onEnd(() => {
        leave(overloaded)
      })
    })
  }

  #hasRoom({ workspaceId, table }: QueryContext): boolean {
    const { size, bytesMax } = this.#config
    if (this.#active >= size || (workspaceId !== undefined && this.#bytes >= bytesMax)) return false
    return table === undefined || (this.#ofTables.get(table) ?? 0) < Math.ceil(size * tableShare)
  }

  #startNext(): void {
    while (this.#queue.length > 0) {
      let next = -1
      let fewest = Infinity
      for (const [at, { context }] of this.#queue.entries()) {
        const held = this.#ofWorkspaces.get(context.workspaceId) ?? 0
        if (held >= fewest || !this.#hasRoom(context)) continue
        next = at
        fewest = held
      }
      const [queued] = next === -1 ? [] : this.#queue.splice(next, 1)
      if (queued === undefined) return
      queued.start()
    }
  }

  /** A full queue drops the newest statement of the workspace with the most for one with fewer. @throws Problem `overloaded` */
  #makeRoom({ workspaceId }: QueryContext): void {
    if (this.#queue.length < this.#config.queueLimit) return
    const counts = new Map<string | undefined, number>()
    for (const { context } of this.#queue)
      counts.set(context.workspaceId, (counts.get(context.workspaceId) ?? 0) + 1)
    const [[largest, most] = [undefined, 0]] = [...counts].sort(([, one], [, other]) => other - one)
    if (most <= (counts.get(workspaceId) ?? 0) + 1) throw overloaded()
    this.#queue.findLast(({ context }) => context.workspaceId === largest)?.reject(overloaded)
  }

  #count({ workspaceId, table }: QueryContext, by: 1 | -1): void {
    this.#active += by
    add(this.#ofWorkspaces, workspaceId, by)
    if (table !== undefined) add(this.#ofTables, table, by)
  }
}

function add(counts: Map<string | undefined, number>, key: string | undefined, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
