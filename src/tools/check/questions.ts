import { isAccessDenied, isTimeLimit, toCause } from '../../database/errors.js'
import type { Row, RunQuery, Statement } from '../../database/statement.js'
import { Problem } from '../../errors.js'
import { createWarning } from '../report/report.js'
import type { Finding } from '../report/report.js'

/** What a statement finds out about the rows of all workspaces, and what its rows mean. */
export interface Question {
  /** A table or a column. */
  readonly object: string
  /** What is not known where the statement fails, such as `zero dates could not be counted`. */
  readonly unknown: string
  readonly statement: Statement
  /** A cheaper one, for recent rows only, in its place where it reaches the time limit. */
  readonly sampled?: Statement
  readonly evaluate: (rows: readonly Row[], isSampled: boolean) => readonly Finding[]
}

/** Asks one after the other; a warning in the place of an answer where the database denies it or takes too long. */
export async function answer(
  questions: readonly Question[],
  runQuery: RunQuery,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const question of questions) {
    const { object, unknown } = question
    const failed = (error: unknown) => [createFailure(object, `${unknown}: ${describeFailure(error)}`)]
    findings.push(...(await ask(question, runQuery).catch(failed)))
  }
  return findings
}

async function ask(question: Question, runQuery: RunQuery): Promise<readonly Finding[]> {
  const { statement, sampled, evaluate } = question
  try {
    return evaluate(await runQuery(statement), false)
  } catch (error) {
    if (sampled === undefined || !isTimeLimit(error)) throw error
    return evaluate(await runQuery(sampled), true)
  }
}

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
