/** Something about the database that stands against the walls, or that should be known. */
export interface Finding {
  /** Errors stop a start under `AUDIT=enforce`; warnings are told and stop nothing. */
  readonly severity: 'error' | 'warning'
  /** The grant's object, a table, a column, or a path of the mapping. */
  readonly object: string
  /** Such as `INSERT, DELETE`; null where no privilege is in question. */
  readonly privilege: string | null
  readonly problem: string
  /** The statement that fixes it, or what to do where no statement does. */
  readonly fix: string
}

/** A finding on one line. */
export function toFindingText({ object, privilege, problem, fix }: Finding): string {
  return `${object}: ${privilege === null ? '' : `${privilege}: `}${problem}; to fix it: ${fix}`
}

/** The findings that stand against a start; the others are warnings. */
export function listErrors(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}
