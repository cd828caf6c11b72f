import { createBulkhead } from './bulkhead.js'
import type { Bulkhead } from './bulkhead.js'
import { databaseUnavailable, overloaded } from './errors.js'
import { isDisconnected } from './statement.js'
import type { QueryContext } from './statement.js'

/** The slots that a queue hands out. */
export interface Slots<Slot, Context extends QueryContext> {
  /** Takes a free slot; undefined where none suits the context. */
  readonly take: (context: Context) => Slot | undefined
  readonly giveBack: (slot: Slot, context: Context) => void
  /** Whether no slot is free for any context. */
  readonly isFull: () => boolean
  /** The number of slots that the workspace of the context holds. */
  readonly countHeld: (context: Context) => number
}

/** Runs tasks as slots become free, and keeps a bounded number of tasks in the queue. */
export interface Queue<Slot, Context extends QueryContext> {
  /**
   * Runs a task when there is a slot for it.
   * @throws Problem `overloaded` where the queue has no room or the caller has disconnected, `database_unavailable` where
   *   the task stayed in the queue for too long; the task did not run then.
   */
  readonly run: <Result>(context: Context, task: Task<Slot, Result>) => Promise<Result>
  /** The same for a task that ran before: it comes first in its workspace, whether or not the queue is full. */
  readonly runNext: <Result>(context: Context, task: Task<Slot, Result>) => Promise<Result>
  /** Starts queued tasks after slots became free without `giveBack`, as when a host is healthy again. */
  readonly startQueued: () => void
  readonly size: () => number
}

type Task<Slot, Result> = (slot: Slot) => Promise<Result>

/** The slots, and the limits of the queue. */
export interface QueueConfig<Slot, Context extends QueryContext> {
  readonly slots: Slots<Slot, Context>
  /** The greatest number of tasks in the queue; see `Bulkhead` for the share of a table. */
  readonly limit: number
  /** The longest time that a task stays in the queue, in milliseconds: slots can be held for long. */
  readonly waitMs: number
}

/** A task in the queue. */
interface Entry<Slot, Context> {
  readonly context: Context
  readonly start: (slot: Slot) => void
  readonly reject: (error: Error) => void
  /** By `performance.now()`. */
  readonly deadline: number
}

/**
 * A queue before a limited resource. A free slot goes to the workspace that holds the fewest slots; workspaces that
 * hold the same number take turns. The tasks of one workspace start in order.
 * The queue of the driver's pool is not used, because its error has no code, and entries cannot be seen or removed.
 */
export function createQueue<Slot, Context extends QueryContext>(
  config: QueueConfig<Slot, Context>,
): Queue<Slot, Context> {
  const { slots, waitMs } = config
  const entries = createEntries<Entry<Slot, Context>>(config.limit)
  const watchTime = createTimer(entries.list, (late) => {
    entries.rejectAll(late, timedOut)
  })

  const startQueued = (): void => {
    let hasStarted = true
    while (hasStarted && entries.size() > 0 && !slots.isFull()) {
      const groups = sortByHeld(entries.listGroups(), slots)
      hasStarted = groups.some((group) => startFirstOf(group, slots, entries))
    }
  }

  const runInSlot = async <Result>(
    slot: Slot,
    context: Context,
    task: Task<Slot, Result>,
  ): Promise<Result> => {
    try {
      return await task(slot)
    } finally {
      slots.giveBack(slot, context)
      entries.endTurn(context)
      // At once, so that a new task cannot take the slot before those in the queue.
      startQueued()
    }
  }

  const enqueue = <R>(context: Context, task: Task<Slot, R>, position: 'first' | 'last'): Promise<R> =>
    new Promise((resolve, reject) => {
      const start = (slot: Slot): void => {
        runInSlot(slot, context, task).then(resolve, reject)
      }
      entries.add({ context, start, reject, deadline: performance.now() + waitMs }, position)
      watchTime()
    })

  return {
    run: (context, task) => {
      const slot = slots.take(context)
      if (slot !== undefined) return runInSlot(slot, context, task)
      return entries.makeRoom(context) ? enqueue(context, task, 'last') : Promise.reject(overloaded())
    },
    runNext: (context, task) => {
      const slot = slots.take(context)
      return slot === undefined ? enqueue(context, task, 'first') : runInSlot(slot, context, task)
    },
    startQueued,
    size: entries.size,
  }
}

