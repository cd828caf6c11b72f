import { isConnectionLost, isTimeLimit } from '../../database/errors.js'
import type { RunQuery, Statement } from '../../database/statement.js'

/** What the statements of a request cost the server. */
interface Cost {
  /** Rows and index entries, of tables and of temporary tables. */
  readonly readRows: number
  /** As the server counts them: a sort that keeps only the rows of a page counts only these. */
  readonly sortedRows: number
  readonly milliseconds: number
}

/** The cost of a task, or why it did not end. */
export type Measured = { readonly cost: Cost } | { readonly failure: string; readonly isTimeLimit: boolean }

const readCounters = ['first', 'key', 'last', 'next', 'prev', 'rnd', 'rnd_next'].map(
  (name) => `Handler_read_${name}`,
)

/** Of MariaDB: index entries that a pushed condition was checked for, and those that met it, which are read. */
const pushed = { checked: 'Handler_icp_attempts', met: 'Handler_icp_match' } as const

const counters = [...readCounters, pushed.checked, pushed.met, 'Sort_rows']

/** Counts since the session began. */
const statusStatement: Statement = {
  sql: `show session status where variable_name in (${counters.map((name) => `'${name}'`).join(', ')})`,
  values: [],
}

/**
 * For MySQL, which does not count index entries that the storage engine rejects by a pushed index condition: the server
 * checks every condition itself.
 */
export const noPushdownStatement: Statement = {
  sql: "set session optimizer_switch = 'index_condition_pushdown=off'",
  values: [],
}

/**
 * Runs statements on one session, and reads its counters before and after them.
 *
 * @throws the driver's error when the session is lost.
 */
export async function measureTask(run: RunQuery, task: () => Promise<unknown>): Promise<Measured> {
  const { status: before, own } = await readSettledStatus(run)
  const startedAt = performance.now()
  try {
    await task()
    const milliseconds = performance.now() - startedAt
    const [readRows, sortedRows] = (await readStatus(run)).map((count, at) =>
      Math.max(0, count - (before[at] ?? 0) - (own[at] ?? 0)),
    )
    return { cost: { readRows: readRows ?? 0, sortedRows: sortedRows ?? 0, milliseconds } }
  } catch (error) {
    if (isConnectionLost(error)) throw error
    return {
      failure: error instanceof Error ? error.message : String(error),
      isTimeLimit: isTimeLimit(error),
    }
  }
}

/** Rows read and rows sorted. */
type Status = readonly number[]

/** How often the status is read until two readings differ as much as the two before. */
const readingsMax = 10

/** The status, and what reading it adds: more for the first times, when the server may have to open its own tables. */
async function readSettledStatus(run: RunQuery): Promise<{ status: Status; own: Status }> {
  let status = await readStatus(run)
  let own: Status = []
  for (let reading = 0; reading < readingsMax; reading += 1) {
    const next = await readStatus(run)
    const added = next.map((count, at) => count - (status[at] ?? 0))
    const isSettled = added.join() === own.join()
    status = next
    own = added
    if (isSettled) break
  }
  return { status, own }
}

async function readStatus(run: RunQuery): Promise<Status> {
  const rows = await run(statusStatement)
  const counts = new Map(rows.map((row) => [String(row['Variable_name']), Number(row['Value'])]))
  const count = (name: string): number => counts.get(name) ?? 0
  const rejected = count(pushed.checked) - count(pushed.met)
  return [readCounters.reduce((sum, name) => sum + count(name), rejected), count('Sort_rows')]
}
