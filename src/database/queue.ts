import { createBulkhead } from './bulkhead.js'
import type { Bulkhead } from './bulkhead.js'
import { isDisconnected } from './statement.js'
import type { QueryContext } from './statement.js'

/** The slots that a queue hands out. */
export interface Slots<Slot, Context extends QueryContext> {
  /** Takes a free slot; undefined where none suits the context. */
  readonly take: (context: Context) => Slot | undefined
  readonly giveBack: (slot: Slot, context: Context) => void
  readonly hasSlot: (context: Context) => boolean
  /** Whether no slot is free for any context. */
  readonly isFull: () => boolean
  /** The number of slots that the workspace of the context holds. */
  readonly countHeld: (context: Context) => number
}

/** Runs tasks as slots become free, and keeps a bounded number of tasks in the queue. */
export interface Queue<Slot, Context extends QueryContext> {
  /** Runs a task when there is a slot for it. @throws what `overloaded` or `timedOut` makes; the task did not run. */
  readonly run: <Result>(context: Context, task: Task<Slot, Result>) => Promise<Result>
  /** The same for a task that ran before: it comes first in its workspace, whether or not the queue is full. */
  readonly runNext: <Result>(context: Context, task: Task<Slot, Result>) => Promise<Result>
  /** Whether a task would run at once. */
  readonly hasSlot: (context: Context) => boolean
  /** Runs the tasks for which slots became free by themselves. */
  readonly admit: () => void
  readonly size: () => number
}

type Task<Slot, Result> = (slot: Slot) => Promise<Result>

/** The slots, the limits of the queue, and the errors of tasks that do not run. */
export interface QueueConfig<Slot, Context extends QueryContext> {
  readonly slots: Slots<Slot, Context>
  /** The greatest number of tasks in the queue; see `Bulkhead` for the share of a table. */
  readonly limit: number
  /** The longest time that a task stays in the queue, in milliseconds: slots can be held for long. */
  readonly waitMs: number
  /** The error of a task for which the queue has no room, and of one whose caller has disconnected. */
  readonly overloaded: () => Error
  /** The error of a task that stayed in the queue for too long. */
  readonly timedOut: () => Error
}

/** A task in the queue. */
interface Entry<Slot, Context> {
  readonly context: Context
  readonly start: (slot: Slot) => void
  readonly reject: (error: Error) => void
  /** By `performance.now()`. */
  readonly until: number
}

/**
 * A queue before a limited resource. A free slot goes to the workspace that holds the fewest slots; workspaces that
 * hold the same number take turns. The tasks of one workspace start in order.
 *
 * The queue of the driver's pool is not used, because its error has no code, and entries cannot be seen or removed.
 */
export function createQueue<Slot, Context extends QueryContext>(
  config: QueueConfig<Slot, Context>,
): Queue<Slot, Context> {
  type One = Entry<Slot, Context>
  const { slots, waitMs, overloaded, timedOut } = config
  const entries = createEntries<One>(config.limit, overloaded)
  const watchTime = createTimer(entries.list, (late) => {
    entries.rejectAll(late, timedOut)
  })

  const admit = (): void => {
    const startFirst = (members: readonly One[]): boolean =>
      startFirstOf(members, { slots, entries, overloaded })
    while (entries.size() > 0 && !slots.isFull() && sortByHeld(entries.listGroups(), slots).some(startFirst));
  }

  const hold = async <Result>(slot: Slot, context: Context, task: Task<Slot, Result>): Promise<Result> => {
    try {
      return await task(slot)
    } finally {
      slots.giveBack(slot, context)
      entries.endTurn(context)
      // At once, so that a new task cannot take the slot before those in the queue.
      admit()
    }
  }

  const enqueue = <R>(context: Context, task: Task<Slot, R>, position: 'first' | 'last'): Promise<R> =>
    new Promise((resolve, reject) => {
      const start = (slot: Slot): void => {
        hold(slot, context, task).then(resolve, reject)
      }
      entries.add({ context, start, reject, until: performance.now() + waitMs }, position)
      watchTime()
    })

  return {
    run: (context, task) => {
      const slot = slots.take(context)
      if (slot !== undefined) return hold(slot, context, task)
      return entries.makeRoom(context) ? enqueue(context, task, 'last') : Promise.reject(overloaded())
    },
    runNext: (context, task) => {
      const slot = slots.take(context)
      return slot === undefined ? enqueue(context, task, 'first') : hold(slot, context, task)
    },
    hasSlot: slots.hasSlot,
    admit,
    size: entries.size,
  }
}

interface Admission<Slot, Context extends QueryContext> {
  readonly slots: Slots<Slot, Context>
  readonly entries: Pick<Entries<Entry<Slot, Context>>, 'remove' | 'rejectAll'>
  readonly overloaded: () => Error
}

