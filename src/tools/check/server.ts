import type { Account } from '../../audit/account.js'
import { isOfOthers } from '../../audit/evaluate-account.js'
import type { Config } from '../../config.js'
import { readProof, selectBeats, toAgeSeconds } from '../../database/heartbeat.js'
import type { Heartbeat, Proof } from '../../database/heartbeat.js'
import { readTables, toText } from '../../database/schema.js'
import { readServer } from '../../database/server.js'
import type { Row, RunQuery } from '../../database/statement.js'
import { isLoopback } from '../../values/addresses.js'
import { readServerClock } from '../../values/instant.js'
import type { Clock } from '../../values/instant.js'
import { createError, createWarning } from '../../finding.js'
import { createSection } from '../report/report.js'
import type { Finding } from '../../finding.js'
import type { Section } from '../report/report.js'
import { orNone, toCountText } from './findings.js'

/* The account, the server, and what makes a sync complete: what each probe answers, and a table of what is wrong then. */

/** What a server answers to the probes. */
export type ServerState = Awaited<ReturnType<typeof readServerState>>

const variablesSql = `show variables where variable_name in ('read_only', 'replica_preserve_commit_order', 'replica_parallel_workers',
  'group_replication_single_primary_mode', 'gtid_current_pos')`

/** Reads all of it on one session. What the server denies to the account is undefined. */
export async function readServerState(run: RunQuery, heartbeat: Heartbeat | undefined, clock: Clock) {
  const kind = await readServer(run)
  const probe = async (sql = ''): Promise<readonly Row[] | undefined> =>
    sql === '' ? undefined : orNone(run({ sql, values: [] }))
  const before = clock()
  const [reading] = await run({ sql: 'select utc_timestamp(6) as `now`', values: [] })
  const [now, after] = [readServerClock(reading?.['now']), clock()]
  const variables = new Map<unknown, unknown>()
  for (const sql of [variablesSql, "show session status like 'Ssl_cipher'"])
    for (const row of (await probe(sql)) ?? []) variables.set(row['Variable_name'], row['Value'])
  return {
    kind,
    now,
    /** Milliseconds that the database is ahead of this machine; the error is at most half the round trip. */
    aheadMs: Math.round(now.seconds * 1000 + now.micros / 1000 - (before + after) / 2),
    roundTripMs: after - before,
    read: (variable: string) => toText(variables.get(variable)),
    /** The channels by which it replicates. */
    sources: await probe(kind.dialect === 'mariadb' ? 'show all slaves status' : 'show replica status'),
    /** Of a group. */
    members: await probe(kind.cluster === 'group' ? membersSql : undefined),
    engine: heartbeat && (await readTables(run, { names: [heartbeat.table] }))[0]?.engine,
    /** What a page would prove. */
    proof: heartbeat && (await orNone(readHeartbeat(run, heartbeat))),
  }
}

const membersSql = 'select 1 from performance_schema.replication_group_members'

async function readHeartbeat(run: RunQuery, heartbeat: Heartbeat): Promise<Proof | undefined> {
  const [row] = await run({ sql: `select ${selectBeats(heartbeat).text}`, values: [] })
  return row && readProof(row)
}

/** What is wrong with an object of the configuration, and what to do. */
type Check = readonly [object: string, isWrong: boolean, problem: string, fix: string]

const list = (create: typeof createError, checks: readonly Check[]) =>
  checks.flatMap(([object, isWrong, problem, fix]) => (isWrong ? [create(object, problem, fix)] : []))

/** The server, and whether a sync gets every change. */
export function checkFreshness(
  config: Pick<Config, 'database' | 'syncOverlapSeconds'>,
  state: ServerState,
  heartbeat: Heartbeat | undefined,
): Section {
  const { kind, read, aheadMs, roundTripMs, proof } = state
  const age = proof?.complete === undefined ? 'none' : toAgeSeconds(proof)
  return createSection({
    id: 'freshness',
    title: 'Server and completeness of syncs',
    intro:
      'A sync reads again from nextUpdatedSince. It rests on the heartbeat where one is mapped, else on the clock of the server; SYNC_OVERLAP_SECONDS or heartbeat.oldestOpen covers transactions that commit after their time of change.',
    notes: [
      `${kind.dialect === 'mariadb' ? 'MariaDB' : 'MySQL'} ${kind.version}; TLS: ${read('Ssl_cipher') || 'none'}.`,
      `The database is ${aheadMs} ms ahead of this machine, read with a round trip of ${roundTripMs} ms.`,
      `SYNC_OVERLAP_SECONDS is ${config.syncOverlapSeconds}; age of the heartbeat in seconds: ${age}.`,
    ],
    findings: [
      ...(heartbeat === undefined ? [] : list(createError, listHeartbeat(heartbeat, state))),
      ...list(createWarning, listOthers(config, state, heartbeat)),
    ],
  })
}

