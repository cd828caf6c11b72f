import type { TestDatabase } from '../product/test-database.js'
import { createRandom } from '../product/random.js'
import { createLedger } from '../torture/ledger.js'
import { createPlanner } from '../torture/plan.js'
import type { Kind } from '../torture/plan.js'
import { openConnection, readVisible, timeForms } from '../torture/table.js'
import { createTally } from '../torture/tally.js'
import { createWriter } from '../torture/writer.js'

/** The product of the torture test, going on with its work. */
export interface ProductAtWork {
  /** Changes rows, one transaction for each and each with the time of its change: the next kind of work, so often. */
  readonly changeRows: (count: number) => Promise<void>
  /** What must be visible now: versions by id. */
  readonly readVisible: () => Promise<ReadonlyMap<string, string>>
  readonly archivedIds: () => readonly string[]
  readonly close: () => Promise<void>
}

/** How it stores times. */
export const form = timeForms[0]!

const kinds: readonly Kind[] = ['update', 'insert', 'update', 'archive', 'update', 'restore']
const seed = 20_261_121

/** Opens a connection of the product's own. */
export async function openProductAtWork({ adminUrl }: TestDatabase): Promise<ProductAtWork> {
  const connection = await openConnection(adminUrl)
  const random = createRandom(seed)
  const ledger = createLedger(random, (await readVisible(connection, form)).keys())
  const { planChanges } = createPlanner(random, ledger, 0)
  // It commits at once and reads no one's crawls: nothing of what it writes is late.
  const never = { promisedSeconds: 3600, tally: createTally(), latestStart: () => 0 }
  const writer = createWriter({ connection, form, ...never })
  let turn = 0
  const changeRow = async (): Promise<void> => {
    const kind = kinds[turn++ % kinds.length]!
    const changes = planChanges(kind, 1)
    if (changes.length === 0) throw new Error(`There is no row to ${kind}`)
    await writer.run({ changes, ageMicros: 0, stamp: undefined, tied: false, end: 'commit' })
    for (const { row, archived } of changes) ledger.rows.add(Object.assign(row, { archived, busy: false }))
  }
  return {
    changeRows: async (count) => {
      for (let row = 0; row < count; row += 1) await changeRow()
    },
    readVisible: () => readVisible(connection, form),
    archivedIds: () => [...ledger.rows].filter(({ archived }) => archived).map(({ id }) => id),
    close: () => writer.close(),
  }
}
