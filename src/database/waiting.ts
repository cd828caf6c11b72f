import { takeOut } from '../values/short-lived.js'
import { change, chooseHost, createLimit } from './hosts.js'
import type { Host, HostQueryContext } from './hosts.js'
import type { QueryContext } from './statement.js'

/** The slots of all hosts: how many statements run at each of them. */
export interface Slots {
  /** Takes a slot of the best host; undefined where that has none for the statement. */
  readonly take: (context: HostQueryContext, tried: ReadonlySet<Host> | undefined) => Host | undefined
  readonly giveBack: (host: Host, context: HostQueryContext) => void
  /** Whether the workspace may take one more slot of any host. */
  readonly hasShare: (context: HostQueryContext) => boolean
  /** Whether no host has a slot for a statement on any of these tables; '' for one of no table. */
  readonly areTaken: (tables: Iterable<string>) => boolean
  /** A request of a workspace has arrived. */
  readonly noteWorkspace: (workspaceId: string | undefined) => void
}

/**
 * The slots of all hosts. While other workspaces are active, a workspace takes at most half of each host, so that the next
 * requests of the others find a slot.
 */
export function createSlots(hosts: readonly Host[]): Slots {
  const activity = createWorkspaceActivity()
  let turn = 0
  return {
    take: (context, tried) => {
      turn = (turn + 1) % hosts.length
      const isShared = activity.isShared(context.workspaceId)
      const host = chooseHost(hosts, { turn, tried, freshest: context.freshest === true }, ({ active }) =>
        active.hasRoom(context, 1, isShared),
      )
      host?.active.add(context, 1)
      return host
    },
    giveBack: (host, context) => {
      host.active.add(context, -1)
    },
    hasShare: ({ workspaceId }) => {
      const isShared = activity.isShared(workspaceId)
      return hosts.some(({ active }) => active.hasRoom({ workspaceId }, 1, isShared))
    },
    areTaken: (tables) => {
      for (const table of tables)
        if (hosts.some(({ active }) => active.hasRoom({ table }, 1, false))) return false
      return true
    },
    noteWorkspace: activity.note,
  }
}

/**
 * How long a workspace counts as active after its last statement, in milliseconds. A workspace that sends a request
 * every few minutes finds a free slot for each, although none of its requests waits in between.
 */
const activeMs = 600_000

/** The two workspaces that were active last, which is enough to decide whether a third one shares the slots. */
function createWorkspaceActivity() {
  let latest: { readonly workspaceId: string; at: number } | undefined
  let before: typeof latest
  return {
    note: (workspaceId: string | undefined): void => {
      if (workspaceId === undefined) return
      const at = performance.now()
      if (latest?.workspaceId === workspaceId) latest.at = at
      else [before, latest] = [latest, { workspaceId, at }]
    },
    /** Whether another workspace was active within `activeMs`. */
    isShared: (workspaceId: string | undefined): boolean => {
      const other = latest?.workspaceId === workspaceId ? before : latest
      return other !== undefined && performance.now() - other.at < activeMs
    },
  }
}

/** What waits, by workspace. */
export interface Waiting<Item> {
  readonly size: () => number
  /** The tables of the items; '' for those of no table. */
  readonly listTables: () => Iterable<string>
  /** Whether one more may wait, beside the item that `findDisplaced` names. */
  readonly hasRoom: (context: QueryContext) => boolean
  /**
   * The newest item of the workspace with the most items, if the workspace of the context would still have fewer with one
   * more. Where the table of the context has used its share, only items of that table count.
   */
  readonly findDisplaced: (context: QueryContext) => Item | undefined
  readonly add: (item: Item, position: 'first' | 'last') => void
  readonly remove: (item: Item) => void
  /**
   * The first item that may start: of the workspace that holds the fewest slots, in its order. Workspaces that hold the
   * same number take turns.
   *
   * @param hasShare whether a workspace may start anything, so that not each of its items is asked.
   */
  readonly findNext: (
    mayStart: (item: Item) => boolean,
    hasShare: (context: QueryContext) => boolean,
  ) => Item | undefined
  /** The workspace of the context takes a slot, or gives one back: 1 or -1. */
  readonly hold: (context: QueryContext, by: 1 | -1) => void
}

