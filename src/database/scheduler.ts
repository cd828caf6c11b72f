import { Problem } from '../errors.js'
import { ShortLivedMap } from '../values/short-lived.js'
import { createSentBatches, createTimedOut, Entry, mergeStatements, toKey } from './entry.js'
import type { Member } from './entry.js'
import { isOverloaded, overloaded } from './errors.js'
import { hasOtherHost } from './hosts.js'
import type { Host, HostQueryContext } from './hosts.js'
import { Memory, memoryStep } from './memory.js'
import { createSlots } from './slots.js'
import type { Slots } from './slots.js'
import { batchSizeMax } from './statement.js'
import type { Meter, Statement } from './statement.js'
import { createWaiting } from './waiting.js'

/** The hosts, how a statement runs at one of them, and the limits. */
export interface SchedulerConfig {
  readonly hosts: readonly Host[]
  readonly run: (host: Host, statement: Statement<unknown>, meter: Meter) => Promise<unknown>
  /** The longest time that a statement waits, in milliseconds. */
  readonly queryTimeoutMs: number
  /** The most bytes of all results, and of one; see `Memory`. */
  readonly resultBytesMax: number
  readonly oneResultBytesMax: number
  /** The most statements that wait. */
  readonly queueLimit: number
}

/**
 * Decides when each statement runs, and at which host. A statement starts at once where there is a slot of a host and
 * memory for its result. Otherwise it waits, in one queue with one limit and one deadline, until both are there; it is
 * dropped when its callers have left. A free slot goes to the workspace that holds the fewest, in the order of its requests.
 *
 * Statements that wait are shared: those with the same text and values are sent once, and those of a batch are read by one
 * statement. So callers who repeat a request because the database is slow do not make it slower. A statement that was sent
 * is never shared, so no answer is older than its request.
 *
 * After an error a statement runs at another host, also after an error of the statement itself, since a replica can lack a
 * table. The second host is always tried, because a locked table can take the whole time limit at the first one; further
 * hosts are tried only while the time limit has not passed since the statement was sent to the second one.
 */
