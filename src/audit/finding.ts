/** Something in the database that is against the safeguards, or that operators should know. */
export interface Finding {
  /** Errors prevent a start under `AUDIT=enforce`; warnings are only reported. */
  readonly severity: 'error' | 'warning'
  /** The object of the grant, a table, a column, or a path of the mapping. */
  readonly object: string
  /** Such as `INSERT, DELETE`; null where the finding is about no privilege. */
  readonly privilege: string | null
  readonly problem: string
  /** The statement that fixes it, or what to do where no statement does. */
  readonly fix: string
}

/** An error that is about no privilege. */
export function createError(object: string, problem: string, fix: string): Finding {
  return { severity: 'error', object, privilege: null, problem, fix }
}

/** A warning that is about no privilege. */
export function createWarning(object: string, problem: string, fix: string): Finding {
  return { severity: 'warning', object, privilege: null, problem, fix }
}

/** A finding on one line. */
export function toFindingText({ object, privilege, problem, fix }: Finding): string {
  return `${object}: ${privilege === null ? '' : `${privilege}: `}${problem}; to fix it: ${fix}`
}

/** The findings that prevent a start. */
export function listErrors(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}
