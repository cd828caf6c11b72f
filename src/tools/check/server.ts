import type { Account } from '../../audit/account.js'
import { renderSameName, toUserName } from '../../audit/grants-sql.js'
import type { Clock } from '../../values/instant.js'
import type { Config } from '../../config.js'
import { isAccessDenied, isSchemaError } from '../../database/errors.js'
import { parseHeartbeat } from '../../database/heartbeat.js'
import type { Heartbeat } from '../../database/heartbeat.js'
import { readTables } from '../../database/schema.js'
import { readServer } from '../../database/server-kind.js'
import { toQuotedName } from '../../database/sql.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { isLoopback } from '../../values/addresses.js'
import { readServerClock } from '../../values/instant.js'
import type { Instant } from '../../values/instant.js'
import { createError, createWarning } from '../../finding.js'
import { createSection } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Section } from '../report/report.js'
import { orNone } from './findings.js'
import { toSeconds } from './sample.js'

/* The account, the server, and what makes a sync complete: what each probe answers, and a table of what is wrong then. */

/** What a server answers to the probes. */
export type ServerState = Awaited<ReturnType<typeof readServerState>>

/** The times of a row of the heartbeat; undefined for what is no time. */
interface Beat {
  readonly beat: Instant | undefined
  readonly oldest: Instant | undefined
}

const variablesSql = `show variables where variable_name in ('read_only', 'replica_preserve_commit_order', 'replica_parallel_workers',
  'group_replication_single_primary_mode', 'gtid_current_pos')`

/** Reads all of it on one session. What the server denies to the account is undefined. */
export async function readServerState(run: RunQuery, heartbeat: Heartbeat | undefined, clock: Clock) {
  const { kind } = await readServer(run)
  const probe = async (sql: string): Promise<readonly Row[] | undefined> => orNone(run({ sql, values: [] }))
  const before = clock()
  const [reading] = await run({ sql: 'select utc_timestamp(6) as `now`', values: [] })
  const [now, after] = [readServerClock(reading?.['now']), clock()]
  const rows = [await probe(variablesSql), await probe("show session status like 'Ssl_cipher'")].flat()
  const variables = new Map(rows.map((row) => [String(row?.['Variable_name']), String(row?.['Value'])]))
  const ofMembers = 'select 1 from performance_schema.replication_group_members'
  return {
    kind,
    now,
    /** Milliseconds that the database is ahead of this machine; the error is at most half the round trip. */
    aheadMs: toSeconds(now) * 1000 - (before + after) / 2,
    roundTripMs: after - before,
    read: (name: string) => variables.get(name) ?? '',
    /** The channels by which it replicates. */
    sources: (await probe(kind.dialect === 'mariadb' ? 'show all slaves status' : 'show replica status'))
      ?.length,
    /** Of a group. */
    members: kind.cluster === 'group' ? (await probe(ofMembers))?.length : undefined,
    engine: heartbeat && (await readTables(run, { names: [heartbeat.table] }))[0]?.engine,
    beats: heartbeat === undefined ? [] : await readBeats(run, heartbeat),
  }
}

/** The rows of the heartbeat, or why it cannot be read. */
async function readBeats(
  run: RunQuery,
  { table, column, oldestOpen = column }: Heartbeat,
): Promise<readonly Beat[] | string> {
  const [beat = '', oldest = '', name = ''] = [column, oldestOpen, table].map(toQuotedName)
  try {
    const sql = `select ${beat} as beat, ${oldest} as oldest from ${name} limit 100`
    const rows = await run({ sql, values: [] })
    return rows.map((row) => ({ beat: parseHeartbeat(row['beat']), oldest: parseHeartbeat(row['oldest']) }))
  } catch (error) {
    if (!isSchemaError(error) && !isAccessDenied(error)) throw error
    return error instanceof Error ? error.message : String(error)
  }
}

/** A rule about the server: whether it is broken, what is wrong then, and what to do. */
type Check = readonly [isWrong: boolean, problem: string, fix: string]

const list = (object: string, checks: readonly Check[], create: typeof createError) =>
  checks.flatMap(([isWrong, problem, fix]) => (isWrong ? [create(object, problem, fix)] : []))

/** Keys expire by the clock of this machine. A greater difference means that a clock is not set by NTP. */
const clockToleranceMs = 1000

