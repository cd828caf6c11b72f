import { isAccessDenied, toCause } from '../database/errors.js'
import type { RunQuery, Statement } from '../database/statement.js'
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

interface Counted {
  readonly object: string
  /** What is counted, in words. */
  readonly what: string
  /** Its row has the number as `keys`. */
  readonly statement: Statement
  readonly describe: (count: number) => string
  readonly fix: string
}

/** A warning where a statement counts more than none, or where it fails. */
export async function warnOfSome(
  { object, what, statement, describe, fix }: Counted,
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  try {
    const [row] = await runQuery(statement)
    const count = Number(row?.['keys'] ?? 0)
    return count === 0 ? [] : [createWarning(object, describe(count), fix)]
  } catch (error) {
    return [createFailure(object, `${what} could not be counted: ${describeFailure(error)}`)]
  }
}
