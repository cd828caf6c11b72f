import { isTooManyConnections } from './errors.js'

/** What happens to a session at its maximum age. */
export interface SessionEnd {
  /** Whether the session was used since it was opened. */
  readonly isUsed: () => boolean
  /** Opens another session that takes its place. @throws when none can be opened. */
  readonly replace: () => Promise<void>
  /** Closes the session, after the statement that it runs. */
  readonly retire: () => void
}

/** The age of one session. */
export interface SessionAge {
  /** The session is closed, or about to be. */
  readonly end: () => void
}

/** Sessions that were opened together end over this part of the maximum age, not all at once. */
const spread = 0.2
/** A session that could not be replaced is tried again after this part of the maximum age. */
const retryAfter = 0.1

/**
 * Ends a session at its maximum age, so that the name of the host is resolved again. A session that was used is
 * replaced first, so that no request is delayed or fails; one that was not used is only closed. If no other session can
 * be opened, the session stays for as long again, and longer while the server has no connection left.
 */
export function startAge(maxAgeMs: number, { isUsed, replace, retire }: SessionEnd): SessionAge {
  const startedAt = performance.now()
  let isEnded = false
  const canStay = (error: unknown): boolean =>
    isTooManyConnections(error) || performance.now() - startedAt < 2 * maxAgeMs

  const expire = async (): Promise<void> => {
    try {
      if (isUsed()) await replace()
    } catch (error) {
      if (isEnded) return
      if (canStay(error)) {
        timer = startTimer(maxAgeMs * retryAfter)
        return
      }
    }
    if (!isEnded) retire()
  }
  const startTimer = (ms: number): NodeJS.Timeout => setTimeout(() => void expire(), ms).unref()
  let timer = startTimer(maxAgeMs * (1 - spread * Math.random()))

  return {
    end: () => {
      isEnded = true
      clearTimeout(timer)
    },
  }
}