/** The items of one workspace, or of no workspace. */
interface Group<Item> {
  readonly items: Item[]
  /** The slots that it holds. */
  held: number
}

interface Waits {
  readonly context: QueryContext
}

/** Nothing waits yet. @param limit the greatest number of items; one table has four fifths of it. */
export function createWaiting<Item extends Waits>(limit: number): Waiting<Item> {
  const groups = new Map<string | undefined, Group<Item>>()
  const counts = createLimit(limit)
  const tables = new Map<string, number>()
  const count = ({ context }: Item, by: 1 | -1): void => {
    counts.add(context, by)
    change(tables, context.table ?? '', by)
  }
  /** The groups with items by the slots that they hold; those with the same number in the order of their turns. */
  const turns: Set<Group<Item>>[] = []
  const findTurns = (held: number): Set<Group<Item>> => {
    while (turns.length <= held) turns.push(new Set())
    return turns[held] ?? new Set()
  }
  const findGroup = ({ workspaceId }: QueryContext): Group<Item> => {
    const group = groups.get(workspaceId) ?? { items: [], held: 0 }
    groups.set(workspaceId, group)
    return group
  }
  const forget = (group: Group<Item>, { workspaceId }: QueryContext): void => {
    if (group.items.length === 0) findTurns(group.held).delete(group)
    if (group.items.length === 0 && group.held === 0) groups.delete(workspaceId)
  }
  return {
    size: counts.total,
    listTables: () => tables.keys(),
    hasRoom: (context) => counts.hasRoom(context, 1, false),
    findDisplaced: (context) =>
      findDisplaced(groups, context, counts.hasTableRoom(context, 1) ? undefined : context.table),
    add: (item, position) => {
      const group = findGroup(item.context)
      group.items.splice(position === 'first' ? 0 : group.items.length, 0, item)
      findTurns(group.held).add(group)
      count(item, 1)
    },
    remove: (item) => {
      const group = findGroup(item.context)
      takeOut(group.items, item)
      count(item, -1)
      forget(group, item.context)
    },
    findNext: (mayStart, hasShare) => findNext(turns, mayStart, hasShare),
    hold: (context, by) => {
      const group = findGroup(context)
      findTurns(group.held).delete(group)
      group.held += by
      if (group.items.length > 0) findTurns(group.held).add(group)
      forget(group, context)
    },
  }
}

/** @param table whose items alone count; undefined for all. */
function findDisplaced<Item extends Waits>(
  groups: ReadonlyMap<string | undefined, Group<Item>>,
  { workspaceId }: QueryContext,
  table: string | undefined,
): Item | undefined {
  const listCounted = (group: Group<Item> | undefined): readonly Item[] =>
    table === undefined
      ? (group?.items ?? [])
      : (group?.items ?? []).filter(({ context }) => context.table === table)
  let longest: readonly Item[] = []
  for (const group of groups.values()) {
    const items = listCounted(group)
    if (items.length > longest.length) longest = items
  }
  return longest.length > listCounted(groups.get(workspaceId)).length + 1 ? longest.at(-1) : undefined
}

function findNext<Item extends Waits>(
  turns: readonly ReadonlySet<Group<Item>>[],
  mayStart: (item: Item) => boolean,
  hasShare: (context: QueryContext) => boolean,
): Item | undefined {
  for (const inTurn of turns)
    for (const { items } of inTurn) {
      const [first] = items
      const next = first !== undefined && hasShare(first.context) ? items.find(mayStart) : undefined
      if (next !== undefined) return next
    }
  return undefined
}