/** Keys expire by the clock of this machine. A greater difference means that a clock is not set by NTP. */
const clockToleranceMs = 1000

function listOthers(
  { database }: Pick<Config, 'database'>,
  { kind, read, sources, aheadMs, roundTripMs }: ServerState,
  heartbeat: Heartbeat | undefined,
): readonly Check[] {
  const isReplica = sources === undefined ? ['ON', '1'].includes(read('read_only')) : sources.length > 0
  const replica = sources === undefined ? 'is read-only, as a replica is' : 'replicates from another one'
  const what = isReplica ? replica : 'is a member of a cluster'
  return [
    [
      'heartbeat',
      // A server that gets its data from another one proves nothing.
      heartbeat === undefined && (isReplica || kind.cluster !== 'alone'),
      `is not mapped, and the server ${what}: SYNC_OVERLAP_SECONDS protects a sync from late commits, and nothing from a server that is further behind than that`,
      'let the product write one every second, and map it',
    ],
    [
      'the clocks',
      Math.abs(aheadMs) - roundTripMs / 2 > clockToleranceMs,
      `differ by ${Math.abs(aheadMs)} ms: keys expire that much too ${aheadMs > 0 ? 'late' : 'early'}`,
      'set the clocks of both machines by NTP',
    ],
    [
      'DATABASE_TLS',
      !isLoopback(database.host) && database.tls === 'off',
      'is off, and the database is on another machine: its rows are sent without encryption',
      'set DATABASE_TLS to verify-identity, and DATABASE_TLS_CA to the PEM file of its authority',
    ],
  ]
}

const write =
  'let pt-heartbeat --utc, or an event of the product, write UTC_TIMESTAMP(6) every second, in one row for each writer'
const order = 'a heartbeat proves freshness only within one ordered stream of commits'
const ofEach = 'let each member write a row of its own'

function listHeartbeat(
  { table }: Heartbeat,
  { read, proof, engine, sources = [], members }: ServerState,
): readonly Check[] {
  const domains = new Set(read('gtid_current_pos').match(/\d+(?=-\d+-\d+)/g)).size
  const isReordering =
    read('replica_preserve_commit_order') === 'OFF' && Number(read('replica_parallel_workers')) > 1
  const isMulti = read('group_replication_single_primary_mode') === 'OFF'
  const { writers = 0, flaw } = proof ?? {}
  const checks: readonly (readonly [isWrong: boolean, problem: string, fix: string])[] = [
    [proof === undefined, `${table} cannot be read`, 'run what vitrine grants prints'],
    [flaw !== undefined, `${table} ${flaw ?? ''}, so nextUpdatedSince never moves`, write],
    [![undefined, 'InnoDB'].includes(engine), `${table} is not InnoDB, but ${String(engine)}`, order],
    [sources.length > 1, `the server replicates from ${sources.length} sources`, order],
    [domains > 1, `the server has ${domains} GTID domains`, order],
    [isReordering, 'replica_preserve_commit_order is OFF', order],
    [
      isMulti && writers < (members?.length ?? 2),
      `several primaries, and ${writers} rows of ${table}`,
      ofEach,
    ],
  ]
  return checks.map((check) => ['heartbeat', ...check])
}

/** What the audit found about privileges; one line for an account of others. */
export function checkPrivileges(account: Account | undefined, findings: readonly Finding[]): Section {
  const problem = `sees more than the mapping needs: the audit has ${toCountText(findings.length, 'finding')} about it, and the service does not start with it`
  const fix =
    'leave this account as it is, create one for the service with the statements of vitrine grants, and check again with that one'
  const isOne = account !== undefined && isOfOthers(account) && findings.length > 0
  return createSection({
    id: 'privileges',
    title: 'Privileges',
    intro:
      'What the database user may do, by itself and by every role that it can take. The mapping needs SELECT on the mapped columns and nothing else.',
    findings: isOne ? [createWarning(account.account, problem, fix)] : findings,
  })
}
