import { ShortLivedMap } from '../values/short-lived.js'
import { databaseUnavailable, overloaded } from './errors.js'
import type { Host, HostQueryContext } from './hosts.js'
import type { Caller, Meter, Statement } from './statement.js'

/** One who waits for a result. */
export interface Member {
  readonly statement: Statement<unknown>
  readonly caller: Caller | undefined
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  entry: Entry | undefined
}

/** Where an entry finds memory for its rows; see `Memory`. */
interface RowMemory {
  readonly grow: (entry: Entry, bytes: number, resume: () => void) => boolean | 'never'
}

/** A statement that waits or runs, for one or several members. It counts its own rows while they arrive. */
export class Entry implements Meter {
  readonly members: Member[]
  readonly context: HostQueryContext
  state: 'waiting' | 'running' | 'over' = 'over'
  /** Members whose answers have not ended. */
  present: number
  /** Under which others can join it while it waits. */
  key: string | undefined = undefined
  /** The hosts where it does not run again. */
  tried: Set<Host> | undefined = undefined
  /** When it was sent to a second host, by `performance.now()`. */
  sentAgainAt: number | undefined = undefined
  /** Of the time that it waits. */
  deadline: NodeJS.Timeout | undefined = undefined
  /** The bytes of its result until now. */
  bytes = 0
  /** Whether it waits for memory rather than for a slot. */
  lacksMemory = false
  /** The bytes that it holds in the memory for results; undefined where it has no place there. */
  held: number | undefined = undefined
  /** Set while reading waits for memory: what it needs, and how it goes on. */
  paused: { readonly bytes: number; readonly resume: () => void } | undefined = undefined
  /** When the last row had arrived, by `performance.now()`. */
  settledAt: number | undefined = undefined
  /** What runs in place of a statement. */
  readonly task: (() => Promise<unknown>) | undefined
  readonly #memory: RowMemory

  /** An entry that neither waits nor runs. */
  constructor(
    members: Member[],
    context: HostQueryContext,
    memory: RowMemory,
    task?: () => Promise<unknown>,
  ) {
    this.members = members
    this.context = context
    this.present = members.length
    this.#memory = memory
    this.task = task
    for (const member of members) member.entry = this
  }

  /** Ends the statement where there is no memory and all callers have left. */
  count(bytes: number, resume: () => void): boolean {
    this.bytes = bytes
    const mayGo = this.held === undefined || this.#memory.grow(this, bytes, resume)
    if (mayGo === 'never') throw createTooLarge(this.context, bytes)
    if (!mayGo && this.present === 0) throw overloaded()
    return mayGo
  }

  /** Lets it read on where it waits for memory: where it has none, it asks again. */
  resume(): void {
    const { paused } = this
    this.paused = undefined
    paused?.resume()
  }

  /** Whether it is read together with others of its batch. */
  isBatched(): boolean {
    return this.members[0]?.statement.batch !== undefined
  }

  /** Whether it is a page: any other statement that is read by itself, such as one of parent rows, is small. */
  isPage(): boolean {
    return !this.isBatched() && this.members[0]?.statement.createReader !== undefined
  }

  /** The bytes that its answers hold until they are sent. */
  countHeld(): number {
    // Each member makes an answer of its own from the rows; in a batch, each has rows of its own.
    return this.bytes * (this.isBatched() ? Math.min(this.present, 1) : this.present)
  }

  /** Rejects all members. */
  reject(error: unknown): void {
    for (const { reject } of this.members) reject(error)
  }

  /** Ends the answers that are not sent yet. */
  dropAnswers(): void {
    for (const { caller } of this.members) if (caller?.hasEnded() === false) caller.drop()
  }
}

/** The statement that reads what all members ask for. */
export function mergeStatements([first, ...others]: readonly Member[]): Statement<unknown> {
  if (first === undefined) throw new Error('A statement has at least one member')
  const { statement } = first
  if (others.length === 0 || statement.batch === undefined) return statement
  return statement.batch.merge([statement, ...others.map((member) => member.statement)])
}

/** The same for statements that are shared while they wait. */
export function toKey({ sql, values, batch }: Statement<unknown>): string {
  return batch?.key ?? JSON.stringify(values) + sql
}

/** The error of a statement that waited for a slot for too long. */
export function createTimedOut(): Error {
  return databaseUnavailable(new Error('No statement ended in time to make room for another'))
}

function createTooLarge({ table, workspaceId }: HostQueryContext, bytes: number): Error {
  const what = `A page of ${String(table)} for the workspace ${String(workspaceId)}`
  return overloaded(new Error(`${what} has more than ${bytes} bytes, which is beyond the memory for one`))
}

/** How long a batch waits for the statement before it, in milliseconds: that one may wait for a lock. */
const batchDelayMaxMs = 20

/** The batches of which a statement was sent, so that the next one waits for it. */
interface SentBatches {
  /** Whether the entry waits for another one of its batch. */
  readonly isSent: (entry: Entry) => boolean
  readonly noteSent: (entry: Entry) => void
  readonly noteEnd: (entry: Entry) => void
}

/** No batch was sent. @param onDelayed called when the next statement of a batch does not wait any longer. */
export function createSentBatches(onDelayed: () => void): SentBatches {
  const batches = new ShortLivedMap<string, { readonly entry: Entry; readonly delay: NodeJS.Timeout }>()
  const toKey = ({ members: [first] }: Entry): string | undefined => first?.statement.batch?.key
  return {
    isSent: (entry) => {
      const key = toKey(entry)
      return key !== undefined && batches.get(key) !== undefined
    },
    noteSent: (entry) => {
      const key = toKey(entry)
      if (key === undefined) return
      clearTimeout(batches.get(key)?.delay)
      const delay = setTimeout(() => {
        batches.delete(key)
        onDelayed()
      }, batchDelayMaxMs)
      batches.set(key, { entry, delay })
    },
    noteEnd: (entry) => {
      const key = toKey(entry)
      const sent = key === undefined ? undefined : batches.get(key)
      if (key === undefined || sent?.entry !== entry) return
      clearTimeout(sent.delay)
      batches.delete(key)
    },
  }
}
