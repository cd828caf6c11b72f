import { isAccessDenied, isConnectionLost, isGarbledStatement } from '../../database/errors.js'
import type { OldestOpen } from './oldest-open.js'
import type { RunQuery } from '../../database/statement.js'
import { createError, createSection, createWarning, toTable } from '../report/report.js'
import type { Finding, Section, Table } from '../report/report.js'

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

/** What `heartbeat.oldestOpen` says on a host. */
export interface OldestOpenReading {
  readonly host: string
  readonly oldestOpen: OldestOpen
  /** By the clock of the host. */
  readonly nowSeconds: number
}

interface TransactionsInput {
  readonly longest: LongestWrite
  /** Of each host; empty where the mapping file does not name it. */
  readonly oldestOpens: readonly OldestOpenReading[]
  readonly overlapSeconds: number
  /** The greatest age of a row that counts. */
  readonly ageMaxSeconds: number
}

/** Whether syncs miss no late commit: by the oldest open transaction, or by an overlap that is longer than transactions. */
export function checkTransactions(input: TransactionsInput): Section {
  const { longest, oldestOpens, overlapSeconds, ageMaxSeconds } = input
  const rows = oldestOpens.map((one) => toOldestRow(one, ageMaxSeconds))
  const isUsed = rows.length > 0 && rows.every(({ state }) => state === 'used')
  const section = createSection({
    id: 'transactions',
    title: 'Late commits',
    intro:
      'A sync would miss a row that is committed later than its time of change, if it did not read the time before its start again: SYNC_OVERLAP_SECONDS, or as much as heartbeat.oldestOpen says.',
    tables: [
      toOverlapTable(longest, overlapSeconds),
      ...(rows.length === 0 ? [] : [toTable('oldestOpen', oldestColumns, rows)]),
    ],
    notes: isUsed ? [usedNote] : typeof longest === 'string' ? notes[longest] : [],
    findings: [
      ...rows.filter(({ state }) => state !== 'used').map(toWarning),
      ...(isUsed ? [] : evaluateOverlap(longest, overlapSeconds)),
    ],
  })
  const isUnknown = typeof longest === 'string' && rows.length === 0
  return isUnknown ? { ...section, status: 'skipped' } : section
}

function toOverlapTable(longest: LongestWrite, overlapSeconds: number): Table {
  const { count: openWrites, seconds: longestSeconds } =
    typeof longest === 'string' ? { count: null, seconds: null } : longest
  const titles = {
    overlapSeconds: 'SYNC_OVERLAP_SECONDS',
    openWrites: 'Open write transactions',
    longestSeconds: 'Longest, s',
  }
  return toTable('overlap', titles, [{ overlapSeconds, openWrites, longestSeconds }])
}

const oldestColumns = {
  host: 'Host',
  state: 'heartbeat.oldestOpen',
  ageSeconds: 'Age of its row, s',
  openSeconds: 'Oldest open transaction, s',
}

function toOldestRow({ host, oldestOpen, nowSeconds }: OldestOpenReading, ageMaxSeconds: number) {
  if ('reason' in oldestOpen) return { host, state: oldestOpen.reason, ageSeconds: null, openSeconds: null }
  const { startedAt, ageSeconds } = oldestOpen
  const state = ageSeconds > ageMaxSeconds ? `A row is older than ${ageMaxSeconds} s` : 'used'
  return { host, state, ageSeconds, openSeconds: Math.max(0, nowSeconds - startedAt.seconds) }
}

function toWarning({ host, state }: { readonly host: string; readonly state: string }): Finding {
  const problem = `is not used on ${host}, so SYNC_OVERLAP_SECONDS counts: ${state}`
  return createWarning(
    'heartbeat.oldestOpen',
    problem,
    'let the event of docs/deploy.md, "Replicas", write it every second',
  )
}

function evaluateOverlap(longest: LongestWrite, overlapSeconds: number): readonly Finding[] {
  if (typeof longest === 'string' || longest.seconds < overlapSeconds) return []
  const { seconds } = longest
  const problem = `is ${overlapSeconds}, and a transaction that has written or waits for a lock is open for ${seconds} seconds`
  const minimum = Math.ceil((seconds * 2) / 60) * 60
  const fix = `set it to more than the longest write transaction, such as ${minimum}, or map heartbeat.oldestOpen`
  return [createError('SYNC_OVERLAP_SECONDS', problem, fix)]
}

const usedNote =
  'No length of a transaction has to be guessed: nextUpdatedSince rests on heartbeat.oldestOpen, less 10 seconds. SYNC_OVERLAP_SECONDS counts while its row is old or cannot be read.'

const notes = {
  denied: [
    'This user may not see transactions, and needs no such privilege. Set SYNC_OVERLAP_SECONDS to twice the longest time from the time of change of a row to its commit, with the replication lag.',
    `A user with PROCESS can read the longest transaction, at the time of most writes: ${longestSql};`,
  ],
  garbled: [
    'The server could not show its transactions, because one of them was running a statement with bytes that are no text. Run the check again.',
  ],
}