/** Starts the first entry of a workspace that has a slot. @returns whether one has. */
function startFirstOf<Slot, Context extends QueryContext>(
  members: readonly Entry<Slot, Context>[],
  { slots, entries, overloaded }: Admission<Slot, Context>,
): boolean {
  // A copy, because entries are removed meanwhile.
  for (const entry of [...members]) {
    if (isDisconnected(entry.context.caller)) {
      entries.rejectAll([entry], overloaded)
      continue
    }
    const slot = slots.take(entry.context)
    if (slot === undefined) continue
    entries.remove(entry)
    entry.start(slot)
    return true
  }
  return false
}

/** Workspaces that hold fewer slots come first; those that hold the same number keep their order. */
function sortByHeld<One extends { readonly context: QueryContext }>(
  groups: readonly (readonly One[])[],
  { countHeld }: Pick<Slots<unknown, One['context']>, 'countHeld'>,
): readonly (readonly One[])[] {
  return groups
    .map((members) => ({ members, held: members[0] === undefined ? 0 : countHeld(members[0].context) }))
    .sort((one, other) => one.held - other.held)
    .map(({ members }) => members)
}

type AnyEntry = Pick<Entry<never, QueryContext>, 'context' | 'reject' | 'until'>
type Entries<One extends AnyEntry> = ReturnType<typeof createEntries<One>>

/** A bounded number of entries by workspace; those of one workspace are in order. */
function createEntries<One extends AnyEntry>(limit: number, overloaded: () => Error) {
  const groups = new Map<string | undefined, One[]>()
  const bulkhead = createBulkhead(limit)
  const listGroups = (): One[][] => [...groups.values()]
  const list = (): One[] => listGroups().flat()

  const remove = (entry: One): void => {
    const { workspaceId } = entry.context
    const members = groups.get(workspaceId) ?? []
    members.splice(members.indexOf(entry), 1)
    if (members.length === 0) groups.delete(workspaceId)
    bulkhead.remove(entry.context)
  }

  const rejectAll = (rejected: readonly One[], toError: () => Error): void => {
    for (const entry of rejected) {
      remove(entry)
      entry.reject(toError())
    }
  }

  return {
    list,
    listGroups,
    size: bulkhead.total,
    remove,
    rejectAll,
    /** Whether one more entry may be added; a full queue first rejects entries that it can do without. */
    makeRoom: (context: QueryContext): boolean => {
      if (bulkhead.hasRoom(context)) return true
      rejectAll(
        list().filter((entry) => isDisconnected(entry.context.caller)),
        overloaded,
      )
      if (bulkhead.hasRoom(context)) return true
      rejectAll(findDisplaced(listGroups(), context, bulkhead), overloaded)
      return bulkhead.hasRoom(context)
    },
    add: (entry: One, position: 'first' | 'last'): void => {
      const members = groups.get(entry.context.workspaceId) ?? []
      groups.set(entry.context.workspaceId, members)
      if (position === 'first') members.unshift(entry)
      else members.push(entry)
      bulkhead.add(entry.context)
    },
    /** Moves the workspace of the context behind the others. */
    endTurn: ({ workspaceId }: QueryContext): void => {
      const members = groups.get(workspaceId)
      groups.delete(workspaceId)
      if (members !== undefined) groups.set(workspaceId, members)
    },
  }
}

/** The newest entry of the workspace with the most, if the workspace of the context has fewer even with one more. */
function findDisplaced<One extends AnyEntry>(
  groups: readonly One[][],
  context: QueryContext,
  { hasTableRoom }: Pick<Bulkhead, 'hasTableRoom'>,
): readonly One[] {
  const isOfTable = (entry: One): boolean => entry.context.table === context.table
  const lists = hasTableRoom(context) ? groups : groups.map((members) => members.filter(isOfTable))
  const most = findLongest(lists)
  const own = lists.find(([one]) => one?.context.workspaceId === context.workspaceId) ?? []
  return most.length > own.length + 1 ? most.slice(-1) : []
}

/** The longest of some lists, the first of those that are equally long; empty where there is none. */
export function findLongest<One>(lists: readonly One[][]): One[] {
  return lists.reduce<One[]>((longest, list) => (list.length > longest.length ? list : longest), [])
}

/** One timer for the whole queue, because a timer for each entry would cost as much as the slot. */
function createTimer<One extends { readonly until: number }>(
  list: () => readonly One[],
  onLate: (late: readonly One[]) => void,
): () => void {
  let isRunning = false
  const start = (): void => {
    if (isRunning) return
    const until = list().reduce((least, one) => Math.min(least, one.until), Infinity)
    if (until === Infinity) return
    isRunning = true
    const check = (): void => {
      isRunning = false
      const now = performance.now()
      onLate(list().filter((one) => one.until <= now))
      start()
    }
    // The tasks that hold the slots keep the process alive.
    setTimeout(check, Math.max(1, until - performance.now())).unref()
  }
  return start
}
