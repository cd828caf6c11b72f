/** Whoever asked, as far as a line needs to know; a socket is one. */
export interface Caller {
  /** Whether nobody is there any more who could be answered. */
  readonly destroyed: boolean
}

/** For whom a statement is and what it reads: what the line before the sessions goes by. */
export interface QueryContext {
  /** Nothing is sent any more for one who is gone. */
  readonly caller?: Caller | undefined
  /** The workspace whose rows are read; undefined where the statement is of none, such as a key lookup. */
  readonly workspaceId?: string | undefined
  /** A table that is locked must not take every session. */
  readonly table?: string | undefined
}

/** Whether nobody waits for an answer any more; a caller who is not known is taken to be there. */
export function isGone(caller: Caller | undefined): boolean {
  return caller?.destroyed === true
}

/** Several who wait for the same answer: gone when all of them are. */
export function gather(callers: readonly (Caller | undefined)[]): Caller {
  return {
    get destroyed() {
      return callers.every(isGone)
    },
  }
}
