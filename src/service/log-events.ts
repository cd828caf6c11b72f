import type { Logger } from 'pino'
import type { Finding } from '../audit/finding.js'
import type { Config } from '../config.js'
import { AuditError, ConfigError, toErrorText, unwrapProblem } from '../errors.js'
import { isNewerThanKnown } from '../database/dialects.js'
import type { HostChange } from '../database/health.js'
import { isLoopback } from '../values/addresses.js'
import type { UnreadyReason } from './readiness.js'
import type { SchemaEvent } from './schema-state.js'
import type { FailedAttempt } from './wait-for-database.js'

type Line = readonly [level: 'info' | 'warn' | 'error', text: string]

/**
 * Warns where the password of the database user can be sent to another server: without TLS and without the key of the
 * server, the driver encrypts it with the key that the server sends.
 */
export function logExposedPassword(
  log: Logger,
  { tls, serverPublicKeyFile, hosts }: Config['database'],
): void {
  const remote = hosts.filter(({ host }) => !isLoopback(host)).map(({ host }) => host)
  if (tls !== 'off' || serverPublicKeyFile !== undefined || remote.length === 0) return
  log.warn(
    { hosts: remote },
    'DATABASE_TLS is off: a server that answers in the place of a host can get the password; set DATABASE_TLS, or DATABASE_SERVER_PUBLIC_KEY',
  )
}

/** Logs that a start has to be tried again. */
export function logFailedAttempt(log: Logger, { attempt, reason, delayMs }: FailedAttempt): void {
  log.warn({ attempt, reason, nextAttemptInMs: delayMs }, 'the database cannot be reached')
}

/** Logs a finding that the audit of the start accepts: a warning, or with `AUDIT=warn` an error. */
export function logFinding(log: Logger, finding: Finding): void {
  if (finding.severity === 'error') log.error({ finding }, 'audit: AUDIT=warn lets this pass')
  else log.warn({ finding }, 'audit: a warning')
}

/**
 * What the log says of a start or reload that failed: every issue of the configuration, every finding of the audit, or the error.
 * The stack is only for an error of the program.
 */
export function toFailure(error: unknown): object {
  if (error instanceof ConfigError) return { issues: error.issues }
  const cause = unwrapProblem(error)
  if (cause instanceof AuditError) return { findings: cause.lines }
  return hasCode(cause) ? { reason: toErrorText(cause) } : { err: cause }
}

/** Whether an error is of the database or of the system, at whatever depth. */
function hasCode(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isNamed = 'code' in error && !String(error.code).startsWith('ERR_')
  return isNamed || hasCode(error.cause)
}

const hostLines: Readonly<Record<HostChange['is'], Line>> = {
  down: ['warn', 'a host of the database cannot be read'],
  back: ['info', 'a host of the database can be read again'],
  lagging: ['warn', 'a replica lags too much: it is used only if no other host answers'],
  'caught up': ['info', 'a replica has caught up'],
  'several servers': [
    'warn',
    'the address of a host leads to several servers: each session proves by itself that its data are fresh; name the servers in DATABASE_URL where the network permits it',
  ],
  'oldest open known': ['info', 'the oldest open transaction is known again'],
  'oldest open unknown': [
    'warn',
    'the oldest open transaction is not known: SYNC_OVERLAP_SECONDS counts; see heartbeat.oldestOpen in the mapping file',
  ],
  'lag unknown': [
    'warn',
    'a host of the database does not prove that its data are fresh: it is read only while no other one does; see vitrine grants --replicas, or heartbeat in the mapping file',
  ],
}

interface HostLog {
  readonly note: (host: string, change: HostChange) => void
  readonly release: () => void
}

/**
 * Logs the changes of the health of hosts. They are held back until `release`, because the failure of a start is one line,
 * which has its reason.
 */
export function createHostLog(log: Logger): HostLog {
  let held: (() => void)[] | undefined = []
  return {
    note: (host, change) => {
      const write = (): void => {
        logHostChange(log, host, change)
      }
      if (held === undefined) write()
      else held.push(write)
    },
    release: () => {
      for (const write of held ?? []) write()
      held = undefined
    },
  }
}

function logHostChange(log: Logger, host: string, change: HostChange): void {
  const [level, text] = hostLines[change.is]
  log[level]({ host, ...toLogged(change) }, text)
}

function toLogged(change: HostChange): object {
  if ('cause' in change) return { err: change.cause }
  if ('reason' in change) return { reason: change.reason }
  if (!('lagSeconds' in change)) return {}
  // JSON has no infinity.
  return { lagSeconds: Number.isFinite(change.lagSeconds) ? change.lagSeconds : 'replication has stopped' }
}

/** Logs that a server is of a release that came after this one of Vitrine. */
export function logServer(log: Logger, { version }: { readonly version: string }): void {
  if (!isNewerThanKnown(version)) return
  log.warn({ version }, 'the server is newer than this release knows: it is read as the newest known one')
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

const schemaLines: Readonly<Record<SchemaEvent['is'], Line>> = {
  broken: [
    'error',
    'the schema does not fit the mapping any more: requests get 503 until the schema or the mapping file is corrected, or vitrine grants is run again',
  ],
  recovered: ['info', 'the schema fits the mapping again'],
  'resolved anew': ['info', 'the schema changed; new statements are compiled'],
  'without paging index': [
    'warn',
    'an index was dropped: each page now sorts the whole workspace; vitrine check prints the index to add',
  ],
}

/** Logs a change of the schema that concerns a section of the mapping. */
export function logSchemaEvent(log: Logger, { is, ...event }: SchemaEvent): void {
  const [level, text] = schemaLines[is]
  log[level](event, text)
}
