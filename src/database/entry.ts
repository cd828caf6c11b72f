import { databaseUnavailable, overloaded } from './errors.js'
import type { Host, HostQueryContext } from './hosts.js'
import type { Hold, Memory } from './memory.js'
import type { Caller, Meter, Statement } from './statement.js'

/** One who waits for a result. */
export interface Member {
  readonly statement: Statement<unknown>
  readonly caller: Caller | undefined
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  entry: Entry | undefined
}

/** A statement that waits or runs, for one or several members. */
export interface Entry {
  readonly context: HostQueryContext
  readonly members: Member[]
  readonly run: (entry: Entry, host: Host) => Promise<unknown>
  state: 'waiting' | 'running' | 'over'
  /** Members whose answers have not ended. */
  present: number
  /** Under which others can join it while it waits. */
  key: string | undefined
  /** The hosts where it does not run again. */
  tried: Set<Host> | undefined
  /** When it was sent to a second host, by `performance.now()`. */
  sentAgainAt: number | undefined
  /** Of the time that it waits. */
  deadline: NodeJS.Timeout | undefined
  hold: Hold | undefined
  /** The bytes of its result until now. */
  bytes: number
  /** Whether it waits for memory rather than for a slot. */
  lacksMemory: boolean
}

/** An entry that neither waits nor runs. */
export function createEntry(members: Member[], context: HostQueryContext, run: Entry['run']): Entry {
  const entry: Entry = {
    context,
    members,
    run,
    state: 'over',
    present: members.length,
    key: undefined,
    tried: undefined,
    sentAgainAt: undefined,
    deadline: undefined,
    hold: undefined,
    bytes: 0,
    lacksMemory: false,
  }
  for (const member of members) member.entry = entry
  return entry
}

/** Whether it is read together with others of its batch. */
export function isBatched({ members: [first] }: Entry): boolean {
  return first?.statement.batch !== undefined
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
  return batch?.key ?? JSON.stringify([sql, values])
}

/** Rejects all members. */
export function rejectMembers({ members }: Entry, error: unknown): void {
  for (const { reject } of members) reject(error)
}

/** The error of a statement that waited for a slot for too long. */
export function createTimedOut(): Error {
  return databaseUnavailable(new Error('No statement ended in time to make room for another'))
}

/** Counts the rows of an entry, and ends it where there is no memory and all callers have left. */
export function createMeter(entry: Entry, memory: Memory): Meter {
  return {
    count: (bytes, resume) => {
      entry.bytes = bytes
      const { hold } = entry
      const mayGo = hold === undefined || memory.grow(hold, bytes, resume)
      if (mayGo === 'never') throw createTooLarge(entry.context, bytes)
      if (!mayGo && entry.present === 0) throw overloaded()
      return mayGo
    },
  }
}

function createTooLarge({ table, workspaceId }: HostQueryContext, bytes: number): Error {
  const what = `A page of ${String(table)} for the workspace ${String(workspaceId)}`
  return overloaded(new Error(`${what} has more than ${bytes} bytes, which is beyond the memory for one`))
}

/** The bytes that the answers of an entry hold until they are sent. */
export function countHeld(entry: Entry): number {
  // Each member makes an answer of its own from the rows; in a batch, each has rows of its own.
  return entry.bytes * (isBatched(entry) ? Math.min(entry.present, 1) : entry.present)
}

/** Ends the answers of an entry that are not sent yet. */
export function dropAnswers({ members }: Entry): void {
  for (const { caller } of members) if (caller?.hasEnded() === false) caller.drop()
}