/** Starts the first entry of a workspace that gets a slot, and rejects those of disconnected callers before it. */
function startFirstOf<Slot, Context extends QueryContext>(
  members: readonly Entry<Slot, Context>[],
  slots: Slots<Slot, Context>,
  entries: Pick<Entries<Entry<Slot, Context>>, 'remove' | 'rejectAll'>,
): boolean {
  // A copy, because entries are removed meanwhile.
  for (const entry of [...members]) {
    if (isDisconnected(entry.context.socket)) {
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
function sortByHeld<Item extends { readonly context: QueryContext }>(
  groups: readonly (readonly Item[])[],
  { countHeld }: Pick<Slots<unknown, Item['context']>, 'countHeld'>,
): readonly (readonly Item[])[] {
  return groups
    .map((members) => ({ members, held: members[0] === undefined ? 0 : countHeld(members[0].context) }))
    .sort((one, other) => one.held - other.held)
    .map(({ members }) => members)
}

type AnyEntry = Pick<Entry<never, QueryContext>, 'context' | 'reject' | 'deadline'>
type Entries<Item extends AnyEntry> = ReturnType<typeof createEntries<Item>>

/** A bounded number of entries by workspace; those of one workspace are in order. */
function createEntries<Item extends AnyEntry>(limit: number) {
  const groups = new Map<string | undefined, Item[]>()
  const bulkhead = createBulkhead(limit)
  const listGroups = (): Item[][] => [...groups.values()]
  const list = (): Item[] => listGroups().flat()

  const remove = (entry: Item): void => {
    const { workspaceId } = entry.context
    const members = groups.get(workspaceId) ?? []
    members.splice(members.indexOf(entry), 1)
    if (members.length === 0) groups.delete(workspaceId)
    bulkhead.remove(entry.context)
  }

  const rejectAll = (rejected: readonly Item[], toError: () => Error): void => {
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
    /** Whether one more entry may be added; a full queue first rejects the entries of disconnected callers, then the newest one of the largest workspace. */
    makeRoom: (context: QueryContext): boolean => {
      if (bulkhead.hasRoom(context)) return true
      rejectAll(
        list().filter((entry) => isDisconnected(entry.context.socket)),
        overloaded,
      )
      if (bulkhead.hasRoom(context)) return true
      rejectAll(findDisplaced(listGroups(), context, bulkhead), overloaded)
      return bulkhead.hasRoom(context)
    },
    add: (entry: Item, position: 'first' | 'last'): void => {
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

/**
 * The newest entry of the workspace with the most entries, if the workspace of the context would still have fewer with one
 * more. Where the table of the context has used its share, only entries of that table count.
 */
function findDisplaced<Item extends AnyEntry>(
  groups: readonly Item[][],
  context: QueryContext,
  { hasTableRoom }: Pick<Bulkhead, 'hasTableRoom'>,
): readonly Item[] {
  const isOfTable = (entry: Item): boolean => entry.context.table === context.table
  const lists = hasTableRoom(context) ? groups : groups.map((members) => members.filter(isOfTable))
  const most = findLongest(lists)
  const own = lists.find(([one]) => one?.context.workspaceId === context.workspaceId) ?? []
  return most.length > own.length + 1 ? most.slice(-1) : []
}

/** The longest of some lists, the first of those that are equally long; empty where there is none. */
function findLongest<Item>(lists: readonly Item[][]): Item[] {
  return lists.reduce<Item[]>((longest, list) => (list.length > longest.length ? list : longest), [])
}

function timedOut(): Error {
  return databaseUnavailable(new Error('No statement ended in time to make room for another'))
}

/** One timer for the whole queue, because a timer for each entry would cost as much as all else in the queue. */
function createTimer<Item extends { readonly deadline: number }>(
  list: () => readonly Item[],
  onLate: (late: readonly Item[]) => void,
): () => void {
  let isRunning = false
  const start = (): void => {
    if (isRunning) return
    const next = list().reduce((least, { deadline }) => Math.min(least, deadline), Infinity)
    if (next === Infinity) return
    isRunning = true
    const check = (): void => {
      isRunning = false
      const now = performance.now()
      onLate(list().filter((one) => one.deadline <= now))
      start()
    }
    // The tasks that hold the slots keep the process alive.
    setTimeout(check, Math.max(1, next - performance.now())).unref()
  }
  return start
}
