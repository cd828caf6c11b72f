import { Problem } from '../errors.js'

/** How a server error counts beyond the statement that it ended. */
type ErrorTrait =
  /** The session is no longer usable; another one may be. */
  | 'ends session'
  /** The error ends by itself soon after a server or proxy has started, or when its load decreases. */
  | 'while starting'
  /** The server has no connection left, at all or for the user. */
  | 'too many connections'
  /** The schema or the privileges are not those that the statement was made for. */
  | 'schema'

/**
 * Server errors that are transient: the same statement can succeed later, or at another host. Schema errors are among
 * them, because a new statement is made as soon as the schema was read again.
 */
const transientErrors = new Map<number, readonly ErrorTrait[]>([
  [1021, []], // disk full
  [1038, []], // out of sort memory
  [1040, ['too many connections', 'while starting']],
  [1041, []], // out of memory
  [1044, []], // access denied to the database
  [1045, []], // access denied
  [1047, ['ends session', 'while starting']], // node not ready (Galera)
  [1049, []], // unknown database
  [1053, ['ends session', 'while starting']], // server shutdown
  [1054, ['schema']], // unknown column
  [1129, []], // host blocked
  [1130, []], // host not allowed
  [1142, ['schema']], // SELECT denied on a table
  [1143, ['schema']], // SELECT denied on a column
  [1146, ['schema']], // unknown table
  [1158, ['ends session']], // the server could not read from the connection
  [1159, ['ends session']], // the same, in time
  [1160, ['ends session']], // the server could not write to the connection
  [1161, ['ends session']], // the same, in time
  [1203, ['too many connections', 'while starting']], // of the user
  [1205, []], // lock wait timeout
  [1206, []], // lock table full
  [1213, []], // deadlock
  [1226, ['too many connections', 'while starting']], // resource limit of the user
  [1253, ['schema']], // collation not valid for the character set
  [1267, ['schema']], // illegal mix of collations
  [1317, []], // statement killed
  [1356, ['schema']], // view that cannot be read
  [1412, []], // table definition changed
  [1461, []], // too many prepared statements
  [1615, []], // statement needs to be prepared again
  [1698, []], // access denied
  [1927, ['ends session']], // connection killed
  [1969, []], // statement time limit (MariaDB)
  [2003, ['ends session', 'while starting']], // no server, from a proxy (MySQL Router)
  [2006, ['ends session', 'while starting']], // server gone, from a proxy
  [2013, ['ends session', 'while starting']], // server lost, from a proxy
  [3024, []], // statement time limit (MySQL)
  [3032, ['ends session', 'while starting']], // offline mode
  [3118, []], // account locked
  [3169, ['ends session']], // session killed
  [3796, []], // consistency level not possible (Group Replication)
  [3797, []], // wait for the group failed (Group Replication)
  [3798, []], // the same at the begin of a transaction
  [3799, []], // the member is leaving (Group Replication)
  [4031, ['ends session']], // idle connection closed
  [9001, ['while starting']], // no server in time (ProxySQL), no timestamp (TiDB)
  [9002, []], // storage timeout (TiDB)
  [9003, []], // storage busy (TiDB)
  [9005, []], // region unavailable (TiDB)
])

const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Denials of a statement; 1045 and 1449 concern the definer of a view, 1356 what the view reads. */
const accessDeniedErrors = new Set([1044, 1045, 1142, 1143, 1227, 1345, 1356, 1370, 1449])

/** Denials of a login: a password that is not the account's, or an account that is locked. */
const accountRefusedErrors = new Set([1045, 1698, 3118])

const timeLimitErrors = new Set([1969, 3024])

/** MySQL shows running statements as utf8mb3, and fails where one of them has other bytes. */
const garbledStatement = 3854
const unknownAccount = 1141
const unknownTable = 1146
const unknownIndex = 1176

/** A database, a table, a table of `information_schema`, or a routine. */
const missingObjectErrors = new Set([1049, 1109, unknownTable, 1305])

const headers = { 'retry-after': '1' }

/** The answer to a request that the database could not serve. */
export function databaseUnavailable(cause: unknown): Problem {
  const detail = 'The database did not answer. Try again shortly.'
  return new Problem('database_unavailable', detail, { cause, headers })
}

/** The answer to a request for which the queue or the memory has no room. */
export function overloaded(cause?: unknown): Problem {
  return new Problem('overloaded', 'Too many requests are waiting. Try again shortly.', { cause, headers })
}

