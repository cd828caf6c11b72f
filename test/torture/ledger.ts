import { createTruth } from '../product/index.js'
import type { Product } from '../product/index.js'
import type { Rows } from '../product/product.js'
import type { Random } from '../product/random.js'
import type { ProductTable } from './table.js'

/** A record that the writers may change. */
export interface LedgerRow {
  readonly id: string
  /** The round in which it was last committed; 0 for what the seeds wrote. */
  touched: number
  archived: boolean
  /** Within an open transaction, so that no other writer waits for it. */
  busy: boolean
}

/** A record that the product does not have yet. */
interface Newcomer {
  readonly id: string
  readonly rows: readonly Rows[]
}

/** What the writers know of a table, apart from the table itself. */
export interface Ledger {
  readonly table: ProductTable
  readonly rows: LedgerRow[]
  readonly newcomers: Newcomer[]
}

/** How many records of each collection can come to the seeds'. */
const newcomersMax = 300

/** The records that are visible at the beginning, and those that may come. */
export function createLedger(
  table: ProductTable,
  product: Product,
  input: { readonly visible: Iterable<string>; readonly seeded: number; readonly seed: number },
): Ledger {
  return {
    table,
    rows: [...input.visible].sort().map((id) => ({ id, touched: 0, archived: false, busy: false })),
    newcomers: createNewcomers(table, product, input),
  }
}

function createNewcomers(
  { collection }: ProductTable,
  product: Product,
  { seeded, seed }: { readonly seeded: number; readonly seed: number },
): Newcomer[] {
  // Two invoices for five registrations, as the seeds have them.
  const truth = createTruth(Math.ceil((seeded + newcomersMax) * 2.5), seed)
  const ours = { workspace: 0, archived: 'no', broken: false } as const
  if (collection === 'registrations') {
    return truth.registrations.slice(seeded, seeded + newcomersMax).map((one) => {
      const own = { ...one, ...ours, event: one.event % 10 }
      const rows = product.toRows({ workspaces: [], registrations: [own], invoices: [] })
      return { id: String(product.toRegistration(own)?.['id']), rows }
    })
  }
  return truth.invoices.slice(seeded, seeded + newcomersMax).map((one) => {
    const own = { ...one, ...ours, event: one.event === null ? null : one.event % 10 }
    const rows = product.toRows({ workspaces: [], registrations: [], invoices: [own] })
    return { id: String(product.toInvoice(own)?.['id']), rows }
  })
}

/** Takes up to so many records that no open transaction holds; they are held from now on. */
export function takeRows(
  ledger: Ledger,
  random: Random,
  wanted: { readonly count: number; readonly archived: boolean },
): readonly LedgerRow[] {
  const from = random.whole(ledger.rows.length)
  const order = [...ledger.rows.slice(from), ...ledger.rows.slice(0, from)]
  const taken = order.filter((row) => !row.busy && row.archived === wanted.archived).slice(0, wanted.count)
  for (const row of taken) row.busy = true
  return taken
}
