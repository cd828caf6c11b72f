import { isAccessDenied, isTimeLimit, toCause } from '../../database/errors.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { Problem } from '../../errors.js'
import { createWarning } from '../../finding.js'
import type { Finding } from '../../finding.js'

/** What a statement finds out about the rows of all workspaces, and what its rows mean. */
export interface Question {
  /** A table, a column or a place of the mapping. */
  readonly object: string
  readonly statement: Statement
  /** A cheaper one, for recent rows only, in its place where it reaches the time limit. */
  readonly sampled?: Statement | undefined
  readonly evaluate: (rows: readonly Row[], isSampled: boolean) => readonly Finding[]
}

/** Asks one after the other; a warning in the place of an answer where the database denies it or takes too long. */
export async function answer(
  questions: readonly Question[],
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const { object, statement, sampled, evaluate } of questions)
    try {
      findings.push(...evaluate(await runQuery(statement), false))
    } catch (error) {
      const rows = sampled && isTimeLimit(error) ? await orNone(runQuery(sampled)) : undefined
      findings.push(
        ...(rows === undefined ? [createFailure(object, describeFailure(error))] : evaluate(rows, true)),
      )
    }
  return findings
}

/** Why a statement of the check failed. @throws any error but that the database did not answer in time or denied it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Problem) && !isAccessDenied(error)) throw error
  const cause = toCause(error)
  return cause instanceof Error ? cause.message : String(cause)
}

/** Undefined where a statement took too long, or where the server denied it. */
export async function orNone<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    describeFailure(error)
    return undefined
  }
}

/** A warning that something could not be checked, and why. */
export function createFailure(object: string, reason: string): Finding {
  const fix = 'remove the reason; if it is time, check again with a greater DATABASE_QUERY_TIMEOUT_MS'
  return createWarning(object, `could not be checked: ${reason}`, fix)
}
