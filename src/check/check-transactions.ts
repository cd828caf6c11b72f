import { isAccessDenied } from '../database/errors.js'
import type { RunQuery } from '../database/statement.js'
import { toTable } from './report.js'
import type { CheckSection } from './report.js'

/** The longest open transaction that has written, in seconds; null where the user may not see transactions. */
export type LongestWrite = { readonly seconds: number; readonly count: number } | null

/** InnoDB shows the start in the time zone of the server, whatever that of the session is. */
const longestSql =
  "select count(*) as `count`, coalesce(max(timestampdiff(second, trx_started, convert_tz(utc_timestamp(), '+00:00', 'SYSTEM'))), 0) as `seconds` " +
  'from information_schema.innodb_trx where trx_rows_modified > 0'

/** Reads the longest write transaction. The server should deny this to the user of `vitrine grants`. */
export async function readLongestWrite(runQuery: RunQuery): Promise<LongestWrite> {
  try {
    const [row] = await runQuery({ sql: longestSql, values: [] })
    return { seconds: Number(row?.['seconds']), count: Number(row?.['count']) }
  } catch (error) {
    if (isAccessDenied(error)) return null
    throw error
  }
}

/** Whether the overlap is longer than the transactions of the product. */
export function checkTransactions(longest: LongestWrite, overlapSeconds: number): CheckSection {
  return {
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
  'This user may not see transactions, and needs no such privilege. Set SYNC_OVERLAP_SECONDS to twice the longest time from the time of change of a row to its commit, with the replication lag.',
  `A user with PROCESS can read the longest transaction, at the time of most writes: ${longestSql};`,
]
