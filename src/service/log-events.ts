import type { Logger } from 'pino'
import type { Finding } from '../audit/finding.js'
import type { HostChange } from '../database/health.js'
import type { UnreadyReason } from './readiness.js'
import type { SchemaEvent } from './schema-state.js'

/** Logs a finding that the audit of the start accepts: a warning, or with `AUDIT=warn` an error. */
export function logFinding(log: Logger, finding: Finding): void {
  if (finding.severity === 'error') log.error({ finding }, 'audit: AUDIT=warn lets this pass')
  else log.warn({ finding }, 'audit: a warning')
}

/** Logs a change of the health state of a host of the database. */
export function logHostChange(log: Logger, host: string, change: HostChange): void {
  switch (change.is) {
    case 'down':
      log.warn({ host, err: change.cause }, 'a host of the database cannot be read')
      break
    case 'back':
      log.info({ host }, 'a host of the database can be read again')
      break
    case 'lagging':
      log.warn(
        { host, ...toLag(change) },
        'a replica lags too much: it is used only if no other host answers',
      )
      break
    case 'caught up':
      log.info({ host, ...toLag(change) }, 'a replica has caught up')
      break
    case 'several servers':
      log.warn(
        { host },
        'the address of a host leads to several servers: each session proves by itself that its data are fresh; name the servers in DATABASE_URL where the network permits it',
      )
      break
    case 'lag unknown':
      log.warn(
        { host, reason: change.reason },
        'a host of the database does not prove that its data are fresh: it is read only while no other one does; see vitrine grants --replicas, or heartbeat in the mapping file',
      )
      break
  }
}

/** JSON has no infinity. */
function toLag({ lagSeconds }: { readonly lagSeconds: number }): object {
  return { lagSeconds: Number.isFinite(lagSeconds) ? lagSeconds : 'replication has stopped' }
}

/** Logs a change of the reasons for which requests cannot be answered. */
export function logReadiness(log: Logger, reasons: readonly UnreadyReason[]): void {
  if (reasons.length === 0) log.info('requests can be answered again: /readyz returns 200')
  else
    log.warn(
      { reasons: reasons.map(({ text }) => text) },
      'requests cannot all be answered: /readyz returns 503',
    )
}

/** Logs a change of the schema that concerns a section of the mapping. */
export function logSchemaEvent(log: Logger, event: SchemaEvent): void {
  const { section, table } = event
  switch (event.is) {
    case 'broken':
      log.error(
        { section, table, issues: event.issues },
        'the schema does not fit the mapping any more: requests get 503 until the schema or the mapping file is corrected, or vitrine grants is run again',
      )
      break
    case 'recovered':
      log.info({ section, table }, 'the schema fits the mapping again')
      break
    case 'resolved anew':
      log.info({ section, table }, 'the schema changed; new statements are compiled')
      break
    case 'without paging index':
      log.warn(
        { section, table, index: event.index },
        'an index was dropped: each page now sorts the whole workspace; vitrine check prints the index to add',
      )
      break
  }
}
