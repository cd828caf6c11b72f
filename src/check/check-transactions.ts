import { isAccessDenied } from '../database/driver-errors.js'
import type { RunQuery } from '../database/statement.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** The longest open transaction that has written, in seconds; null where the user may not see it. */
export type LongestWrite = { readonly seconds: number; readonly count: number } | null

/** InnoDB tells the start in the server's own zone, whatever the session's is. */
const longestSql =
  "select count(*) as `count`, coalesce(max(timestampdiff(second, trx_started, convert_tz(utc_timestamp(), '+00:00', 'SYSTEM'))), 0) as `seconds` " +
  'from information_schema.innodb_trx where trx_rows_modified > 0'

/** Looks for the longest write transaction; a least-privileged user is refused, and should be. */
export async function readLongestWrite(ask: RunQuery): Promise<LongestWrite> {
  try {
    const [row] = await ask({ sql: longestSql, values: [] })
    return { seconds: Number(row?.['seconds']), count: Number(row?.['count']) }
  } catch (error) {
    if (isAccessDenied(error)) return null
    throw error
  }
}

/** Whether the overlap covers how late the product commits. */
export function checkTransactions(longest: LongestWrite, overlapSeconds: number): CheckSection {
  return {
    id: 'transactions',
    title: 'Late commits',
    intro:
      'A row that commits later than its time of change would be missed by a sync, if SYNC_OVERLAP_SECONDS did not reach back over it.',
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
            openWrites: longest?.count ?? null,
            longestSeconds: longest?.seconds ?? null,
          },
        ],
      ),
    ],
    notes: longest === null ? advice : [],
    findings:
      longest !== null && longest.seconds >= overlapSeconds
        ? [
            {
              severity: 'error',
              object: 'SYNC_OVERLAP_SECONDS',
              privilege: null,
              problem: `is ${overlapSeconds}, and a transaction that has written is open for ${longest.seconds} seconds`,
              fix: `set it to more than the longest write transaction, such as ${Math.ceil((longest.seconds * 2) / 60) * 60}`,
            },
          ]
        : [],
  }
}

const advice = [
  'This user may not see transactions, which is as it should be. Choose SYNC_OVERLAP_SECONDS greater than the longest time from a row’s time of change to its commit, replication lag included, and double it.',
  `Whoever has PROCESS can look, at the busiest hour: ${longestSql};`,
]
