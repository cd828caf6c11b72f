import type { Random } from '../product/random.js'

/** A record that the writers may change. */
export interface LedgerRow {
  readonly id: string
  /** The round in which it was last committed; 0 for what was there before. */
  touched: number
  archived: boolean
  /** Within an open transaction, so that no other writer waits for it. */
  busy: boolean
}

/** What the writers know of the table, apart from the table itself. */
export interface Ledger {
  readonly rows: Set<LedgerRow>
  /** Ids of records that the table does not have yet. */
  readonly newIds: string[]
}

/** How many records can come to those that are there. */
const newRowsMax = 300

/** The records that are visible at the beginning, and those that may come, before, between and after them. */
export function createLedger(random: Random, visible: Iterable<string>): Ledger {
  const newIds = Array.from({ length: newRowsMax }, (_, at) =>
    String(random.pick([-1000 + at, 10_000 + at, 20_000 - at])),
  )
  return {
    rows: new Set([...visible].map((id) => ({ id, touched: 0, archived: false, busy: false }))),
    newIds: [...new Set(newIds)],
  }
}

/** Takes up to so many records that no open transaction holds; they are held from now on. */
export function takeRows(
  { rows }: Ledger,
  random: Random,
  wanted: { readonly count: number; readonly archived: boolean },
): readonly LedgerRow[] {
  const all = [...rows]
  const from = random.whole(all.length)
  const order = [...all.slice(from), ...all.slice(0, from)]
  const taken = order.filter((row) => !row.busy && row.archived === wanted.archived).slice(0, wanted.count)
  for (const row of taken) row.busy = true
  return taken
}
