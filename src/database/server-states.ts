import { SessionError } from './connection.js'
import type { Dialect } from './dialects.js'
import { isAccessDenied, isConnectionLost } from './errors.js'
import { unknownFreshness } from './freshness.js'
import type { DatedFreshness, Freshness } from './freshness.js'
import type { Row, RunQuery, Statement } from './statement.js'

/** The status variables that say whether a node takes part in its cluster; every user can read them. */
const statusStatement: Statement = {
  sql: "show global status where variable_name in ('wsrep_ready', 'wsrep_cluster_status', 'wsrep_local_state', 'wsrep_local_state_comment', 'wsrep_flow_control_active', 'wsrep_flow_control_paused_ns')",
  values: [],
}

/** `wsrep_local_state` of a node that applies what the cluster commits. */
const synced = 4

/**
 * Reads the state of a Galera node. It does not prove that the data are fresh: a node whose applier waits for a lock is
 * synced, with an empty queue. The next SELECT of the session does, because `wsrep_sync_wait` is set: it begins when
 * the node has applied what the cluster had committed before.
 *
 * @throws for a node that rejects every statement, because it has no quorum or joins.
 */
export async function readGaleraState(runQuery: RunQuery): Promise<Freshness> {
  const rows = await runQuery(statusStatement)
  const status = new Map(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]))
  const cluster = status.get('wsrep_cluster_status')
  const state = `wsrep_local_state is ${status.get('wsrep_local_state_comment') ?? 'not known'}`
  if (status.get('wsrep_ready') !== 'ON' || cluster !== 'Primary')
    throw new Error(
      `The Galera node is not part of the cluster: wsrep_cluster_status is ${String(cluster)}, ${state}`,
    )
  if (Number(status.get('wsrep_local_state')) !== synced)
    return { isReplica: true, lagSeconds: Infinity, issue: `The Galera node is not synced: ${state}` }
  const pausedMaxSeconds =
    status.get('wsrep_flow_control_active') === 'true'
      ? Math.ceil(Number(status.get('wsrep_flow_control_paused_ns')) / 1e9)
      : undefined
  return { isReplica: true, lagSeconds: 0, pausedMaxSeconds }
}

/**
 * Makes the length of a pause a lag. A node that cannot apply stops the commits of the whole cluster by flow control. The
 * node that is read has applied everything, but the commits that wait have times of change from before the pause: they
 * would be missed by a sync that begins now, if the pause is longer than the overlap.
 */
export function createPauseLag(): (freshness: DatedFreshness) => DatedFreshness {
  let pausedSince: number | undefined
  let flowedAt: number | undefined
  return (freshness) => {
    const { at, lagSeconds, pausedMaxSeconds } = freshness
    if (pausedMaxSeconds === undefined || lagSeconds === undefined) {
      pausedSince = undefined
      flowedAt = at.seconds
      return freshness
    }
    pausedSince ??= flowedAt ?? at.seconds - pausedMaxSeconds
    return { ...freshness, lagSeconds: Math.max(lagSeconds, at.seconds - pausedSince) }
  }
}

/** The columns that show the state of a member, by their table in `performance_schema`. */
export const groupColumns: Readonly<Record<string, readonly string[]>> = {
  replication_group_members: ['MEMBER_ID', 'MEMBER_STATE'],
  replication_applier_status_by_worker: [
    'CHANNEL_NAME',
    'SERVICE_STATE',
    'APPLYING_TRANSACTION',
    'APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP',
  ],
}

const membersStatement: Statement = {
  sql:
    "select max(case when member_id = @@server_uuid then member_state end) as state, count(*) as members, sum(member_state <> 'UNREACHABLE') as reachable, @@global.gtid_executed as gtids " +
    'from performance_schema.replication_group_members',
  values: [],
}

