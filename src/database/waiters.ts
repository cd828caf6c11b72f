import { isDisconnected } from './statement.js'
import type { QueryContext } from './statement.js'
import type { Places } from './places.js'
import { createWorkspaceQueue } from './workspace-queue.js'

/** One who waits for a place. */
interface Waiter<Place, Wanted> {
  readonly claim: Wanted
  readonly begin: (place: Place) => void
  readonly reject: (error: Error) => void
}

interface Waiting<Place, Wanted> extends Waiter<Place, Wanted> {
  /** By `performance.now()`. */
  readonly until: number
}

/** A bounded number of those who wait, by their workspaces, and of each in the order in which they came. */
export interface Waiters<Place, Wanted> {
  /** Whether one more may wait; where it may not, a workspace that has more there loses its newest. */
  readonly hasRoom: (claim: Wanted) => boolean
  /** Adds one, behind all others of its workspace or before them. */
  readonly add: (waiter: Waiter<Place, Wanted>, where: 'first' | 'last') => void
  /**
   * Lets those begin for whom there is a place: first those of the workspaces that hold the fewest, in turn where
   * several hold the same number.
   *
   * @param ended the claim that gave its place back; the turn of its workspace is over.
   */
  readonly admit: (ended?: Wanted) => void
  readonly count: () => number
}

/** What is waited for, how many may wait and for how long, and what is told to those who may not. */
export interface WaitersConfig<Place, Wanted extends QueryContext> {
  readonly places: Places<Place, Wanted>
  /** How many wait at most; those about one table four fifths of them. */
  readonly limit: number
  /** How long each waits at most, in milliseconds: what is waited for may be held for long. */
  readonly waitMs: number
  /** Makes the error of one too many, and of one whose caller is gone. */
  readonly refuse: () => Error
  /** Makes the error of one who waited in vain. */
  readonly giveUp: () => Error
}

/** Nobody waits for longer than `waitMs`, and who is gone makes room for another. */
export function createWaiters<Place, Wanted extends QueryContext>({
  places,
  limit,
  waitMs,
  refuse,
  giveUp,
}: WaitersConfig<Place, Wanted>): Waiters<Place, Wanted> {
  type One = Waiting<Place, Wanted>
  const queue = createWorkspaceQueue<One>(limit, refuse)

  /** Lets the first of these begin for whom there is a place. Returns whether there was one. */
  const admitFirst = (members: readonly One[]): boolean => {
    for (let at = 0; ;) {
      const one = members[at]
      if (one === undefined) return false
      const gone = isDisconnected(one.claim.caller)
      const place = gone ? undefined : places.take(one.claim)
      if (gone) queue.dismiss([one], refuse)
      else if (place === undefined) at += 1
      else {
        queue.remove(one)
        one.begin(place)
        return true
      }
    }
  }

  const watch = createWatch(
    () => queue.listGroups().flat(),
    (late) => {
      queue.dismiss(late, giveUp)
    },
  )

  return {
    hasRoom: queue.hasRoom,
    add: ({ claim, begin, reject }, where) => {
      queue.add({ claim, begin, reject, until: performance.now() + waitMs }, where)
      watch()
    },
    admit: (ended) => {
      if (ended !== undefined) queue.moveBack(ended)
      while (queue.size() > 0 && !places.isFull() && sortByHeld(queue.listGroups(), places).some(admitFirst));
    },
    count: queue.size,
  }
}

/** The workspaces that hold the fewest places come first; those that hold the same number keep their order. */
function sortByHeld<One extends { readonly claim: QueryContext }>(
  groups: readonly (readonly One[])[],
  { countHeld }: Pick<Places<unknown, One['claim']>, 'countHeld'>,
): readonly (readonly One[])[] {
  return groups
    .map((members) => ({ members, held: members[0] === undefined ? 0 : countHeld(members[0].claim) }))
    .sort((one, other) => one.held - other.held)
    .map(({ members }) => members)
}

/** One timer for the whole line: one for each would cost as much as the place. */
function createWatch<One extends { readonly until: number }>(
  list: () => readonly One[],
  onLate: (late: readonly One[]) => void,
): () => void {
  let watching = false
  const watch = (): void => {
    if (watching) return
    const until = list().reduce((least, one) => Math.min(least, one.until), Infinity)
    if (until === Infinity) return
    watching = true
    const wake = (): void => {
      watching = false
      const now = performance.now()
      onLate(list().filter((one) => one.until <= now))
      watch()
    }
    // Whoever is in line waits for a task under way, and that is what keeps the process alive.
    setTimeout(wake, Math.max(1, until - performance.now())).unref()
  }
  return watch
}
