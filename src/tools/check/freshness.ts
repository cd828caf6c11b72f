import type { Clock } from '../../clock.js'
import { isAccessDenied, isConnectionLost, isGarbledStatement, isSchemaError } from '../../database/errors.js'
import { parseHeartbeat } from '../../database/heartbeat.js'
import type { Heartbeat } from '../../database/heartbeat.js'
import { readTables } from '../../database/schema.js'
import { toQuotedName } from '../../database/sql.js'
import type { RunQuery } from '../../database/statement.js'
import { readServerClock } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { createError, createWarning } from '../../finding.js'
import { createSection, toTable } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Section } from '../report/report.js'
import { orNone, toSeconds } from './sample.js'
import { isOn } from './server.js'
import type { ServerState } from './server.js'

/* What makes a sync complete: the heartbeat or the overlap, the clocks, and transactions that commit late. */

/** What the section needs to know. */
interface Freshness {
  readonly now: Instant
  /** Milliseconds that the database is ahead of this machine; the error is at most half the round trip. */
  readonly aheadMs: number
  readonly roundTripMs: number
  /** The times of each row of the heartbeat, of which `oldest` is undefined without a column; or why it cannot be read. */
  readonly beats:
    readonly { readonly beat: Instant | undefined; readonly oldest: Instant | undefined }[] | string
  readonly engine: string | undefined
  /** How many channels the server replicates by; undefined where the account may not see them. */
  readonly sources: number | undefined
  /** The members of the group; undefined where there is none, or where the account may not see them. */
  readonly members: number | undefined
  /** Seconds of the longest open transaction that has written or waits to write, or why it is not known. */
  readonly longest: number | keyof typeof notes
}

const clockAttempts = 5

/** Reads all of it on one session. A proxy can end that with the last statement, in place of an answer. */
export async function readFreshness(
  run: RunQuery,
  { kind }: ServerState,
  heartbeat: Heartbeat | undefined,
  clock: Clock,
): Promise<Freshness> {
  const readings = []
  while (readings.length < clockAttempts) {
    const before = clock()
    const [row] = await run({ sql: 'select utc_timestamp(6) as `now`', values: [] })
    const [now, after] = [readServerClock(row?.['now']), clock()]
    const aheadMs = toSeconds(now) * 1000 - (before + after) / 2
    readings.push({ now, aheadMs, roundTripMs: after - before })
  }
  const [reading] = readings.toSorted((a, b) => a.roundTripMs - b.roundTripMs)
  const count = async (sql: string): Promise<number | undefined> =>
    (await orNone(run({ sql, values: [] })))?.length
  return {
    ...(reading as (typeof readings)[0]),
    beats: heartbeat === undefined ? [] : await readBeats(run, heartbeat),
    engine: heartbeat && (await readTables(run, { names: [heartbeat.table] }))[0]?.engine,
    sources: await count(kind.dialect === 'mariadb' ? 'show all slaves status' : 'show replica status'),
    members:
      kind.cluster === 'group'
        ? await count('select 1 from performance_schema.replication_group_members')
        : undefined,
    longest: await readLongestWrite(run),
  }
}

