import { isAccessDenied } from './errors.js'
import { unknownFreshness } from './freshness.js'
import type { Freshness } from './freshness.js'
import type { Row, RunQuery, Statement } from './statement.js'

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
