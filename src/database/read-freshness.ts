import { readServerClock } from '../values/instant.js'
import type { Instant } from '../values/instant.js'
import { unknownFreshness } from './freshness.js'
import type { DatedFreshness } from './freshness.js'
import { readGaleraState } from './galera-state.js'
import { readGroupState } from './group-state.js'
import { readReplicaState } from './replica-state.js'
import type { ServerKind } from './server-kind.js'
import type { RunQuery } from './statement.js'

/**
 * Reads what a server proves of its data, by the means of its kind.
 *
 * @param isRejected whether the server rejected it before, so that only the clock is read.
 * @throws when the server does not answer, or rejects every statement.
 */
export async function readFreshness(
  runQuery: RunQuery,
  { cluster, dialect }: Pick<ServerKind, 'cluster' | 'dialect'>,
  isRejected = false,
): Promise<DatedFreshness> {
  if (cluster === 'galera') {
    // Before the clock, which is a causal read there: on a node that is stuck it does not return.
    const freshness = await readGaleraState(runQuery)
    return { at: await readClock(runQuery), ...freshness }
  }
  const at = await readClock(runQuery)
  if (isRejected) return { at, ...unknownFreshness }
  const freshness =
    cluster === 'group' ? await readGroupState(runQuery) : await readReplicaState(runQuery, dialect)
  return { at, ...freshness }
}

async function readClock(runQuery: RunQuery): Promise<Instant> {
  const [row] = await runQuery({ sql: 'select utc_timestamp(6) as `now`', values: [] })
  return readServerClock(row?.['now'])
}
