import type { Logger } from 'pino'
import type { Database } from '../database/database.js'
import type { HostChange } from '../database/host-health.js'
import type { Metrics } from '../http/metrics.js'
import type { SchemaEvent } from './schema-state.js'

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

/** Writes one line for each thing that happened to a section of the mapping while the service ran. */
export function logSchemaEvent(log: Logger, event: SchemaEvent): void {
  const { section, table } = event
  switch (event.is) {
    case 'broken':
      log.error(
        { section, table, issues: event.issues },
        'the database does not fit the mapping any more: requests get 503 until the schema or the mapping file is corrected, or vitrine grants is run again',
      )
      break
    case 'recovered':
      log.info({ section, table }, 'the database fits the mapping again')
      break
    case 'resolved anew':
      log.info({ section, table }, 'the schema changed; statements are made anew')
      break
    case 'without paging index':
      log.warn(
        { section, table, index: event.index },
        'an index is gone: each page now sorts the whole workspace; vitrine check prints the index to add',
      )
      break
  }
}
