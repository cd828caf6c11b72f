import { isAccessDenied, toCause } from '../database/errors.js'
import { Problem } from '../errors.js'
import { createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'

/** Why a statement of the check failed. @throws any error but that the database did not answer in time or denied it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Problem) && !isAccessDenied(error)) throw error
  const cause = toCause(error)
  return cause instanceof Error ? cause.message : String(cause)
}

/** A warning that something could not be checked. @param problem ends with what `describeFailure` returns. */
export function createFailure(object: string, problem: string): Finding {
  const fix = 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS'
  return createWarning(object, problem, fix)
}
