import type { Finding } from '../audit/finding.js'
import type { Replication } from '../database/replica-lag-sql.js'
import type { Cell } from './report.js'

const [noReplica, stopped] = ['no replica', 'stopped']

/** How far a host is behind, as a cell: seconds, a word, or null where the server does not tell. */
export function toLagCell({ isReplica, lagSeconds }: Replication): Cell {
  if (lagSeconds === undefined) return null
  if (!isReplica) return noReplica
  return Number.isFinite(lagSeconds) ? lagSeconds : stopped
}

interface LagLimits {
  readonly lagMaxSeconds: number
  /** How many hosts the configuration names. */
  readonly hostCount: number
}

/** What stands against choosing among the hosts by their lag; a lone one is not chosen. */
export function checkLag(
  hosts: readonly Readonly<Record<string, Cell>>[],
  { lagMaxSeconds, hostCount }: LagLimits,
): readonly Finding[] {
  if (hostCount < 2) return []
  return hosts.flatMap(({ host = null, lag = null }): readonly Finding[] => {
    const finding = { severity: 'warning', object: `host ${String(host)}`, privilege: null } as const
    if (lag === null)
      return [
        {
          ...finding,
          problem: 'does not tell how far it is behind, so it counts as fresh however much it lags',
          fix: 'run the last statement that vitrine grants --replicas prints, where the server has replicas',
        },
      ]
    if (lag !== stopped && !(typeof lag === 'number' && lag > lagMaxSeconds)) return []
    return [
      {
        ...finding,
        problem: `${lag === stopped ? 'has stopped replicating' : `is ${String(lag)} s behind`}, so it is asked only where no other host is`,
        fix: 'see what SHOW REPLICA STATUS says to an administrator; after a promotion, RESET REPLICA ALL there',
      },
    ]
  })
}
