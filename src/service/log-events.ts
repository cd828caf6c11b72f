import type { Logger } from 'pino'
import type { Finding } from '../finding.js'
import type { Config } from '../config.js'
import { AuditError, ConfigError, toErrorText, unwrapProblem } from '../errors.js'
import { isNewerThanKnown } from '../database/dialects.js'
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

/** Logs that the database answers no more, or answers again. @param cause undefined where it answers. */
export function logAnswering(log: Logger, cause: unknown): void {
  if (cause === undefined) log.info('the database answers again')
  else log.warn({ err: cause }, 'the database does not answer')
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
