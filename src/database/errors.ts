import type { QueryError } from 'mysql2'
import { Problem } from '../problems.js'

/**
 * An answer of the server that is not the result of its statement. `answer`: it has no rows, other columns or another character
 * set; `types`: a column has another type than the one that the statement was made for; `foreign`: rows of another request.
 */
export class ResultError extends Error {
  readonly what: 'answer' | 'types' | 'foreign'

  constructor(what: ResultError['what'], message: string) {
    super(message)
    this.what = what
  }
}

/** Whether a result had rows of another request. */
export function isForeign(error: unknown): error is ResultError {
  return error instanceof ResultError && error.what === 'foreign'
}

/** The schema or the privileges are not those that a statement was made for. */
const schemaErrors = [1054, 1142, 1143, 1146, 1253, 1267, 1356]

/** Errors of a statement after which its session can be used again. After any other one it is closed. */
const harmless = new Set([...schemaErrors, 1176, 1205, 1317, 1969, 3024, 3157])

/** Errors that end by themselves, while a server, a proxy or a cluster starts, is full, or changes its primary. */
const temporary = [
  ...[1040, 1041, 1047, 1053, 1129, 1158, 1159, 1160, 1161, 1203, 1205, 1213, 1226, 1317, 1461, 1927],
  ...[2003, 2006, 2013, 3032, 3169, 3796, 3797, 3798, 3799, 4031, 9001, 9002, 9003, 9005],
]

/** Denials of a statement; 1045 and 1449 concern the definer of a view, 1356 what the view reads. */
const accessDenied = [1044, 1045, 1142, 1143, 1227, 1345, 1356, 1370, 1449]

/** A database, a table, a table of `information_schema`, or a routine. */
const missingObjects = [1049, 1109, 1146, 1305]

const ofServer = new Set([...temporary, ...schemaErrors, ...accessDenied, ...missingObjects])

const networkCodes = new Set(
  'EAI_AGAIN ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH ENOENT ENETUNREACH ENOTFOUND EPIPE ETIMEDOUT'.split(
    ' ',
  ),
)

const headers = { 'retry-after': '1' }

/** The answer to a request that the database could not serve. */
export function databaseUnavailable(cause: unknown): Problem {
  const detail = 'The database did not answer. Try again shortly.'
  return new Problem('database_unavailable', detail, { cause, headers })
}

/** The answer to a request for which the queue or the memory has no room. */
export function overloaded(): Problem {
  return new Problem('overloaded', 'Too many requests are waiting. Try again shortly.', { headers })
}

/** Classes of SQLSTATE that say that a statement is wrong. */
const statementClasses = /^(?:07|21|22|25|42)/

/**
 * An error of the driver or the server as a Problem; an error of a statement, or of this program, unchanged. A schema, a
 * privilege or a limit that has changed has the class of a wrong statement too.
 */
export function toDatabaseError(error: Error): Error {
  const { errno, code = '', sqlState = '', fatal } = toDriverError(error)
  if (error instanceof ResultError || fatal === true || isNetworkCode(code) || code.startsWith('HANDSHAKE_'))
    return databaseUnavailable(error)
  if (errno === undefined) return error
  return !ofServer.has(errno) && statementClasses.test(sqlState) ? error : databaseUnavailable(error)
}

/** Whether the connection cannot be used after the error, because its state is not known. */
export function isConnectionLost(error: unknown): boolean {
  const { fatal, errno } = toDriverError(error)
  if (error instanceof ResultError) return error.what !== 'types'
  return fatal === true || errno === undefined || !harmless.has(errno)
}

/** The code of the client's own time limit. */
export const deadlineCode = 'PROTOCOL_DEADLINE'

/** Whether another session can answer what this one could not, because its server was lost, ends or has left its cluster. */
export function isServerLost(error: unknown): boolean {
  const { code = '', fatal } = toDriverError(error)
  // What the driver says of a connection that was lost between two statements.
  const isClosed = fatal === true && code === ''
  return isClosed || hasServerLeft(error) || (isNetworkCode(code) && code !== deadlineCode)
}

const hasServerLeft = isOf(1047, 1053, 2006, 2013, 3032)

/**
 * Whether the tables, columns or privileges are not those that a statement was made for. A server that checks
 * privileges first reports a renamed table as denied.
 */
export function isSchemaError(error: unknown): boolean {
  const cause = toCause(error)
  return isOfSchema(cause) || (cause instanceof ResultError && cause.what === 'types')
}

const isOfSchema = isOf(...schemaErrors)

/** Whether a limit of connections is reached: of the server, of the account at once, or of the account in an hour. */
export const isTooManyConnections = isOf(1040, 1203, 1226)

/** Whether the second form of a statement runs: an index does not exist or is not visible, or MySQL cannot read a document. */
export const needsSecondForm = isOf(1176, 3157)

/** Whether the server ended a statement at the time limit of the session. */
export const isTimeLimit = isOf(1969, 3024)

/** Whether the user lacks the privilege for the statement. */
export const isAccessDenied = isOf(...accessDenied)

/** Whether a statement names a table that does not exist. Without a privilege on that name, it is denied instead. */
export const isMissingTable = isOf(1146)

/** Whether a statement names a column that does not exist. Without a privilege on its whole table, it is denied instead. */
export const isMissingColumn = isOf(1054)

/** Whether a view cannot be read: its DEFINER does not exist, or what it reads does not or is denied to the DEFINER. */
export const isViewInvalid = isOf(1356, 1449)

/** Whether a statement names a table, routine or database that does not exist. */
export const isMissingObject = isOf(...missingObjects)

/** Whether a statement names an account that does not exist. */
export const isMissingAccount = isOf(1141)

/** A test of the error of a driver, or of the Problem that it is the cause of, by its numbers. */
function isOf(...errnos: readonly number[]): (error: unknown) => boolean {
  return (error) => errnos.includes(toDriverError(toCause(error)).errno ?? 0)
}

/**
 * The statement that a server rejects, as an engine does that lacks a part of MySQL; undefined for an error that can end by
 * itself, or is not of the server.
 */
export function findRejected(error: unknown): string | undefined {
  const cause = toCause(error)
  const { errno, fatal, sql } = toDriverError(cause)
  if (errno === undefined || fatal === true) return undefined
  return temporary.includes(errno) ? undefined : sql
}

function isNetworkCode(code: string): boolean {
  return networkCodes.has(code) || code.startsWith('PROTOCOL_')
}

/** A Problem keeps the driver's error as its cause. */
export function toCause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error
}

/** What the driver says of an error; nothing where it is another one. */
function toDriverError(error: unknown): Partial<QueryError> & { readonly sql?: string } {
  return error instanceof Error ? error : {}
}
