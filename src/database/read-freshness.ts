import { readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { isUnknown, unknownFreshness } from './freshness.js'
import type { DatedFreshness, Freshness, Heartbeat } from './freshness.js'
import { readGaleraState, readGroupState, readReplicaState } from './server-states.js'
import { readHeartbeat, readOldestOpen } from './oldest-open.js'
import type { ServerKind } from './server-kind.js'
import type { RunQuery } from './statement.js'

/** How the freshness of a server is read. */
export interface FreshnessInput extends Pick<ServerKind, 'cluster' | 'dialect'> {
  /** The heartbeat of the mapping file. */
  readonly heartbeat: Heartbeat | undefined
  /** Whether the server rejected the statements that read its state before, so that they are left out. */
  readonly isRejected?: boolean
}

/**
 * Reads what a server proves of its data: by the means of its kind, and by the heartbeat where the mapping file names
 * one. Where there are both, both must hold.
 *
 * @throws when the server does not answer, or rejects every statement.
 */
export async function readFreshness(runQuery: RunQuery, input: FreshnessInput): Promise<DatedFreshness> {
  const { at, state } = await readState(runQuery, input)
  const heartbeat = input.heartbeat && (await readHeartbeat(runQuery, input.heartbeat))
  const oldestOpen = await readOldestOpen(runQuery, input.heartbeat)
  return { at, hidesState: isUnknown(state), oldestOpen, ...combine(state, heartbeat) }
}

async function readState(
  runQuery: RunQuery,
  { cluster, dialect, isRejected = false }: FreshnessInput,
): Promise<{ readonly at: Instant; readonly state: Freshness }> {
  if (cluster === 'galera') {
    // Before the clock, which is a causal read there: on a node that is stuck it does not return.
    const state = await readGaleraState(runQuery)
    return { at: await readClock(runQuery), state }
  }
  const at = await readClock(runQuery)
  if (isRejected) return { at, state: unknownFreshness }
  const state =
    cluster === 'group' ? await readGroupState(runQuery) : await readReplicaState(runQuery, dialect)
  return { at, state }
}

function combine(state: Freshness, heartbeat: Freshness | undefined): Freshness {
  if (heartbeat === undefined || state.issue !== undefined) return state
  if (state.lagSeconds === undefined || heartbeat.lagSeconds === undefined) return heartbeat
  return { ...state, isReplica: true, lagSeconds: Math.max(state.lagSeconds, heartbeat.lagSeconds) }
}

async function readClock(runQuery: RunQuery): Promise<Instant> {
  const [row] = await runQuery({ sql: 'select utc_timestamp(6) as `now`', values: [] })
  return readServerClock(row?.['now'])
}