/** The server, and whether a sync gets every change. */
export function checkFreshness(
  { database: { host, tls }, syncOverlapSeconds }: Pick<Config, 'database' | 'syncOverlapSeconds'>,
  state: ServerState,
  heartbeat: Heartbeat | undefined,
): Section {
  const { kind, read, aheadMs, roundTripMs, beats, now } = state
  const ages = typeof beats === 'string' ? [] : beats.map(({ beat }) => now.seconds - (beat?.seconds ?? NaN))
  const notes = [
    `${kind.dialect === 'mariadb' ? 'MariaDB' : 'MySQL'} ${kind.version}; TLS: ${read('Ssl_cipher') || 'none'}.`,
    `The database is ${Math.round(aheadMs)} ms ahead of this machine, read with a round trip of ${Math.round(roundTripMs)} ms.`,
    `SYNC_OVERLAP_SECONDS is ${syncOverlapSeconds}; age of the heartbeat in seconds: ${ages.join(', ') || 'none is mapped'}.`,
  ]
  const plain: Check = [
    !isLoopback(host) && tls === 'off',
    'is off, and the database is on another machine: its rows are sent without encryption',
    'set DATABASE_TLS to verify-identity, and DATABASE_TLS_CA to the PEM file of its authority',
  ]
  const clocks: Check = [
    Math.abs(aheadMs) - roundTripMs / 2 > clockToleranceMs,
    `differ by ${Math.round(Math.abs(aheadMs))} ms: keys expire that much too ${aheadMs > 0 ? 'late' : 'early'}`,
    'set the clocks of both machines by NTP',
  ]
  const ofHeartbeat =
    heartbeat === undefined
      ? list('heartbeat', [checkReplication(state)], createWarning)
      : list('heartbeat', checkHeartbeat(heartbeat, state), createError)
  return createSection({
    id: 'freshness',
    title: 'Server and completeness of syncs',
    intro:
      'A sync reads again from nextUpdatedSince. It rests on the heartbeat where one is mapped, else on the clock of the server; SYNC_OVERLAP_SECONDS or heartbeat.oldestOpen covers transactions that commit after their time of change.',
    notes,
    findings: [
      ...ofHeartbeat,
      ...list('the clocks', [clocks], createWarning),
      ...list('DATABASE_TLS', [plain], createWarning),
    ],
  })
}

function isOn(value: string): boolean {
  return !['', 'OFF', '0'].includes(value)
}

/** Without a heartbeat, a server that gets its data from another one proves nothing. */
function checkReplication({ kind, read, sources }: ServerState): Check {
  const isReplica = sources === undefined ? isOn(read('read_only')) : sources > 0
  const what = isReplica ? 'replicates from another one' : 'is a member of a cluster'
  return [
    isReplica || kind.cluster !== 'alone',
    `is not mapped, and the server ${what}: SYNC_OVERLAP_SECONDS protects a sync from late commits, and nothing from a server that is further behind than that`,
    'let the product write one every second, and map it',
  ]
}

/** The server can be ahead of another one by as much as two clocks differ. */
const aheadMaxSeconds = 5

const write = 'let pt-heartbeat --utc, or an event of the product, write UTC_TIMESTAMP(6) every second'
const order = 'a heartbeat proves freshness only within one ordered stream of commits'

function checkHeartbeat(
  { table }: Heartbeat,
  { kind, read, beats, engine, now, sources = 0, members = 2 }: ServerState,
): readonly Check[] {
  if (typeof beats === 'string') return [[true, `cannot be read: ${beats}`, 'run what vitrine grants prints']]
  const times = beats.flatMap(({ beat, oldest }) => [beat, oldest])
  const ahead = Math.max(...times.map((time) => (time?.seconds ?? 0) - now.seconds))
  const domains = new Set(read('gtid_current_pos').match(/\d+(?=-\d+-\d+)/g)).size
  const isReordering =
    read('replica_preserve_commit_order') === 'OFF' && Number(read('replica_parallel_workers')) > 1
  const isMultiPrimary = kind.cluster === 'group' && read('group_replication_single_primary_mode') === 'OFF'
  return [
    [engine !== undefined && engine !== 'InnoDB', `${table} is not InnoDB, but ${engine ?? ''}`, order],
    [times.length === 0, `${table} is empty, so nextUpdatedSince never moves`, write],
    [times.includes(undefined), `${table} has a time that is NULL or unreadable`, write],
    [ahead > aheadMaxSeconds, `${table} is ${ahead} seconds ahead of the server`, write],
    [sources > 1, `the server replicates from ${sources} sources`, order],
    [domains > 1, `the server has ${domains} GTID domains`, order],
    [isReordering, 'replica_preserve_commit_order is OFF', order],
    [
      isMultiPrimary && beats.length < members,
      `the group has several primaries, and ${table} has fewer rows than members: ${beats.length}`,
      'let each member write a row of its own',
    ],
  ]
}

/** What the account holds, as SHOW GRANTS lists it, and what the audit found; one line for an administrator. */
export function checkPrivileges(account: Account | undefined, findings: readonly Finding[]): Section {
  const held = account?.held ?? []
  const name = account?.account ?? ''
  // An account that may change whole databases is that of a person.
  const isAdministrator = held.some(
    ({ privilege, object }) =>
      /^(ALL PRIVILEGES|INSERT|CREATE|SUPER)$/.test(privilege) && object.endsWith('.*'),
  )
  const problem = `is an administrator's account: the audit has ${findings.length} findings about it, and the service does not start with it`
  const fix =
    'create an account with the statements of vitrine grants, and check again with it before the start'
  const isOne = isAdministrator && findings.length > 0
  return createSection({
    id: 'privileges',
    title: 'Privileges',
    intro:
      'What the database user may do, by itself and by every role that it can take. The mapping needs SELECT on the mapped columns and nothing else.',
    notes: account === undefined || isOne ? [] : [describeSameName(name)],
    findings: isOne ? [createWarning(name, problem, fix)] : findings,
  })
}

function describeSameName(account: string): string {
  return `Grants of another account with the same name, or with none, apply to ${account} too where the host matches. The check cannot see CREATE ROUTINE, ALTER ROUTINE, LOCK TABLES and CREATE TEMPORARY TABLES of such an account, nor what applies from other hosts only. An administrator can list these accounts with this query, and their privileges with SHOW GRANTS FOR each: ${renderSameName(toUserName(account))}`
}
