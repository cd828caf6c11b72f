import { isConnectionLost, isTimeLimit } from '../../database/errors.js'
import type { SessionTask } from '../../database/sessions.js'
import type { Statement } from '../../database/statement.js'

/** Runs statements on one session. */
export type RunOnSession = Parameters<SessionTask<unknown>>[0]

/** What the statements of a request cost the server. */
export interface Cost {
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
 * Runs statements, and reads the counters of the session before and after them.
 *
 * @throws the driver's error when the session is lost.
 */
export async function measureTask(run: RunOnSession, task: () => Promise<unknown>): Promise<Measured> {
  const { status: before, own } = await readSettledStatus(run)
  const startedAt = performance.now()
  try {
    await task()
    const milliseconds = performance.now() - startedAt
    const after = await readStatus(run)
    const toCost = (name: keyof SessionStatus): number => Math.max(0, after[name] - before[name] - own[name])
    return { cost: { readRows: toCost('readRows'), sortedRows: toCost('sortedRows'), milliseconds } }
  } catch (error) {
    if (isConnectionLost(error)) throw error
    return {
      failure: error instanceof Error ? error.message : String(error),
      isTimeLimit: isTimeLimit(error),
    }
  }
}

/** How often the status is read until two readings differ as much as the two before. */
const readingsMax = 10

/**
 * The status, and what reading it adds to it: nothing, except for the first times, when the server may have to open its
 * own tables.
 */
async function readSettledStatus(run: RunOnSession): Promise<{ status: SessionStatus; own: SessionStatus }> {
  let status = await readStatus(run)
  let own: SessionStatus = { readRows: 0, sortedRows: 0 }
  for (let reading = 0; reading < readingsMax; reading += 1) {
    const next = await readStatus(run)
    const added = {
      readRows: next.readRows - status.readRows,
      sortedRows: next.sortedRows - status.sortedRows,
    }
    const isSettled = added.readRows === own.readRows && added.sortedRows === own.sortedRows
    status = next
    own = added
    if (isSettled) break
  }
  return { status, own }
}

type SessionStatus = Pick<Cost, 'readRows' | 'sortedRows'>

async function readStatus(run: RunOnSession): Promise<SessionStatus> {
  const rows = await run(statusStatement)
  const counts = new Map(rows.map((row) => [String(row['Variable_name']), Number(row['Value'])]))
  const count = (name: string): number => counts.get(name) ?? 0
  const rejected = count(pushed.checked) - count(pushed.met)
  return {
    readRows: readCounters.reduce((sum, name) => sum + count(name), rejected),
    sortedRows: count('Sort_rows'),
  }
}
