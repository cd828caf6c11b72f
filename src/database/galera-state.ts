import type { DatedFreshness, Freshness } from './freshness.js'
import type { RunQuery, Statement } from './statement.js'

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
