/** One thing that is wrong, or that a person has to decide. An error of the audit prevents a start under `AUDIT=enforce`. */
export interface Finding {
  readonly severity: 'error' | 'warning'
  /** A table, a column, a path of the mapping, or a request. */
  readonly object: string
  /** Such as `INSERT, DELETE`; absent where the finding is about no privilege. */
  readonly privilege?: string
  readonly problem: string
  /** What to do, or what should be there instead. */
  readonly fix: string
  /** More that helps to find it, such as the id of a request. */
  readonly details?: readonly string[]
}

/** Something that must be fixed. @param privilege where the finding is about one */
export function createError(object: string, problem: string, fix: string, privilege?: string): Finding {
  const finding = { severity: 'error', object, problem, fix } as const
  return privilege === undefined ? finding : { ...finding, privilege }
}

/** Something that a person should decide. */
export function createWarning(object: string, problem: string, fix: string): Finding {
  return { severity: 'warning', object, problem, fix }
}

/** A finding on one line. */
export function toFindingText({ object, privilege, problem, fix }: Finding): string {
  return `${object}: ${privilege === undefined ? '' : `${privilege}: `}${problem}; to fix it: ${fix}`
}

/** One finding for each key, errors first. */
export function sortFindings(
  findings: readonly Finding[],
  toKey: (finding: Finding) => string,
): readonly Finding[] {
  const rank = ({ severity }: Finding): number => Number(severity !== 'error')
  const sorted = findings.toSorted((one, other) => rank(one) - rank(other))
  const keys = sorted.map(toKey)
  return sorted.filter((one, at) => keys.indexOf(toKey(one)) === at)
}

/** The findings that prevent a start. */
export function listErrors(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}
