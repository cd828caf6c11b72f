import { isAccessDenied, isConnectionLost, isGarbledStatement } from '../database/errors.js'
import type { RunQuery } from '../database/statement.js'
import { createError, createSection, toTable } from '../report/report.js'
import type { Finding, Section } from '../report/report.js'

/** The longest open transaction that has written or waits to write, in seconds, or why it is not known. */
export type LongestWrite = { readonly seconds: number; readonly count: number } | 'denied' | 'garbled'

/** InnoDB shows the start in the time zone of the server, whatever that of the session is. */
const longestSql =
  "select count(*) as `count`, coalesce(max(timestampdiff(second, trx_started, convert_tz(utc_timestamp(), '+00:00', 'SYSTEM'))), 0) as `seconds` " +
  // A statement that waits for a lock has fixed its time of change already.
  "from information_schema.innodb_trx where trx_rows_modified > 0 or trx_state = 'LOCK WAIT'"

/** Reads the longest write transaction. The server should deny this to the user of `vitrine grants`. */
export async function readLongestWrite(runQuery: RunQuery): Promise<LongestWrite> {
  try {
    const [row] = await runQuery({ sql: longestSql, values: [] })
    return { seconds: Number(row?.['seconds']), count: Number(row?.['count']) }
  } catch (error) {
    // The server denies this after it has named the columns, which ends the connection in MySQL Router 9.7.
    if (isAccessDenied(error) || isConnectionLost(error)) return 'denied'
    if (isGarbledStatement(error)) return 'garbled'
    throw error
  }
}

/** Whether the overlap is longer than the transactions of the product. */
export function checkTransactions(longest: LongestWrite, overlapSeconds: number): Section {
  const known = typeof longest === 'string' ? null : longest
  const section = createSection({
    id: 'transactions',
    title: 'Late commits',
    intro:
      'A sync would miss a row that is committed later than its time of change, if it did not read SYNC_OVERLAP_SECONDS again.',
    tables: [
      toTable(
        'overlap',
        {
          overlapSeconds: 'SYNC_OVERLAP_SECONDS',
          openWrites: 'Open write transactions',
          longestSeconds: 'Longest, s',
        },
        [
          {
            overlapSeconds,
            openWrites: known?.count ?? null,
            longestSeconds: known?.seconds ?? null,
          },
        ],
      ),
    ],
    notes: typeof longest === 'string' ? notes[longest] : [],
    findings: known === null ? [] : evaluateOverlap(known.seconds, overlapSeconds),
  })
  return known === null ? { ...section, status: 'skipped' } : section
}

function evaluateOverlap(seconds: number, overlapSeconds: number): readonly Finding[] {
  if (seconds < overlapSeconds) return []
  const problem = `is ${overlapSeconds}, and a transaction that has written is open for ${seconds} seconds`
  const fix = `set it to more than the longest write transaction, such as ${Math.ceil((seconds * 2) / 60) * 60}`
  return [createError('SYNC_OVERLAP_SECONDS', problem, fix)]
}

const notes = {
  denied: [
    'This user may not see transactions, and needs no such privilege. Set SYNC_OVERLAP_SECONDS to twice the longest time from the time of change of a row to its commit, with the replication lag.',
    `A user with PROCESS can read the longest transaction, at the time of most writes: ${longestSql};`,
  ],
  garbled: [
    'The server could not show its transactions, because one of them was running a statement with bytes that are no text. Run the check again.',
  ],
}