/** Whether an error is that of a full queue or memory, which says nothing of a host. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Problem && error.code === 'overloaded'
}

/** A driver's transient error as a Problem; any other error unchanged. */
export function toDatabaseError(error: unknown): unknown {
  const { errno, code = '' } = toDriverError(error)
  const isTransient = errno !== undefined && transientErrors.has(errno)
  return isTransient || isNetworkCode(code) || code.startsWith('HANDSHAKE_')
    ? databaseUnavailable(error)
    : error
}

/** Whether the connection cannot be used after the error, because its state is not known. */
export function isConnectionLost(error: unknown): boolean {
  const { fatal, errno, code } = toDriverError(error)
  return (
    fatal === true ||
    errno === undefined ||
    code === 'PROTOCOL_SEQUENCE_TIMEOUT' ||
    hasTrait(error, 'ends session')
  )
}

/**
 * Whether the tables, columns or privileges are not those that a statement was made for. A server that checks
 * privileges first reports a renamed table as denied.
 */
export function isSchemaError(error: unknown): boolean {
  return hasTrait(toCause(error), 'schema')
}

/** Whether the server has no connection left, at all or for the user. */
export function isTooManyConnections(error: unknown): boolean {
  return hasTrait(toCause(error), 'too many connections')
}

/**
 * Whether no server could be reached yet: refused, not found, no answer, starting or full. A server that rejects the
 * account, the database or TLS was reached.
 */
export function isUnreachable(error: unknown): boolean {
  return isNetworkCode(toDriverError(error).code ?? '') || hasTrait(error, 'while starting')
}

/** Whether a statement named an index that does not exist, or is not visible. */
export function isMissingIndex(error: unknown): boolean {
  return toDriverError(error).errno === unknownIndex
}

/** Whether the server ended a statement at the time limit of the session. */
export function isTimeLimit(error: unknown): boolean {
  const { errno } = toDriverError(toCause(error))
  return errno !== undefined && timeLimitErrors.has(errno)
}

/** Whether the user lacks the privilege for the statement. */
export function isAccessDenied(error: unknown): boolean {
  const { errno } = toDriverError(error)
  return errno !== undefined && accessDeniedErrors.has(errno)
}

/** Whether the server did not accept the account of a connection. */
export function isAccountRefused(error: unknown): boolean {
  const { errno } = toDriverError(error)
  return errno !== undefined && accountRefusedErrors.has(errno)
}

/** Whether the server could not show a running statement, because it has bytes that are no text. */
export function isGarbledStatement(error: unknown): boolean {
  return toDriverError(error).errno === garbledStatement
}

/** Whether a statement names a table that does not exist. Without a privilege on that name, it is denied instead. */
export function isMissingTable(error: unknown): boolean {
  return toDriverError(error).errno === unknownTable
}

/** Whether a statement names a table, routine or database that does not exist. */
export function isMissingObject(error: unknown): boolean {
  const { errno } = toDriverError(error)
  return errno !== undefined && missingObjectErrors.has(errno)
}

/** Whether a statement names an account that does not exist. */
export function isMissingAccount(error: unknown): boolean {
  return toDriverError(error).errno === unknownAccount
}

/**
 * The statement that a server rejects, as an engine does that lacks a part of MySQL; undefined for an error that can end by
 * itself, or is not of the server.
 */
export function findRejected(error: unknown): string | undefined {
  const cause = toCause(error)
  const { errno, fatal, sql } = toDriverError(cause)
  if (errno === undefined || fatal === true) return undefined
  const isTransient = transientErrors.has(errno) && !isSchemaError(cause) && !isAccessDenied(cause)
  return isTransient ? undefined : sql
}

function isNetworkCode(code: string): boolean {
  return networkCodes.has(code) || code.startsWith('PROTOCOL_')
}

function hasTrait(error: unknown, trait: ErrorTrait): boolean {
  const { errno } = toDriverError(error)
  return errno !== undefined && transientErrors.get(errno)?.includes(trait) === true
}

/** A Problem keeps the driver's error as its cause. */
export function toCause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error
}

interface DriverError extends Error {
  readonly fatal?: boolean
  readonly errno?: number
  readonly code?: string
  /** The text of the statement. */
  readonly sql?: string
}

function toDriverError(error: unknown): DriverError {
  return error instanceof Error ? error : new Error(String(error))
}
