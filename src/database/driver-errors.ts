import { Problem } from '../errors.js'

const retryAfter = { 'retry-after': '1' }

/** Server errors that pass: what the same statement meets later may be another answer. */
const passing = new Map<number, string>([
  [1021, 'disk full'],
  [1038, 'no memory for a sort'],
  [1040, 'too many connections'],
  [1041, 'out of memory'],
  [1044, 'access denied to the database'],
  [1045, 'access denied'],
  [1047, 'node not ready (Galera)'],
  [1049, 'unknown database'],
  [1054, 'unknown column'],
  [1053, 'server shutdown'],
  [1129, 'host blocked'],
  [1130, 'host not allowed'],
  [1142, 'select denied on a table'],
  [1143, 'select denied on a column'],
  [1146, 'unknown table'],
  [1205, 'lock wait timeout'],
  [1206, 'no room for locks'],
  [1213, 'deadlock'],
  [1203, 'too many connections of the user'],
  [1226, 'resource limit of the user'],
  [1253, 'collation not of the character set'],
  [1267, 'collations that cannot be compared'],
  [1317, 'statement killed'],
  [1356, 'view that cannot be read'],
  [1412, 'table altered meanwhile'],
  [1461, 'too many prepared statements'],
  [1615, 'statement must be prepared again'],
  [1698, 'access denied'],
  [1927, 'connection killed'],
  [1969, 'statement time limit (MariaDB)'],
  [2006, 'server gone, told by a proxy'],
  [2013, 'server lost, told by a proxy'],
  [3024, 'statement time limit (MySQL)'],
  [3032, 'offline mode'],
  [3118, 'account locked'],
  [3169, 'session killed'],
  [4031, 'idle connection closed'],
  [9001, 'no server in time (ProxySQL), no timestamp (TiDB)'],
  [9002, 'storage timeout (TiDB)'],
  [9003, 'storage busy (TiDB)'],
  [9005, 'region unavailable (TiDB)'],
])

/** What callers are told of a fault in the database, whichever it was. */
export function toDatabaseProblem(cause: unknown): Problem {
  return new Problem('database_unavailable', 'The database did not answer. Try again shortly.', {
    cause,
    headers: retryAfter,
  })
}

/** What callers are told when the line for a connection is full. */
export function toOverloadedProblem(): Problem {
  return new Problem('overloaded', 'Too many requests are waiting. Try again shortly.', {
    headers: retryAfter,
  })
}

/** A driver's error as a Problem where the database is at fault; any other error as it is. */
export function toProblem(error: unknown): unknown {
  return isDatabaseFault(error) ? toDatabaseProblem(error) : error
}

/** Whether the connection may no longer be used after the error: its state is not known. */
export function isConnectionLost(error: unknown): boolean {
  const { fatal, errno, code } = toDriverError(error)
  return (
    fatal === true || errno === undefined || code === 'PROTOCOL_SEQUENCE_TIMEOUT' || isEndOfSession(errno)
  )
}

/**
 * Whether a statement met other tables or columns than those it was made for, or may no longer read them; a server that
 * checks privileges first answers so for a table that was renamed.
 */
export function isSchemaError(error: unknown): boolean {
  const { errno } = toDriverError(error instanceof Error ? (error.cause ?? error) : error)
  return errno !== undefined && schemaErrors.has(errno)
}

const schemaErrors = new Set([1054, 1142, 1143, 1146, 1253, 1267, 1356])

/** Whether a statement named an index that is not there, or is no longer visible. */
export function isMissingIndex(error: unknown): boolean {
  return toDriverError(error).errno === 1176
}

/** Whether the server has no connection left, for anybody or for the user. */
export function isCrowded(error: unknown): boolean {
  const { errno } = toDriverError(error instanceof Error ? (error.cause ?? error) : error)
  return errno === 1040 || errno === 1203 || errno === 1226
}

/** Whether the user lacks the privilege for the statement. */
export function isAccessDenied(error: unknown): boolean {
  const { errno } = toDriverError(error)
  return errno !== undefined && deniedErrors.has(errno)
}

/** Denials of a statement; 1045 is told of a view whose definer is gone, 1356 and 1449 of what it needs. */
const deniedErrors = new Set([1044, 1045, 1142, 1143, 1227, 1345, 1356, 1370, 1449])

/** Whether a statement names a table that is not there. The servers say so only to who might read one of that name. */
export function isMissingTable(error: unknown): boolean {
  return toDriverError(error).errno === 1146
}

/** Whether a statement names a table, routine or database that is not there. */
export function isMissingObject(error: unknown): boolean {
  const { errno } = toDriverError(error)
  return errno === 1146 || errno === 1305 || errno === 1049
}

/** Errors after which another connection may be answered: the server is going, or is no longer behind this one. */
const sessionEnds = new Set([1047, 1053, 1927, 2006, 2013, 3032, 3169, 4031])

function isEndOfSession(errno: number): boolean {
  return sessionEnds.has(errno)
}

function isDatabaseFault(error: unknown): boolean {
  const { errno, code } = toDriverError(error)
  if (errno !== undefined && passing.has(errno)) return true
  return (
    code !== undefined &&
    (code.startsWith('PROTOCOL_') || socketCodes.has(code) || code.startsWith('HANDSHAKE_'))
  )
}

const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

interface DriverError extends Error {
  readonly fatal?: boolean
  readonly errno?: number
  readonly code?: string
}

function toDriverError(error: unknown): DriverError {
  return error instanceof Error ? error : new Error(String(error))
}
