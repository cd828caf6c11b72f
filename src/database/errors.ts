import { Problem } from '../errors.js'

/** Errors of a statement after which its session can be used again. After any other one it is closed. */
const harmless = new Set([1054, 1142, 1143, 1146, 1176, 1205, 1253, 1267, 1317, 1356, 1969, 3024])

/** The schema or the privileges are not those that a statement was made for. */
const schemaErrors = new Set([1054, 1142, 1143, 1146, 1253, 1267, 1356])

/** Errors that end by themselves, while a server, a proxy or a cluster starts, is full, or changes its primary. */
const temporary = new Set([
  ...[
    1040, 1041, 1047, 1053, 1129, 1158, 1159, 1160, 1161, 1203, 1205, 1213, 1226, 1317, 1461, 1927, 2003,
    2006, 2013, 3032, 3169,
  ],
  ...[3796, 3797, 3798, 3799, 4031, 9001, 9002, 9003, 9005],
])

/** The limits of connections: of the server, of the account at once, and of the account in an hour. */
const connectionLimits = new Set([1040, 1203, 1226])

const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOENT',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Denials of a statement; 1045 and 1449 concern the definer of a view, 1356 what the view reads. */
const accessDeniedErrors = new Set([1044, 1045, 1142, 1143, 1227, 1345, 1356, 1370, 1449])

const timeLimitErrors = new Set([1969, 3024])

/** MySQL shows running statements as utf8mb3, and fails where one of them has other bytes. */
const garbledStatement = 3854
const unknownAccount = 1141
const unknownColumn = 1054
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

/** Classes of SQLSTATE that say that a statement is wrong. */
const statementClasses = /^(?:07|21|22|25|42)/

/**
 * An error of the driver or the server as a Problem; an error of a statement, or of this program, unchanged. A schema, a
 * privilege or a limit that has changed has the class of a wrong statement too.
 */
export function toDatabaseError(error: Error): Error {
  const { errno, code = '', sqlState = '' } = toDriverError(error)
  if (isNetworkCode(code) || code.startsWith('HANDSHAKE_')) return databaseUnavailable(error)
  if (errno === undefined) return error
  const isOfServer = [temporary, schemaErrors, accessDeniedErrors, missingObjectErrors].some((errors) =>
    errors.has(errno),
  )
  return !isOfServer && statementClasses.test(sqlState) ? error : databaseUnavailable(error)
}

/** Whether the connection cannot be used after the error, because its state is not known. */
export function isConnectionLost(error: unknown): boolean {
  const { fatal, errno } = toDriverError(error)
  return fatal === true || errno === undefined || !harmless.has(errno)
}

/**
 * Whether the tables, columns or privileges are not those that a statement was made for. A server that checks
 * privileges first reports a renamed table as denied.
 */
export function isSchemaError(error: unknown): boolean {
  return has(schemaErrors, toCause(error))
}

/** Whether the server, or the limit of the account, allows no further connection now. */
export function isTooManyConnections(error: unknown): boolean {
  return has(connectionLimits, error)
}

/** The code of the client's own time limit. */
export const deadlineCode = 'PROTOCOL_DEADLINE'

/** The server of a session ends, has left its cluster, or is lost to the proxy: another one can answer behind the same address. */
const lostServers = new Set([1047, 1053, 2006, 2013, 3032])

/** Whether another session can answer what this one could not, because its server was lost. */
export function isServerLost(error: unknown): boolean {
  const { code = '' } = toDriverError(error)
  return has(lostServers, error) || (isNetworkCode(code) && code !== deadlineCode)
}

/** Whether a statement named an index that does not exist, or is not visible. */
export function isMissingIndex(error: unknown): boolean {
  return toDriverError(error).errno === unknownIndex
}

/** Whether the server ended a statement at the time limit of the session. */
export function isTimeLimit(error: unknown): boolean {
  return has(timeLimitErrors, toCause(error))
}

/** Whether the user lacks the privilege for the statement. */
export function isAccessDenied(error: unknown): boolean {
  return has(accessDeniedErrors, toCause(error))
}

/** Whether the server could not show a running statement, because it has bytes that are no text. */
export function isGarbledStatement(error: unknown): boolean {
  return toDriverError(error).errno === garbledStatement
}

/** Whether a statement names a table that does not exist. Without a privilege on that name, it is denied instead. */
export function isMissingTable(error: unknown): boolean {
  return toDriverError(error).errno === unknownTable
}

/** Whether a statement names a column that does not exist. Without a privilege on its whole table, it is denied instead. */
export function isMissingColumn(error: unknown): boolean {
  return toDriverError(error).errno === unknownColumn
}

/** Whether a view cannot be read: its DEFINER does not exist, or what it reads does not or is denied to the DEFINER. */
export function isViewInvalid(error: unknown): boolean {
  return [1356, 1449].includes(toDriverError(error).errno ?? 0)
}

/** Whether a statement names a table, routine or database that does not exist. */
export function isMissingObject(error: unknown): boolean {
  return has(missingObjectErrors, toCause(error))
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
  return temporary.has(errno) ? undefined : sql
}

function isNetworkCode(code: string): boolean {
  return networkCodes.has(code) || code.startsWith('PROTOCOL_')
}

function has(errors: ReadonlySet<number>, error: unknown): boolean {
  const { errno } = toDriverError(error)
  return errno !== undefined && errors.has(errno)
}

/** A Problem keeps the driver's error as its cause. */
export function toCause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error
}

/** What the driver says of an error; nothing where it is another one. */
interface DriverError {
  readonly fatal?: boolean
  readonly errno?: number
  readonly code?: string
  readonly sqlState?: string
  /** The text of the statement. */
  readonly sql?: string
}

function toDriverError(error: unknown): DriverError {
  return error instanceof Error ? (error as DriverError) : {}
}
