import type { Finding as ReportedFinding } from '../tools/report/report.js'

/** Something in the database that is against the safeguards: an error prevents a start under `AUDIT=enforce`. */
export interface Finding extends ReportedFinding {
  /** Such as `INSERT, DELETE`; absent where the finding is about no privilege. */
  readonly privilege?: string
}

/** A finding on one line. */
export function toFindingText({ object, privilege, problem, fix }: Finding): string {
  return `${object}: ${privilege === undefined ? '' : `${privilege}: `}${problem}; to fix it: ${fix}`
}

/** The findings that prevent a start. */
export function listErrors(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}