export class Scheduler {
  readonly #config: SchedulerConfig
  readonly #slots: Slots
  readonly #memory: Memory
  readonly #waiting
  /** The entries that others can join, by their keys. */
  readonly #joinable = new ShortLivedMap<string, Entry>()
  readonly #batches = createSentBatches(() => {
    this.startWaiting()
  })

  /** Nothing waits or runs. */
  constructor(config: SchedulerConfig) {
    this.#config = config
    this.#slots = createSlots(config.hosts)
    this.#memory = new Memory(config.resultBytesMax, config.oneResultBytesMax)
    this.#waiting = createWaiting<Entry>(config.queueLimit)
  }

  /**
   * Runs a statement.
   *
   * @throws Problem `overloaded` where the queue or the memory has no room or the caller has left, `database_unavailable`
   *   where no slot became free in time; the error of the last host otherwise.
   */
  run<Result>(statement: Statement<Result>, context: HostQueryContext = {}): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { caller } = context
      if (caller?.hasEnded() === true) {
        reject(overloaded())
        return
      }
      const member: Member = { statement, caller, resolve, reject, entry: undefined }
      this.#slots.noteWorkspace(context.workspaceId)
      if (!this.#join(member, context)) this.#submit(new Entry([member], context, this.#memory))
      caller?.onEnd(() => {
        this.#leave(member)
      })
    })
  }

  /** Runs a task in a slot of a host. It is not repeated, and it waits beyond the limit of requests. @throws as `run`. */
  runTask<Result>(host: Host, task: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const statement = { sql: '', values: [] }
      const member = { statement, caller: undefined, resolve, reject, entry: undefined }
      const entry = new Entry([member], { freshest: true }, this.#memory, task)
      entry.tried = new Set(this.#config.hosts.filter((other) => other !== host))
      this.#submit(entry)
    })
  }

  /** Starts waiting statements after slots became free, as when a host is healthy again. */
  startWaiting(): void {
    let host: Host | undefined
    const take = (entry: Entry): boolean => {
      host = this.#batches.isSent(entry) ? undefined : this.#takeHost(entry)
      return host !== undefined
    }
    // Most statements that wait are on one table, which has its share of the slots: then none of them is looked at.
    while (!this.#slots.areTaken(this.#waiting.listTables())) {
      const entry = this.#waiting.findNext(take, this.#slots.hasShare)
      if (entry === undefined || host === undefined) return
      this.#dequeue(entry)
      this.#start(entry, host)
    }
  }

  /** The number of waiting statements. */
  countWaiting(): number {
    return this.#waiting.size()
  }

  /** The bytes of the results that are being read, or whose answers have not ended. */
  countBytes(): number {
    return this.#memory.total()
  }

  /** Adds a member to a waiting statement. @returns whether there is one. */
  #join(member: Member, { freshest = false }: HostQueryContext): boolean {
    if (freshest || this.#joinable.size === 0) return false
    const entry = this.#joinable.get(toKey(member.statement))
    if (entry === undefined || entry.members.length >= batchSizeMax) return false
    member.entry = entry
    entry.members.push(member)
    entry.present += 1
    return true
  }

  /** Starts a new entry, or lets it wait. */
  #submit(entry: Entry): void {
    const { context } = entry
    // Where nothing can wait, nothing waits for a batch.
    const isSent = this.#waiting.hasRoom(context) && this.#batches.isSent(entry)
    const host = isSent ? undefined : this.#takeHost(entry)
    if (host !== undefined) this.#start(entry, host)
    else if (entry.task !== undefined || this.#makeRoom(context)) this.#enqueue(entry, 'last')
    else entry.reject(overloaded())
  }

  /** Takes a slot and memory, or none of them. */
  #takeHost(entry: Entry): Host | undefined {
    entry.lacksMemory = !this.#memory.hasRoom(entry)
    const host = entry.lacksMemory ? undefined : this.#slots.take(entry.context, entry.tried)
    if (host !== undefined) this.#memory.take(entry)
    return host
  }

  /** The same in place of answers that were not read within the time limit. */
  #takeInstead(entry: Entry): Host | undefined {
    const host = this.#slots.take(entry.context, entry.tried)
    const settledBefore = performance.now() - this.#config.queryTimeoutMs
    if (host === undefined || this.#memory.takeInstead(entry, settledBefore)) return host
    this.#slots.giveBack(host, entry.context)
    return undefined
  }

  #start(entry: Entry, host: Host): void {
    entry.state = 'running'
    entry.bytes = 0
    if (entry.tried?.size === 1) entry.sentAgainAt = performance.now()
    this.#waiting.hold(entry.context, 1)
    this.#batches.noteSent(entry)
    const running = entry.task?.() ?? this.#config.run(host, mergeStatements(entry.members), entry)
    running.then(
      (result) => {
        this.#end(entry, host)
        this.#succeed(entry, result)
        this.startWaiting()
      },
      (error: unknown) => {
        this.#end(entry, host)
        this.#fail(entry, host, error)
        this.startWaiting()
      },
    )
  }

  #end(entry: Entry, host: Host): void {
    entry.state = 'over'
    this.#slots.giveBack(host, entry.context)
    this.#waiting.hold(entry.context, -1)
    this.#batches.noteEnd(entry)
  }

  #succeed(entry: Entry, result: unknown): void {
    const { members } = entry
    // Each member makes an answer of its own from a large result, and so each of them holds the memory for one.
    if (!entry.isBatched() && entry.bytes > memoryStep) this.#separate(entry, members.splice(1))
    for (const member of members) {
      member.resolve(result as never)
      if (member.caller === undefined) entry.present -= 1
    }
    this.#memory.settle(entry)
  }

  #fail(entry: Entry, host: Host, failure: unknown): void {
    const { members } = entry
    const error = entry.paused === undefined ? failure : overloaded(failure)
    const isOfMemory = isOverloaded(error)
    this.#memory.release(entry)
    const isOfOneMember =
      members.length > 1 && entry.isBatched() && (isOfMemory || !(error instanceof Problem))
    if (!isOfMemory && this.#canRunAgain(entry, host, error)) this.#runAgain(entry)
    else if (isOfOneMember)
      // The server may reject the id of one member, which must not fail the others.
      this.#separate(entry, members.splice(0))
    else entry.reject(error)
  }

  /** Notes that a statement failed at a host. @returns whether it runs at another one. */
  #canRunAgain(entry: Entry, host: Host, error: unknown): boolean {
    const { hosts, queryTimeoutMs } = this.#config
    if (hosts.length === 1 || entry.present === 0) return false
    // Any other error is of the statement and says nothing of the host.
    if (error instanceof Problem) host.health.noteError()
    entry.tried ??= new Set()
    entry.tried.add(host)
    const isLate = entry.sentAgainAt !== undefined && performance.now() - entry.sentAgainAt > queryTimeoutMs
    return !isLate && hasOtherHost(hosts, entry.tried)
  }

  /** At once, or before all others of its workspace, whether or not the queue is full. */
  #runAgain(entry: Entry): void {
    const host = this.#takeHost(entry)
    if (host === undefined) this.#enqueue(entry, 'first')
    else this.#start(entry, host)
  }

  /** Runs a statement for each of some members. */
  #separate(entry: Entry, members: Member[]): void {
    for (const member of members.reverse()) {
      const hasEnded = member.caller?.hasEnded() === true
      if (!hasEnded) entry.present -= 1
      member.entry = undefined
      if (hasEnded || !this.#makeRoom(entry.context)) member.reject(overloaded())
      else this.#enqueue(new Entry([member], entry.context, this.#memory), 'first', false)
    }
  }

  #enqueue(entry: Entry, position: 'first' | 'last', isJoinable = entry.tried === undefined): void {
    entry.state = 'waiting'
    entry.deadline = setTimeout(() => {
      this.#dequeue(entry)
      const host = entry.lacksMemory ? this.#takeInstead(entry) : undefined
      if (host !== undefined) this.#start(entry, host)
      else entry.reject(entry.lacksMemory ? overloaded() : createTimedOut())
    }, this.#config.queryTimeoutMs).unref()
    this.#waiting.add(entry, position)
    const [first] = entry.members
    if (!isJoinable || entry.context.freshest === true || first === undefined) return
    entry.key = toKey(first.statement)
    this.#joinable.set(entry.key, entry)
  }

  #dequeue(entry: Entry): void {
    entry.state = 'over'
    clearTimeout(entry.deadline)
    this.#waiting.remove(entry)
    if (entry.key !== undefined && this.#joinable.get(entry.key) === entry) this.#joinable.delete(entry.key)
  }

  #drop(entry: Entry, error: Error): void {
    this.#dequeue(entry)
    entry.reject(error)
  }

  /** Whether one more entry may wait; a full queue drops the newest one of the largest workspace for a smaller one. */
  #makeRoom(context: HostQueryContext): boolean {
    if (this.#waiting.hasRoom(context)) return true
    const displaced = this.#waiting.findDisplaced(context)
    if (displaced !== undefined) this.#drop(displaced, overloaded())
    return this.#waiting.hasRoom(context)
  }

  /** The answer of a member has ended. */
  #leave({ entry }: Member): void {
    if (entry === undefined) return
    entry.present -= 1
    if (entry.state === 'over' && entry.held !== undefined) {
      this.#memory.settle(entry)
      this.startWaiting()
    }
    if (entry.present > 0) return
    if (entry.state === 'waiting') this.#drop(entry, overloaded())
    else if (entry.state === 'running') entry.resume()
  }
}
