import { change, createLimit } from './hosts.js'
import type { QueryContext } from './statement.js'
import { takeOut } from '../values/short-lived.js'

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
