import type { Random } from '../product/random.js'
import { takeRows } from './ledger.js'
import type { Ledger, LedgerRow } from './ledger.js'
import type { Change, WriterStep } from './writer.js'

/** What the writers do next: it follows from the seed alone, not from what the machine made of the rounds before. */
export interface Planner {
  /** The next step of a writer; undefined where it waits, its transaction open or not. */
  readonly planStep: (open: readonly Change[], openRounds: number) => WriterStep | undefined
  /** Changes of one kind. */
  readonly planChanges: (kind: Kind, count: number) => readonly Change[]
}

/** What a transaction does. */
export type Kind = 'insert' | 'update' | 'archive' | 'restore'

/** A transaction is ended at the latest when it has been open for so many rounds. */
const openRoundsMax = 6
/** Updates most of all. */
const kinds: readonly Kind[] = ['insert', 'update', 'update', 'update', 'insert', 'archive', 'restore']

/** @param ageMaxMicros how much older than now a row may say that it is. */
export function createPlanner(random: Random, ledger: Ledger, ageMaxMicros: number): Planner {
  let marks = 0

  const takeNew = (count: number): readonly LedgerRow[] =>
    ledger.newIds.splice(0, count).map((id) => ({ id, touched: 0, archived: false, busy: true }))

  const planChanges: Planner['planChanges'] = (kind, count) => {
    const rows =
      kind === 'insert' ? takeNew(count) : takeRows(ledger, random, { count, archived: kind === 'restore' })
    return rows.map((row) => ({ row, name: `Guest ${(marks += 1)}`, archived: kind === 'archive' }))
  }

  const planWork = (): Omit<WriterStep, 'end'> => {
    const kind = random.pick(kinds)
    const tied = random.whole(12) === 0
    const count = tied ? 20 + random.whole(30) : 1 + random.whole(kind === 'update' ? 5 : 2)
    return {
      changes: planChanges(tied ? 'update' : kind, count),
      ageMicros: random.whole(3) === 0 ? random.whole(ageMaxMicros) : 0,
      stamp: undefined,
      tied: tied || random.whole(4) === 0,
    }
  }

  const nothing = { changes: [], ageMicros: 0, stamp: undefined, tied: false }
  return {
    planChanges,
    planStep: (open, openRounds) => {
      const roll = random.whole(12)
      if (open.length === 0) {
        const work = planWork()
        return work.changes.length === 0
          ? undefined
          : { ...work, end: roll < 6 ? 'commit' : roll < 7 ? 'rollback' : 'hold' }
      }
      if (openRounds >= openRoundsMax || roll < 3) return { ...nothing, end: 'commit' }
      if (roll < 4) return { ...nothing, end: 'rollback' }
      return roll < 6 ? { ...planWork(), end: 'hold' } : undefined
    },
  }
}