async function readBeats(run: RunQuery, heartbeat: Heartbeat): Promise<Freshness['beats']> {
  const { table, column, oldestOpen = column } = heartbeat
  const [beat, oldest, name] = [column, oldestOpen, table].map(toQuotedName)
  try {
    const sql = `select ${beat ?? ''} as beat, ${oldest ?? ''} as oldest from ${name ?? ''} limit 100`
    const rows = await run({ sql, values: [] })
    return rows.map((row) => ({ beat: parseHeartbeat(row['beat']), oldest: parseHeartbeat(row['oldest']) }))
  } catch (error) {
    if (!isSchemaError(error) && !isAccessDenied(error)) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

/** InnoDB shows the start in the time zone of the server, whatever that of the session is. */
const longestSql =
  "select coalesce(max(timestampdiff(second, trx_started, convert_tz(utc_timestamp(), '+00:00', 'SYSTEM'))), 0) as `seconds` " +
  // A statement that waits for a lock has fixed its time of change already.
  "from information_schema.innodb_trx where trx_rows_modified > 0 or trx_state = 'LOCK WAIT'"

/** The server should deny this to the user of `vitrine grants`. */
async function readLongestWrite(run: RunQuery): Promise<Freshness['longest']> {
  try {
    const [row] = await run({ sql: longestSql, values: [] })
    return Number(row?.['seconds'])
  } catch (error) {
    if (isGarbledStatement(error)) return 'garbled'
    // The server denies this after it has named the columns, which ends the connection in MySQL Router 9.7.
    if (isAccessDenied(error) || isConnectionLost(error)) return 'denied'
    throw error
  }
}

const notes = {
  denied: `This user may not see transactions, and needs no such privilege. Set SYNC_OVERLAP_SECONDS to twice the longest time from the time of change of a row to its commit. A user with PROCESS can read it, at the time of most writes: ${longestSql};`,
  garbled:
    'The server could not show its transactions, because one of them was running a statement with bytes that are no text. Run the check again.',
} as const

/** Whether a sync gets every change. */
export function checkFreshness(
  read: Freshness,
  state: ServerState,
  heartbeat: Heartbeat | undefined,
  overlapSeconds: number,
): Section {
  const { aheadMs, roundTripMs, longest, beats, now } = read
  const ages = typeof beats === 'string' ? [] : beats.map(({ beat }) => now.seconds - (beat?.seconds ?? NaN))
  const heads = {
    aheadMs: 'Database ahead of this machine, ms',
    roundTripMs: 'Round trip, ms',
    heartbeat: 'Age of the heartbeat, s',
    overlapSeconds: 'SYNC_OVERLAP_SECONDS',
    longest: 'Longest open write transaction, s',
  }
  const row = {
    aheadMs: Math.round(aheadMs),
    roundTripMs: Math.round(roundTripMs),
    heartbeat: ages.join(', ') || 'none',
    overlapSeconds,
    longest,
  }
  const of =
    heartbeat === undefined ? evaluateReplication(state, read) : evaluateHeartbeat(heartbeat, state, read)
  return createSection({
    id: 'freshness',
    title: 'Completeness of syncs',
    intro:
      'A sync reads again from nextUpdatedSince. It rests on the heartbeat where one is mapped, else on the clock of the server; SYNC_OVERLAP_SECONDS or heartbeat.oldestOpen covers transactions that commit after their time of change.',
    tables: [toTable('sync', heads, [row])],
    notes: typeof longest === 'number' ? [] : [notes[longest]],
    findings: [
      ...of,
      ...evaluateClocks(read),
      ...(heartbeat?.oldestOpen === undefined ? evaluateOverlap(longest, overlapSeconds) : []),
    ],
  })
}

/** Without a heartbeat, a server that gets its data from another one proves nothing. */
function evaluateReplication({ kind, read }: ServerState, { sources }: Freshness): readonly Finding[] {
  const isReplica = sources === undefined ? isOn(read('read_only')) : sources > 0
  if (!isReplica && kind.cluster === 'alone') return []
  const what = isReplica ? 'replicates from another one' : 'is a member of a cluster'
  const problem = `is not mapped, and the server ${what}: SYNC_OVERLAP_SECONDS protects a sync from late commits, and nothing from a server that is further behind than that`
  return [createWarning('heartbeat', problem, 'let the product write one every second, and map it')]
}

/** The server can be ahead of another one by as much as two clocks differ. */
const aheadMaxSeconds = 5

const write = 'let pt-heartbeat --utc, or an event of the product, write UTC_TIMESTAMP(6) every second'
const order = 'a heartbeat proves freshness only within one ordered stream of commits'

function evaluateHeartbeat(
  { table }: Heartbeat,
  { kind, read }: ServerState,
  { beats, engine, now, sources = 0, members }: Freshness,
): readonly Finding[] {
  if (typeof beats === 'string')
    return [createError('heartbeat', `cannot be read: ${beats}`, 'run what vitrine grants prints')]
  const times = beats.flatMap(({ beat, oldest }) => [beat, oldest])
  const ahead = Math.max(...times.map((time) => (time?.seconds ?? 0) - now.seconds))
  const domains = new Set(
    read('gtid_current_pos')
      .split(',')
      .map((one) => one.split('-')[0]),
  ).size
  const isReordering =
    read('replica_preserve_commit_order') === 'OFF' && Number(read('replica_parallel_workers')) > 1
  const isMultiPrimary = read('group_replication_single_primary_mode') === 'OFF' && kind.cluster === 'group'
  const checks: readonly (readonly [isWrong: boolean, problem: string, fix: string])[] = [
    [engine !== undefined && engine !== 'InnoDB', `${table} is not InnoDB, but ${engine ?? ''}`, order],
    [times.length === 0, `${table} is empty, so nextUpdatedSince never moves`, write],
    [times.includes(undefined), `${table} has a time that is NULL or unreadable`, write],
    [ahead > aheadMaxSeconds, `${table} is ${ahead} seconds ahead of the server`, write],
    [sources > 1, `the server replicates from ${sources} sources`, order],
    [domains > 1, `the server has ${domains} GTID domains`, order],
    [isReordering, 'replica_preserve_commit_order is OFF', order],
    [
      isMultiPrimary && beats.length < (members ?? 2),
      `the group has several primaries, and ${table} has fewer rows than members: ${beats.length}`,
      'let each member write a row of its own',
    ],
  ]
  return checks.flatMap(([isWrong, problem, fix]) =>
    isWrong ? [createError('heartbeat', problem, fix)] : [],
  )
}

/** Keys expire by the clock of this machine. A greater difference means that a clock is not set by NTP. */
const clockToleranceMs = 1000

function evaluateClocks({ aheadMs, roundTripMs }: Freshness): readonly Finding[] {
  if (Math.abs(aheadMs) - roundTripMs / 2 <= clockToleranceMs) return []
  const problem = `differ by ${Math.round(Math.abs(aheadMs))} ms: keys expire that much too ${aheadMs > 0 ? 'late' : 'early'}`
  return [createWarning('the clocks', problem, 'set the clocks of both machines by NTP')]
}

function evaluateOverlap(longest: Freshness['longest'], overlapSeconds: number): readonly Finding[] {
  if (typeof longest === 'string' || longest < overlapSeconds) return []
  const problem = `is ${overlapSeconds}, and a transaction that has written or waits for a lock is open for ${longest} seconds`
  const fix = `set it to more, such as ${Math.ceil((longest * 2) / 60) * 60}, or map heartbeat.oldestOpen`
  return [createError('SYNC_OVERLAP_SECONDS', problem, fix)]
}
