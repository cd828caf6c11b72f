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
  /** Milliseconds of a clock that never steps back. */
  readonly clock?: () => number
}

/** Runs in a slot, and calls its argument when the slot is free again. */
type Task = (onEnd: () => void) => void

interface Entry {
  readonly context: QueryContext
  readonly start: () => void
  /** The error is made only where the entry still waits: most entries end with their request. */
  readonly reject: (createError: () => Error) => void
}

/** One table, which may be locked, takes at most this part of the slots; it leaves one of several in any case. */
const tableShare = 0.9
/** While other workspaces ask, one workspace takes at most this part of the slots. */
const workspaceShare = 0.5
/** The closes of callers who leave together are read within this time, in milliseconds. */
const leavingMs = 100

/**
 * The slots of the pool. A statement without a slot waits, in one queue with one limit and one deadline, and is dropped if its
 * caller leaves. A free slot goes to the workspace that holds the fewest, in the order of its requests.
 */
export class Slots {
  readonly #config: SlotsConfig
  readonly #clock: () => number
  readonly #queue: Entry[] = []
  readonly #ofWorkspaces = new Map<string, number>()
  readonly #ofTables = new Map<string, number>()
  readonly #bytesOfWorkspaces = new Map<string, number>()
  #active = 0
  #bytes = 0
  /** The workspace of the last request, and when one came that was not of the workspace of the request before. */
  #lastWorkspace: string | undefined
  #changedAt = -Infinity
  /** When a caller was last found to have left. */
  #leftAt = -Infinity

  /** No statement runs. */
  constructor(config: SlotsConfig) {
    this.#config = config
    this.#clock = config.clock ?? (() => performance.now())
  }

  /**
   * Runs a task in a slot, at once where one is free.
   *
   * @param onReject receives a Problem, `overloaded` or `database_unavailable`, where the task gets no slot.
   */
  run(context: QueryContext, task: Task, onReject: (error: Error) => void): void {
    const { workspaceId } = context
    if (this.#hasLeft(context)) {
      onReject(overloaded())
      return
    }
    if (workspaceId !== undefined && workspaceId !== this.#lastWorkspace) {
      if (this.#lastWorkspace !== undefined) this.#changedAt = this.#clock()
      this.#lastWorkspace = workspaceId
    }
    if (this.#hasRoom(context)) this.#start(context, task, onReject)
    else if (this.#makeRoom(context)) this.#enqueue(context, task, onReject)
    else onReject(overloaded())
  }

  /** Counts the bytes of an answer until it ends: its caller has it, or has left. */
  hold(bytes: number, workspaceId: string, onEnd: (task: () => void) => void): void {
    const count = (by: number): void => {
      this.#bytes += by
      add(this.#bytesOfWorkspaces, workspaceId, by)
    }
    count(bytes)
    onEnd(() => {
      count(-bytes)
      this.#startNext()
    })
  }

  /** For the metrics. */
  measure(): { readonly active: number; readonly waiting: number; readonly bytes: number } {
    return { active: this.#active, waiting: this.#dropLeft(), bytes: this.#bytes }
  }

  /**
   * A close is behind the request in the socket, so at full load the request is read first. Just after a caller has left, a
   * statement begins after a turn of the event loop, which reads the closes of others.
   */
  #start(context: QueryContext, task: Task, onReject: (error: Error) => void): void {
    this.#count(context, 1)
    const end = (): void => {
      this.#count(context, -1)
      if (this.#queue.length > 0) this.#startNext()
    }
    const begin = (): void => {
      if (this.#hasLeft(context)) {
        end()
        onReject(overloaded())
      } else
        task(() => {
          this.#hasLeft(context)
          end()
        })
    }
    if (context.caller === undefined || this.#clock() - this.#leftAt >= leavingMs) begin()
    // The second one begins behind a whole phase in which sockets are read.
    else setImmediate(() => setImmediate(begin))
  }

  #hasLeft({ caller }: QueryContext): boolean {
    if (caller?.hasEnded() !== true) return false
    this.#leftAt = this.#clock()
    return true
  }

  #enqueue(context: QueryContext, task: Task, onReject: (error: Error) => void): void {
    const leave = (createError: () => Error): void => {
      const at = this.#queue.indexOf(entry)
      if (at === -1) return
      this.#queue.splice(at, 1)
      clearTimeout(timer)
      onReject(createError())
    }
    const timer = setTimeout(() => {
      leave(() => databaseUnavailable(new Error('No statement ended in time to make room for another')))
    }, this.#config.waitMs).unref()
    const start = (): void => {
      clearTimeout(timer)
      this.#start(context, task, onReject)
    }
    const entry = { context, start, reject: leave }
    this.#queue.push(entry)
  }

  /** Those whose caller has left take no slot, and no room of others. @returns how many wait after that */
  #dropLeft(): number {
    for (const { context, reject } of [...this.#queue]) if (this.#hasLeft(context)) reject(overloaded)
    return this.#queue.length
  }

  #hasRoom({ workspaceId, table }: QueryContext): boolean {
    const { size, bytesMax } = this.#config
    if (this.#active >= size) return false
    if ((this.#ofTables.get(table ?? '') ?? 0) >= Math.max(1, Math.floor(size * tableShare))) return false
    if (workspaceId === undefined) return true
    // A workspace holds less than half of what is left, so that its pages under way cannot fill the rest: others have room.
    if (2 * (this.#bytesOfWorkspaces.get(workspaceId) ?? 0) >= bytesMax - this.#bytes) return false
    const held = this.#ofWorkspaces.get(workspaceId) ?? 0
    return held < Math.ceil(size * workspaceShare) || !this.#isShared()
  }

  /** Whether several workspaces have asked for something within the longest time that a statement waits. */
  #isShared(): boolean {
    return this.#clock() - this.#changedAt < this.#config.waitMs
  }

  #startNext(): void {
    this.#dropLeft()
    while (this.#active < this.#config.size) {
      let next = -1
      let fewest = Infinity
      for (const [at, { context }] of this.#queue.entries()) {
        const held = this.#ofWorkspaces.get(context.workspaceId ?? '') ?? 0
        if (held >= fewest || !this.#hasRoom(context)) continue
        next = at
        fewest = held
      }
      const [entry] = next === -1 ? [] : this.#queue.splice(next, 1)
      if (entry === undefined) return
      entry.start()
    }
  }

  /** Whether there is room in the queue; a full one drops the newest statement of the workspace with the most for one with fewer. */
  #makeRoom({ workspaceId }: QueryContext): boolean {
    const { queueLimit } = this.#config
    if (this.#queue.length < queueLimit || this.#dropLeft() < queueLimit) return true
    const counts = new Map<string | undefined, number>()
    for (const { context } of this.#queue)
      counts.set(context.workspaceId, (counts.get(context.workspaceId) ?? 0) + 1)
    const [[largest, most] = [undefined, 0]] = [...counts].sort(([, one], [, other]) => other - one)
    if (most <= (counts.get(workspaceId) ?? 0) + 1) return false
    this.#queue.findLast(({ context }) => context.workspaceId === largest)?.reject(overloaded)
    return true
  }

  #count({ workspaceId, table }: QueryContext, by: 1 | -1): void {
    this.#active += by
    if (workspaceId !== undefined) add(this.#ofWorkspaces, workspaceId, by)
    if (table !== undefined) add(this.#ofTables, table, by)
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