/** The age of the oldest commit that is being applied: NULL where none is. */
const applierStatement: Statement = {
  sql:
    "select timestampdiff(second, min(case when applying_transaction <> '' then applying_transaction_original_commit_timestamp end), utc_timestamp(6)) as `lag`, " +
    "sum(service_state <> 'ON') as stopped from performance_schema.replication_applier_status_by_worker where channel_name = 'group_replication_applier'",
  values: [],
}

/**
 * A member that was frozen or cut off is ONLINE in its own view until it notices that the others have expelled it. It
 * suspects a member from which it has heard nothing for 5 seconds. The rest is for a slow machine.
 */
const settleSeconds = 15

/**
 * The same for a member that had no majority. The commits that waited for it go on with times of change from before, and
 * other members apply them later: 36 seconds later on a machine with a load of ten for each core.
 */
const majoritySettleSeconds = 60

/**
 * Reads the state of a member of Group Replication: whether it is in the group, whether the group has a majority, and
 * how old what it applies is. `SHOW REPLICA STATUS` is empty on a member.
 */
export async function readGroupState(runQuery: RunQuery): Promise<Freshness> {
  try {
    const [member] = await runQuery(membersStatement)
    const gtids = toGtids(member)
    const issue = findMemberIssue(member)
    if (issue !== undefined) return { isReplica: true, lagSeconds: Infinity, gtids, ...issue }
    const [applier] = await runQuery(applierStatement)
    if (Number(applier?.['stopped'] ?? 0) > 0) return { isReplica: true, lagSeconds: Infinity, gtids }
    return { isReplica: true, lagSeconds: Math.max(0, Number(applier?.['lag'] ?? 0)), settleSeconds, gtids }
  } catch (error) {
    // Any other error is that of a member that cannot be read now.
    if (!isAccessDenied(error)) throw error
    return unknownFreshness
  }
}

function toGtids(member: Row | undefined): string {
  return String(member?.['gtids'])
}

function findMemberIssue(
  member: Row | undefined,
): Required<Pick<Freshness, 'issue' | 'settleSeconds'>> | undefined {
  const state = typeof member?.['state'] === 'string' ? member['state'] : 'OFFLINE'
  if (state !== 'ONLINE') return { issue: `The member of Group Replication is ${state}`, settleSeconds }
  if (2 * Number(member?.['reachable']) > Number(member?.['members'])) return undefined
  const issue = 'The member of Group Replication has lost the majority of the group'
  return { issue, settleSeconds: majoritySettleSeconds }
}

/**
 * Reads the replication state of a server. The statement can be unknown to the server, or the user can lack the
 * privilege; then the state is `unknownFreshness`.
 *
 * @throws when the server does not answer.
 */
export async function readReplicaState(runQuery: RunQuery, dialect: Dialect): Promise<Freshness> {
  for (const statement of listReplicationStatements(dialect)) {
    try {
      return toFreshness(await runQuery(statement))
    } catch (error) {
      if (error instanceof SessionError || isConnectionLost(error)) throw error
    }
  }
  return unknownFreshness
}

/** The statements that read the replication state, to be tried in order. */
function listReplicationStatements(dialect: Dialect): readonly Statement[] {
  // MariaDB needs ALL, because a replica of several primaries reports only one otherwise. MySQL before 8.0.22 has only
  // the older statement, MySQL from 8.4 on only the newer one.
  const texts =
    dialect === 'mariadb' ? ['show all slaves status'] : ['show replica status', 'show slave status']
  return texts.map((sql) => ({ sql, values: [] }))
}

/**
 * The replication state in the rows of such a statement: one row for each source, none where the server is no replica.
 * No other column is read, because some hold texts of the product's statements.
 */
function toFreshness(rows: readonly Row[]): Freshness {
  const lags = rows.map((row) => readSeconds(row['Seconds_Behind_Source'] ?? row['Seconds_Behind_Master']))
  return { isReplica: rows.length > 0, lagSeconds: Math.max(0, ...lags) }
}

/** NULL means that replication was stopped, failed, or lost its source. */
function readSeconds(cell: unknown): number {
  return cell === null || cell === undefined ? Infinity : Number(cell)
}
