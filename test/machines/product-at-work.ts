import type { ProductDatabase } from '../product/index.js'
import { createRandom } from '../product/random.js'
import type { CollectionName } from '../support/expected.js'
import { createLedger } from '../torture/ledger.js'
import { createPlanner } from '../torture/plan.js'
import type { Kind } from '../torture/plan.js'
import { createPlainTables } from '../torture/plain-tables.js'
import { openConnection, readVisible } from '../torture/table.js'
import { createTally } from '../torture/tally.js'
import { createWriter } from '../torture/writer.js'

/** The plain product, going on with its work in one collection. */
export interface ProductAtWork {
  readonly table: string
  /** Changes rows, one transaction for each and each with the time of its change: the next kind of work, so often. */
  readonly changeRows: (count: number) => Promise<void>
  /** What must be visible now, as JSON by id. */
  readonly readVisible: () => Promise<ReadonlyMap<string, string>>
  readonly archivedIds: () => readonly string[]
  readonly close: () => Promise<void>
}

const kinds: readonly Kind[] = ['update', 'insert', 'update', 'archive', 'update', 'restore']
const seed = 20_261_121

/** Opens a connection of the product's own. */
export async function openProductAtWork(
  { product, truth, adminUrl }: ProductDatabase,
  collection: CollectionName,
): Promise<ProductAtWork> {
  const table = createPlainTables(product.fractionDigits[collection])[collection]
  const connection = await openConnection(adminUrl)
  const visible = await readVisible(connection, table, product)
  const ledger = createLedger(table, product, {
    visible: visible.keys(),
    seeded: truth[collection].length,
    seed,
  })
  const { planChanges } = createPlanner(createRandom(seed), [ledger], 0)
  // It commits at once and reads no one's crawls: nothing of what it writes is late.
  const writer = createWriter({
    connection,
    promisedSeconds: 3600,
    tally: createTally(),
    latestStart: () => 0,
  })
  let turn = 0
  const changeRow = async (): Promise<void> => {
    const kind = kinds[turn++ % kinds.length]!
    const changes = planChanges(ledger, kind, 1)
    if (changes.length === 0) throw new Error(`There is no row to ${kind}`)
    await writer.run({ changes, ageMicros: 0, stamp: undefined, tied: false, end: 'commit' })
    for (const { row, archived, newcomer } of changes) {
      if (newcomer !== undefined) ledger.rows.push(row)
      Object.assign(row, { archived, busy: false })
    }
  }
  return {
    table: table.tables[0],
    changeRows: async (count) => {
      for (let row = 0; row < count; row += 1) await changeRow()
    },
    readVisible: () => readVisible(connection, table, product),
    archivedIds: () => ledger.rows.filter(({ archived }) => archived).map(({ id }) => id),
    close: () => writer.close(),
  }
}
