import { isAccessDenied, isSchemaError, toCause } from '../../database/errors.js'
import { Problem, toErrorText } from '../../errors.js'
import { createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'

/** Why a statement of the check failed. @throws any error but that the database did not answer, denied it, or lacks a column. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Problem) && !isAccessDenied(error) && !isSchemaError(error)) throw error
  return toErrorText(toCause(error))
}

/** Undefined where a statement took too long, or where the server denied it. */
export function orNone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: unknown) => {
    describeFailure(error)
    return undefined
  })
}

/** A warning that something could not be checked, and why. */
export function createFailure(object: string, reason: string): Finding {
  const fix = 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS'
  return createWarning(object, `could not be checked: ${reason}`, fix)
}

/** A number of things: `no errors`, `1 error`, `2 errors`. */
export function toCountText(count: number, word: string): string {
  return `${count === 0 ? 'no' : count} ${word}${count === 1 ? '' : 's'}`
}
