import type { Logger } from 'pino'
import type { Database } from '../database/database.js'
import type { HostChange } from '../database/host-health.js'
import type { Metrics } from '../http/metrics.js'

/** Tells the log what became of a host of the database. */
export function logHostChange(log: Logger, host: string, change: HostChange): void {
  switch (change.is) {
    case 'down':
      log.warn({ host, err: change.cause }, 'a host of the database does not answer')
      break
    case 'back':
      log.info({ host }, 'a host of the database answers again')
      break
    case 'lagging':
      log.warn({ host, ...toLag(change) }, 'a replica lags too much: it is asked only where no other host is')
      break
    case 'caught up':
      log.info({ host, ...toLag(change) }, 'a replica has caught up')
      break
    case 'not telling its lag':
      log.warn(
        { host },
        'a host of the database does not tell its lag, and counts as fresh; see vitrine grants --replicas',
      )
      break
  }
}

/** JSON has no infinity. */
function toLag({ lagSeconds }: { readonly lagSeconds: number }): object {
  return { lagSeconds: Number.isFinite(lagSeconds) ? lagSeconds : 'replication has stopped' }
}

/** Registers what is known of each host. */
export function measureHosts(metrics: Metrics, { measure }: Database): void {
  const read =
    (find: (host: ReturnType<Database['measure']>['hosts'][number]) => number | undefined) =>
    (): readonly (readonly [string, number | undefined])[] =>
      measure().hosts.map((host) => [host.name, find(host)])
  metrics.watchHosts(
    'vitrine_database_host_up',
    'Whether a host of the database answers its health check: 1 or 0.',
    read(({ healthy }) => (healthy === undefined ? undefined : Number(healthy))),
  )
  metrics.watchHosts(
    'vitrine_database_host_lag_seconds',
    'How far a host is behind its primary; not told where the database user may not see it.',
    read(({ lagSeconds }) => lagSeconds),
  )
  metrics.watchHosts(
    'vitrine_database_host_active',
    'Statements under way at a host.',
    read(({ active }) => active),
  )
}
